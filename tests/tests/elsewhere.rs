//! Lookups with lists outside the partitions of their members: in rows of another table, in one row, and in blobs.

#![expect(clippy::unwrap_used, reason = "a broken promise ends the test")]

#[path = "elsewhere/costs.rs"]
mod costs;
#[path = "elsewhere/differences.rs"]
mod differences;
#[path = "elsewhere/growth.rs"]
mod growth;
#[path = "elsewhere/person.rs"]
mod person;
#[path = "elsewhere/reads.rs"]
mod reads;
