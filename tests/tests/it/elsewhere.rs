//! Lookups with lists outside the partitions of their members: in rows of another table, in one row, and in blobs.

#![expect(clippy::unwrap_used, reason = "a broken promise ends the test")]

mod costs;
mod differences;
mod growth;
mod person;
mod reads;
