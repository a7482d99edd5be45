//! Tests of the explorer over HTTP.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper of a test fails as a test does")]

mod access;
mod client;
mod reading;

use table_model::{Entity, Operation, TableName, TableService};
use table_store::Store;

/// Creates a store in memory with the entities of a table `Employees`.
fn store(entities: impl IntoIterator<Item = Entity>) -> Store {
    let store = Store::in_memory().unwrap();
    let table: TableName = "Employees".parse().unwrap();
    pollster::block_on(async {
        store.create_table(&table).await.unwrap();
        for entity in entities {
            store.execute(&table, &Operation::Insert(entity)).await.unwrap();
        }
    });
    store
}
