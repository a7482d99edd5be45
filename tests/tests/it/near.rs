//! Rows in the entity's partition, compared with their definition (I1): after each step of each client, the index rows
//! match the entities, and the lists match their groups. Clients run concurrently and crash; requests are rejected,
//! lose their responses, and take effect late. `NEAR_SEEDS=100..5000` selects other seeds.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a broken promise ends the test")]

mod canaries;
mod costs;
mod documented;
mod foreign;
mod lists;
mod partition;
mod program;
mod staff;
