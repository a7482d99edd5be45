//! Values in blobs: written before the entity references them, read on request, and deleted when no entity references
//! them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "large/copied.rs"]
mod copied;
#[path = "large/dropped.rs"]
mod dropped;
#[path = "large/left_behind.rs"]
mod left_behind;
#[path = "large/moved.rs"]
mod moved;
#[path = "large/people.rs"]
mod people;
#[path = "large/reading.rs"]
mod reading;
#[path = "large/refused.rs"]
mod refused;
#[path = "large/several.rs"]
mod several;
#[path = "large/verbs.rs"]
mod verbs;
