//! Signatures, permissions and settings, tested through the complete server except its sockets.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod blobs;
mod cors;
mod mutations;
mod operations;
mod permissions;
mod secondary;
mod settings;
mod site;
