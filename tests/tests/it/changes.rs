//! Change feeds from the caller's view, and the requests of each call. `tests/proofs/tests/it/simulation` covers the
//! same with crashing clients and lost responses.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, reason = "several indexes have equal arguments")]
#![allow(clippy::struct_field_names, reason = "shops have a shop")]

pub(crate) mod combined;
mod costs;
mod position;
mod registered;
mod verbs;

use pollster::block_on;
use table_patterns::{ChangeEvent, ChangeKind, HasChanges, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{customer}", row = "{number:06}", changes)]
struct Order {
    customer: String,
    number: u32,
    total: i64,
    note: Option<String>,
}

/// An order whose previous state is recorded.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Ledger", partition = "{customer}", row = "{number:06}", changes(keep = "1d", old))]
struct Entry {
    customer: String,
    number: u32,
    total: i64,
}

fn order(customer: &str, number: u32, total: i64) -> Order {
    Order { customer: customer.into(), number, total, note: None }
}

fn entry(number: u32, total: i64) -> Entry {
    Entry { customer: "jo".into(), number, total }
}

/// Returns all changes.
fn all<E: HasChanges>(tables: &Tables) -> Vec<ChangeEvent<E>> {
    let batch = block_on(tables.changes::<E>().next_batch()).unwrap();
    assert!(batch.is_end);
    batch.changes
}

/// Returns the kinds and the numbers of all changes.
fn kinds<E: HasChanges>(tables: &Tables) -> Vec<(ChangeKind, u64)> {
    all::<E>(tables).iter().map(|change| (change.kind(), change.sequence())).collect()
}
