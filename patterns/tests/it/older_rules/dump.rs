//! The contents of a store, without what differs from run to run: versions, times and tokens.

use std::collections::BTreeMap;

use table_model::{
    Query as StoreQuery, TableName, Value,
    blob::{BlobAddress, ContainerName, ListBlobs, ReadBlob},
};
use table_patterns::prelude::*;

const TABLES: [&str; 9] = ["Items", "Far", "Away", "Claims", "Rows", "Lists", "Others", "Groups", "Teams"];

/// Rows and blobs by name.
pub(super) type Dump = BTreeMap<String, Vec<String>>;

/// Returns all rows and blobs.
pub(super) fn dump(tables: &Tables) -> Dump {
    let mut dump = Dump::new();
    for table in TABLES {
        let name = TableName::new(table).unwrap();
        let found = pollster::block_on(tables.service().query(&name, StoreQuery::default()));
        let Ok(found) = found else { continue };
        assert!(found.continuation.is_none());
        for row in &found.rows {
            let name = format!("{table} {} {}", row.partition_key.unwrap(), row.row_key.unwrap());
            let properties = row.properties.iter().map(|(name, value)| (name, value.to_value()));
            // A total of nothing can be zero or absent.
            let counts =
                |(name, value): &(&str, Value)| !["_tx", "_se"].contains(name) && *value != Value::Int64(0);
            let mut properties: Vec<String> =
                properties.filter(counts).map(|(name, value)| format!("{name} {value:?}")).collect();
            properties.sort();
            if properties.iter().any(|property| property.starts_with("Ids ")) {
                // A list contains keys only, so its type is that of the version that changed it last.
                properties.retain(|property| !property.starts_with("EntityType "));
            }
            dump.insert(name, properties);
        }
    }
    blobs(tables, &mut dump);
    dump
}

fn blobs(tables: &Tables, dump: &mut Dump) {
    let blobs = tables.blobs().unwrap();
    let container = ContainerName::new("items").unwrap();
    let listed = pollster::block_on(blobs.list_blobs(&container, ListBlobs::new()));
    for item in listed.map(|listed| listed.items).unwrap_or_default() {
        let at = BlobAddress::new("items", item.name()).unwrap();
        let reader = pollster::block_on(blobs.read_blob(&at, ReadBlob::new())).unwrap();
        let bytes = pollster::block_on(reader.read_to_end()).unwrap();
        let mut lines: Vec<_> = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        lines.sort();
        dump.insert(format!("blob {}", at.name), lines);
    }
}

/// Returns the differences between two stores.
pub(super) fn differences(found: &Dump, expected: &Dump) -> Vec<String> {
    let mut all: Vec<&String> = found.keys().chain(expected.keys()).collect();
    all.sort();
    all.dedup();
    let differs = all.into_iter().filter(|name| found.get(*name) != expected.get(*name));
    differs.map(|name| format!("{name}: {:?}, expected {:?}", found.get(name), expected.get(name))).collect()
}
