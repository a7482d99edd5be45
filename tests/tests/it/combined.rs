//! Several patterns on one entity, and several concurrent clients.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

mod archive;
mod bulks;
mod encryption;
mod pairs;
pub(crate) mod shops;
mod spread;
mod wide;
