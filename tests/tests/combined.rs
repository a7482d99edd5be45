//! Several patterns on one entity, and several concurrent clients.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

#[path = "combined/archive.rs"]
mod archive;
#[path = "combined/bulks.rs"]
mod bulks;
#[path = "combined/encryption.rs"]
mod encryption;
#[path = "combined/pairs.rs"]
mod pairs;
#[path = "combined/shops.rs"]
mod shops;
#[path = "combined/spread.rs"]
mod spread;
#[path = "combined/wide.rs"]
mod wide;
