//! The findings of verify, their repair, and the filling of a new lookup.

use table_patterns::{DifferenceKind, prelude::*};
use table_store::{
    OpenOptions, Operation, Query as StoreQuery, Store, TableService,
    blob::{BlobAddress, BlobService, ListBlobs, PutBlob},
};

use super::person::{Person, listed};

fn filled() -> (Tables, Store) {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    for (team, id) in [("Red", 2), ("Blue", 7), ("Red", 1)] {
        tables.blocking().insert(&Person::new(team, id)).unwrap();
    }
    (tables, store)
}

fn all() -> [Vec<(String, u32)>; 4] {
    [(); 4].map(|()| vec![("Blue".to_owned(), 7), ("Red".to_owned(), 1), ("Red".to_owned(), 2)])
}

/// Verifies, repairs, and verifies again. Returns the initial number of each difference.
fn mended(tables: &Tables) -> Vec<(DifferenceKind, u64)> {
    let b = tables.blocking();
    let report = b.sweep(tables.verify::<Person>()).unwrap();
    let repaired = b.sweep(tables.verify::<Person>().repair()).unwrap();
    assert_eq!(repaired.count(), repaired.repaired, "{repaired}");
    let left = b.sweep(tables.verify::<Person>()).unwrap();
    assert!(left.is_clean(), "{left}");
    let counts = DifferenceKind::ALL.into_iter().map(|what| (what, report.count_of(what)));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn what_was_written_past_the_library_is_found_and_mended() {
    let (tables, store) = filled();
    assert_eq!(mended(&tables), []);
    // An entity is deleted outside the library: it stays in all lists.
    let gone = DynamicEntity::point("People", "Red", "id_000001");
    tables.blocking().delete_at(gone).unwrap();
    assert_eq!(mended(&tables), [(DifferenceKind::Orphaned, 4)]);
    let rest = vec![("Blue".to_owned(), 7), ("Red".to_owned(), 2)];
    assert_eq!(listed(&tables), [(); 4].map(|()| rest.clone()));
    // Lists are deleted: their members are missing.
    for (table, partition_key, row_key) in
        [("PeopleByName", "Jones", "name!Red!id_000002"), ("Homes", "Oslo_003", "home")]
    {
        tables.blocking().delete_at(DynamicEntity::point(table, partition_key, row_key)).unwrap();
    }
    assert_eq!(mended(&tables), [(DifferenceKind::Missing, 3)]);
    assert_eq!(listed(&tables), [(); 4].map(|()| rest.clone()));
    // Another client rewrites a list.
    let items =
        pollster::block_on(store.list_blobs(&"people".parse().unwrap(), ListBlobs::new())).unwrap().items;
    let blob = BlobAddress::new("people", items[0].name()).unwrap();
    let lines = "[\"Red\",\"id_000099\"]\n[\"Red\",\"id_000002\"]\n";
    pollster::block_on(store.put_blob(&blob, lines.into(), PutBlob::new())).unwrap();
    assert_eq!(mended(&tables), [(DifferenceKind::Missing, 1), (DifferenceKind::Orphaned, 1)]);
    assert_eq!(listed(&tables), [(); 4].map(|()| rest.clone()));
}

#[test]
fn an_empty_list_that_nobody_is_at_goes() {
    let (tables, store) = filled();
    let mut stub = table_store::Entity::new("Rome_001", "home");
    stub.properties.set("_st", "s");
    pollster::block_on(store.execute(&"Homes".parse().unwrap(), &Operation::Insert(stub))).unwrap();
    let blob = BlobAddress::new("people", "by_skill/none.jsonl").unwrap();
    pollster::block_on(store.put_blob(&blob, "".into(), PutBlob::new())).unwrap();
    assert_eq!(mended(&tables), [(DifferenceKind::Placeholder, 2)]);
    assert!(tables.blocking().get(&DynamicEntity::point("Homes", "Rome_001", "home")).unwrap().is_none());
}

#[test]
fn a_new_lookup_is_filled_and_an_old_one_emptied() {
    let (tables, store) = filled();
    let b = tables.blocking();
    for lookup in ["by_name", "by_home", "by_skill", "by_age"] {
        drop(b.sweep(tables.remove_index_rows::<Person>(lookup)).unwrap());
    }
    assert_eq!(listed(&tables), [(); 4].map(|()| Vec::new()));
    for table in ["PeopleByName", "Homes"] {
        let rows =
            pollster::block_on(store.query(&table.parse().unwrap(), StoreQuery::default())).unwrap().rows;
        assert_eq!(rows.len(), 0, "{table}");
    }
    let blobs = pollster::block_on(store.list_blobs(&"people".parse().unwrap(), ListBlobs::new())).unwrap();
    assert!(blobs.items.is_empty());
    for lookup in ["by_name", "by_home", "by_skill", "by_age"] {
        let report = b.sweep(tables.reindex::<Person>(lookup)).unwrap();
        assert_eq!((report.entities, report.written), (3, 3), "{lookup}");
    }
    assert_eq!(listed(&tables), all());
    assert_eq!(mended(&tables), []);
}
