//! Rows in the entity's partition, compared with their definition (I1): after each step of each client, the index rows
//! match the entities, and the lists match their groups. Clients run concurrently and crash; requests are rejected,
//! lose their responses, and take effect late. `NEAR_SEEDS=100..5000` selects other seeds.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a broken promise ends the test")]

#[path = "near/canaries.rs"]
mod canaries;
#[path = "near/costs.rs"]
mod costs;
#[path = "near/documented.rs"]
mod documented;
#[path = "near/foreign.rs"]
mod foreign;
#[path = "near/lists.rs"]
mod lists;
#[path = "near/partition.rs"]
mod partition;
#[path = "near/program.rs"]
mod program;
#[path = "near/staff.rs"]
mod staff;
