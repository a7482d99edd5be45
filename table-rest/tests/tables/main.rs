//! The table service, asked as clients ask it: signed requests to a store in memory, through all of the server but its
//! sockets.
#![cfg(feature = "server")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod batches;
mod catalog;
mod entities;
mod exchange;
mod grants;
mod inputs;
mod queries;
mod values;
