//! Cross-partition updates on a service without a list of commit records, and their requests to tables and queues.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod backlog;
mod costs;
mod given_up;
mod leftovers;
mod place;
