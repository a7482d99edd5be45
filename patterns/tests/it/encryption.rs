//! Encrypted properties (G-ENC-1, G-ENC-2): stored form, decryption, and the operations that use them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod bags;
mod copies;
mod errors;
mod files;
mod keys;
mod moved;
mod rotation;
mod saving;
mod staff;
mod verbs;
