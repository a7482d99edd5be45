//! Tests of the explorer over HTTP.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test fails as a test does"
)]

mod access;
mod basket;
mod blobs;
mod client;
mod conflict;
mod design;
mod exchange;
mod follow_ups;
mod forms;
mod heat;
mod hostile;
mod keys;
mod limits;
mod maintained;
mod pages;
mod queues;
mod reading;
mod remote;
mod report;
mod save;
mod service;
mod signed;
mod states;

use table_model::{Condition, Entity, Operation, Row, TableName, TableService};
use table_store::Store;

/// The address of the entity of most tests.
const JO: &str = "/t/Employees/e?pk=Sales&rk=1";

/// Returns the table of the tests.
fn table() -> TableName {
    "Employees".parse().unwrap()
}

/// Reads an entity of the partition `Sales`.
fn row(store: &Store, key: &str) -> Option<Row> {
    pollster::block_on(store.get(&table(), "Sales", key, None)).unwrap()
}

/// Writes an entity as another process does.
fn write(store: &Store, operation: &Operation) {
    pollster::block_on(store.execute(&table(), operation)).unwrap();
}

/// Changes an entity of the partition `Sales` as another process does.
fn merge(store: &Store, entity: Entity) {
    write(store, &Operation::Merge(entity, Condition::Exists));
}

/// Deletes an entity of the partition `Sales` as another process does.
fn delete(store: &Store, key: &str) {
    let (partition_key, row_key) = ("Sales".to_owned(), key.to_owned());
    write(store, &Operation::Delete { partition_key, row_key, condition: Condition::Exists });
}

/// Creates a store in memory with the entities of a table `Employees`.
fn store(entities: impl IntoIterator<Item = Entity>) -> Store {
    let store = Store::in_memory().unwrap();
    let table = table();
    pollster::block_on(async {
        store.create_table(&table).await.unwrap();
        for entity in entities {
            store.execute(&table, &Operation::Insert(entity)).await.unwrap();
        }
    });
    store
}
