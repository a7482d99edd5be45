//! A helpdesk: the tickets of tenants, and their comments.

pub mod api;
pub mod design;
pub mod tickets;

use table_patterns::prelude::*;

/// Opens a store file, or connects to a server or Azure if `store` is a connection string.
///
/// # Errors
/// Returns an error if the file cannot be opened, or if the connection string is invalid.
pub fn open(store: &str) -> Result<Tables> {
    if store.contains('=') { Tables::connect(store) } else { Tables::open(store) }
}
