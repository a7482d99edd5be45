//! Cross-partition updates on a service without a list of commit records, and their requests to tables and queues.

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
