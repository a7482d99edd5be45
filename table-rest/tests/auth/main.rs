//! Who may do what: signatures, permissions and settings, through all of the server but its sockets.
#![cfg(feature = "server")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod blobs;
mod cors;
mod mutations;
mod operations;
mod permissions;
mod secondary;
mod settings;
mod site;
