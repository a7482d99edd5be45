//! Values in blobs: written before the entity references them, read on request, and deleted when no entity references
//! them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod copied;
mod dropped;
mod left_behind;
mod moved;
mod people;
mod reading;
mod refused;
mod several;
mod verbs;
