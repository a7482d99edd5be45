//! Lists that outgrow one row and one blob (T11).

use std::collections::BTreeSet;

use table_patterns::{DifferenceKind, Error, Transaction, prelude::*};
use table_store::{
    OpenOptions, Query as StoreQuery, Store, TableService, ValueRef,
    blob::{BlobItem, BlobService, ListBlobs},
};
use table_tests::seed::Seed;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sensors", partition = "{site}", row = "id_{id:06}")]
#[table(lookup(by_model, on = model, place = table, ids = "SensorDetails"))]
#[table(lookup(by_state, on = state, place = blob))]
struct Sensor {
    site: String,
    id: u32,
    model: String,
    state: String,
}

fn sensor(id: u32) -> Sensor {
    Sensor { site: format!("site{:02}", id % 20), id, model: "M".into(), state: "on".into() }
}

fn found(tables: &Tables) -> [BTreeSet<u32>; 2] {
    let b = tables.blocking();
    [Sensor::by_model("M"), Sensor::by_state("on")].map(|query| {
        let found = b.all(&query).unwrap();
        let ids: BTreeSet<u32> = found.iter().map(|sensor| sensor.id).collect();
        assert_eq!(ids.len(), found.len(), "each member once");
        ids
    })
}

/// Returns the maximum size in bytes of a row, and of a blob.
fn longest(store: &Store) -> (usize, u64) {
    let table = "SensorsByModel".parse().unwrap();
    let rows = pollster::block_on(store.query(&table, StoreQuery::default())).unwrap().rows;
    let lists = rows.iter().filter_map(|row| match row.properties.get("SensorDetails") {
        Some(ValueRef::String(text)) => Some(text.len()),
        _ => None,
    });
    let row = lists.max().unwrap();
    let container = "sensors".parse().unwrap();
    let blobs = pollster::block_on(store.list_blobs(&container, ListBlobs::new())).unwrap().items;
    let lengths = blobs.iter().filter_map(|item| match item {
        BlobItem::Blob { properties, .. } => Some(properties.length),
        _ => None,
    });
    let blob = lengths.max().unwrap();
    assert!(blobs.len() > 1, "the first blob is not full");
    (row, blob)
}

/// Adds members to a list of at most `room` bytes in a row, and in a blob.
fn grow(count: u32, removed: usize, room: [usize; 2]) {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone()).with_list_room(room[1]);
    let all: Vec<Sensor> = (0..count).map(sensor).collect();
    let mut expected: BTreeSet<u32> = (0..count).collect();
    tables.blocking().run(tables.bulk().insert_all(&all)).unwrap().into_result().unwrap();
    assert_eq!(found(&tables), [expected.clone(), expected.clone()]);
    let mut seed = Seed::new(11);
    for _ in 0..removed {
        let id = u32::try_from(seed.below(count as usize)).unwrap();
        if expected.remove(&id) {
            tables.blocking().delete_at(sensor(id).key().point()).unwrap();
        }
    }
    assert_eq!(found(&tables), [expected.clone(), expected]);
    let (row, blob) = longest(&store);
    println!("{count} members: the longest row has {row} bytes, the longest blob {blob}");
    assert!(row <= room[0] && blob <= room[1] as u64);
    let report = tables.blocking().sweep(tables.verify::<Sensor>()).unwrap();
    assert!(report.is_clean(), "{report}");
}

/// With lists of 100 bytes, the members of one transaction are in several blobs below the first.
#[test]
fn members_of_one_transaction_are_found_below_a_full_blob() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone()).with_list_room(100);
    let b = tables.blocking();
    let all: Vec<Sensor> = (0..60).map(|id| Sensor { site: "site00".into(), ..sensor(id) }).collect();
    for some in all.chunks(20) {
        let insert = some.iter().fold(tables.transact(), Transaction::insert);
        b.commit(insert).unwrap();
    }
    let ids: BTreeSet<u32> = (0..60).collect();
    assert_eq!(found(&tables), [ids.clone(), ids]);
    let report = b.sweep(tables.verify::<Sensor>()).unwrap();
    assert!(report.is_clean(), "{report}");
    for one in &all {
        b.delete_at(one.key().point()).unwrap();
    }
    assert_eq!(found(&tables), [BTreeSet::new(), BTreeSet::new()]);
}

/// There are more list blobs than a page of a pass has.
#[test]
fn pages_of_list_blobs_are_passed_once() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    for id in 0..25 {
        b.insert(&Sensor { state: format!("s{id:02}"), ..sensor(id) }).unwrap();
    }
    for id in 0..25 {
        b.delete_at(DynamicEntity::point("Sensors", sensor(id).site, format!("id_{id:06}"))).unwrap();
    }
    let report = b.sweep(tables.verify::<Sensor>().page_size(4)).unwrap();
    assert_eq!(report.count_of(DifferenceKind::Orphaned), 50, "{report}");
}

#[test]
fn lists_beyond_their_first_row_and_blob_are_their_groups() {
    grow(1_000, 20, [4_000; 2]);
}

#[test]
#[ignore = "some minutes"]
fn a_hundred_thousand_members_are_their_group() {
    grow(100_000, 1_000, [16 * 1024, 256 * 1024]);
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Long", partition = "{team}", row = "id_{name}")]
#[table(index(by_a, partition = "a_{name}", row = "{team}_{name}", copy()))]
#[table(index(by_b, partition = "b_{name}", row = "{team}_{name}", copy()))]
#[table(index(by_c, partition = "c_{name}", row = "{team}_{name}", copy()))]
#[allow(clippy::duplicated_attributes, reason = "the indexes have equal options")]
struct Long {
    team: String,
    name: String,
}

/// With long keys, the commit record of 90 entities is larger than an entity may be.
#[test]
fn bulk_splits_by_the_size_of_the_commit_record() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let name = |id: u32| format!("{id:03}{}", "\u{20ac}".repeat(490));
    let all: Vec<Long> = (0..90).map(|id| Long { team: "Red".into(), name: name(id) }).collect();
    let mut transaction = tables.transact();
    for one in &all {
        transaction = transaction.insert(one);
    }
    let error = b.commit(transaction).unwrap_err();
    assert!(matches!(error, Error::Transaction(_)), "{error}");
    assert!(error.to_string().contains("commit record"), "{error}");
    assert!(b.all(&Long::rows("Red")).unwrap().is_empty());
    let report = pollster::block_on(tables.bulk().insert_all(&all).run()).unwrap();
    assert_eq!(report.groups.len(), 2, "{report:?}");
    assert_eq!(report.into_result().unwrap(), 90);
    assert!(b.sweep(tables.verify::<Long>()).unwrap().is_clean());
}
