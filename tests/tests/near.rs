//! What lives in the entity's partition, held against its definition (I1): after each step of each client the rows of
//! indexes are those that the entities say, and the lists are their groups. Clients run at the same time and crash; requests
//! are refused, lose their replies, and land late. `NEAR_SEEDS=100..5000` runs others, and as many as are wanted.

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
