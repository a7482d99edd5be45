//! Entities of these tests, and helpers to list blobs.

use table_model::{
    TableService,
    blob::{ContainerName, ListBlobs},
};
use table_patterns::{Value, prelude::*};
use table_store::{OpenOptions, Store};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{team}", row = "p_{id:03}")]
#[table(index(by_age, row = "age_{age:03}_{id:03}", copy(age)))]
#[table(index(by_desk, partition = "desk_{desk}", row = "{team}_{id:03}", copy()))]
pub(crate) struct Person {
    pub(crate) team: String,
    pub(crate) id: u32,
    pub(crate) age: u32,
    pub(crate) desk: String,
    #[table(blob)]
    pub(crate) photo: Blob,
    #[table(blob, inline = 10, rename = "CV")]
    pub(crate) cv: Option<Blob>,
}

/// An entity with a unique value in other partitions.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Holders", partition = "{team}", row = "h_{id:03}")]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "holder", unique, copy()))]
pub(crate) struct Holder {
    pub(crate) team: String,
    pub(crate) id: u32,
    pub(crate) badge: u32,
    #[table(blob)]
    pub(crate) photo: Blob,
}

/// An entity without indexes.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{user}", row = "{id:03}")]
pub(crate) struct Note {
    pub(crate) user: String,
    pub(crate) id: u32,
    pub(crate) title: String,
    #[table(blob, inline = 10)]
    pub(crate) text: Blob,
}

pub(crate) fn person(id: u32) -> Person {
    Person { team: "a".into(), id, age: 30, desk: "4b".into(), photo: long(1), cv: None }
}

pub(crate) fn note(text: Blob) -> Note {
    Note { user: "jo".into(), id: 1, title: "first".into(), text }
}

/// Returns a value too large for a property.
pub(crate) fn long(byte: u8) -> Blob {
    Blob::new(vec![byte; 100_000])
}

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) tables: Tables,
}

impl World {
    pub(crate) fn new() -> Self {
        let store = OpenOptions::new().in_memory().unwrap();
        let tables = Tables::new(store.clone()).with_queues(store.clone()).with_blobs(store.clone());
        Self { store, tables }
    }

    /// Returns the names of all blobs of a table.
    pub(crate) fn blobs(&self, table: &str) -> Vec<String> {
        let container = ContainerName::new(table.to_lowercase()).unwrap();
        match self.store.clone().blocking().list_blobs(&container, ListBlobs::new()) {
            Ok(segment) => segment.items.iter().map(|item| item.name().to_owned()).collect(),
            Err(error) => {
                assert!(error.is_not_found(), "{error}");
                Vec::new()
            }
        }
    }

    /// Returns the stored value of a property.
    pub(crate) fn stored(&self, table: &str, partition: &str, row: &str, property: &str) -> Option<Value> {
        let table = table.parse().unwrap();
        let rows = pollster::block_on(self.store.find(&table, partition, row, None)).unwrap();
        rows.get(0).and_then(|row| row.properties.get(property).map(|value| value.to_value()))
    }

    /// Returns the keys of the internal rows in a partition.
    pub(crate) fn left(&self, table: &str) -> Vec<String> {
        let query = table_model::Query::default();
        let rows = pollster::block_on(self.store.query(&table.parse().unwrap(), query)).unwrap().rows;
        let keys = rows.iter().filter_map(|row| row.row_key.map(str::to_owned));
        keys.filter(|key| key.starts_with('!')).collect()
    }
}
