//! The states of the indexes, as this handle knows them, and their rows.

mod definition;
pub(crate) mod known;
pub(crate) mod moves;
pub(crate) mod row;
mod unreadable;
pub(crate) mod versions;

use std::time::Duration;

/// Maximum age of the state that a program uses.
pub const LEASE: Duration = Duration::from_secs(30);

/// Name of the table that contains the registry.
pub const TABLE: &str = "tablepatterns";
