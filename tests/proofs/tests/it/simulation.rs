//! Clients and workers on a table service whose every call may be late, lost or the last: one schedule for each seed.

mod change_interleavings;
mod changes;
mod copied_fields;
mod copies;
mod fresh;
mod hints;
mod http;
mod large;
mod large_costs;
mod list_interleavings;
mod lists;
mod living;
mod moves;
mod old_new;
mod on_database;
mod outcomes;
mod periods;
mod registers;
mod registry;
mod registry_use;
mod rekey;
mod removed_rows;
mod retired;
mod shared_hints;
mod sweeps;
mod tasks;
mod totals;
mod unique;

use table_store::{MapStorage, OpenOptions, Store};

/// Returns an empty store in memory.
#[expect(clippy::expect_used, reason = "a test that cannot go on says why")]
fn memory() -> Store {
    OpenOptions::new().open_map(MapStorage::default()).expect("a store in memory")
}
