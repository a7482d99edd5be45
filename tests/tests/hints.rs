//! What follows on a service that keeps no list of commit records, and what that asks of tables and queues.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

#[path = "hints/backlog.rs"]
mod backlog;
#[path = "hints/costs.rs"]
mod costs;
#[path = "hints/given_up.rs"]
mod given_up;
#[path = "hints/leftovers.rs"]
mod leftovers;
#[path = "hints/place.rs"]
mod place;
