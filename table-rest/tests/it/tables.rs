//! The table service through client requests: signed, with an in-memory store, through the complete server except its
//! sockets.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod batches;
mod catalog;
mod entities;
mod exchange;
mod grants;
mod inputs;
mod queries;
mod values;
