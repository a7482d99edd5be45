//! Encrypted properties (G-ENC-1, G-ENC-2): stored form, decryption, and the operations that use them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "encryption/bags.rs"]
mod bags;
#[path = "encryption/copies.rs"]
mod copies;
#[path = "encryption/files.rs"]
mod files;
#[path = "encryption/keys.rs"]
mod keys;
#[path = "encryption/moved.rs"]
mod moved;
#[path = "encryption/staff.rs"]
mod staff;
#[path = "encryption/verbs.rs"]
mod verbs;
