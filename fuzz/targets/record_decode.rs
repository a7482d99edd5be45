//! Arbitrary bytes in place of a record: reads do not panic, a changed record is reported and never returned, and all
//! other records are returned completely. Input: the record to change, and the kind of change.
//!
//! Half of the changes have a valid checksum, unlike real damage, so that they reach the decoder itself.

#![no_main]

use std::{collections::BTreeMap, sync::LazyLock};

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use table_fuzz::stores;
use table_store::{
    BlockingStore, Entity, Filter, MapStorage, Name, OpenError, Operation, Query, Row, StorageFault,
    TableError, Timestamp, Uuid,
};

/// Size of the table ID at the start of a key; user tables have IDs from 16 on.
const ID_BYTES: usize = 4;
/// Size of the checksum at the end of a record.
const SUM_BYTES: usize = 4;

type Key = (String, String);

struct Image {
    entries: Vec<(Vec<u8>, Vec<u8>)>,
    /// The indexes of entity records.
    entities: Vec<usize>,
    rows: BTreeMap<Key, Row>,
}

static IMAGE: LazyLock<Image> = LazyLock::new(|| {
    let storage = MapStorage::default();
    let store = stores::options().open_map(storage.clone()).expect("memory is there").blocking();
    store.create_table(&stores::table()).expect("it is new");
    for entity in entities() {
        store.execute(&stores::table(), Operation::Insert(entity)).expect("it is new");
    }
    let rows = store.query(&stores::table(), Query::new()).expect("it reads").rows;
    store.close().expect("it closes");
    let entries = storage.entries();
    let is_entity = |(_, (key, _)): &(usize, &(Vec<u8>, Vec<u8>))| key.first_chunk() >= Some(&[0, 0, 0, 16]);
    let entities = entries.iter().enumerate().filter(is_entity).map(|(at, _)| at).collect();
    Image { entities, rows: rows.into_iter().map(|row| (key_of(&row), row)).collect(), entries }
});

/// Returns entities with all types and several sizes.
fn entities() -> Vec<Entity> {
    let small = |row: &str| Entity::new("Sales", row);
    vec![
        Entity::new("", ""),
        small("000").with("A", 1).with("B", 2_i64).with("C", 0.5),
        small("001").with("A", "text").with("B", vec![1_u8, 2, 3]).with("C", true),
        small("002").with("A", Timestamp::UNIX_EPOCH).with("B", Uuid::nil()),
        small("a\u{10000}").with("A", "x".repeat(300)),
        Entity::new("Sales\u{ffff}", "000").with("D", 7),
    ]
}

fn key_of(row: &Row) -> Key {
    let text = |key: &Option<String>| key.clone().expect("all is selected");
    (text(&row.partition_key), text(&row.row_key))
}

/// The applied change.
struct Change {
    /// The key of the changed row.
    row: Option<Key>,
    /// `true` if the checksum is invalid, so that the change must be reported.
    reported: bool,
}

fn sealed(key: &[u8], mut body: Vec<u8>) -> Vec<u8> {
    let sum = crc32c::crc32c_append(crc32c::crc32c(key), &body);
    body.extend_from_slice(&sum.to_le_bytes());
    body
}

/// Flips a bit.
fn flip(bytes: &mut [u8], input: &mut Unstructured<'_>) -> Result<()> {
    let at = input.choose_index(bytes.len())?;
    bytes[at] ^= 1 << input.int_in_range(0..=7)?;
    Ok(())
}

/// Changes the record of an entity, changes its key, or adds a record to the table.
fn change(entries: &mut Vec<(Vec<u8>, Vec<u8>)>, input: &mut Unstructured<'_>) -> Result<Change> {
    let at = *input.choose(&IMAGE.entities)?;
    let (key, record) = &mut entries[at];
    let number = IMAGE.entities.iter().position(|known| *known == at).expect("it was chosen");
    let row = IMAGE.rows.keys().nth(number).cloned();
    let before = record.clone();
    let reported = match input.int_in_range(0..=7)? {
        0 | 1 => {
            flip(record, input)?;
            true
        }
        2 => {
            *record = input.arbitrary()?;
            *record != before
        }
        3 | 4 => {
            record.truncate(record.len() - SUM_BYTES);
            for _ in 0..input.int_in_range(1..=4)? {
                let at = input.choose_index(record.len())?;
                record[at] = input.arbitrary()?;
            }
            *record = sealed(key, std::mem::take(record));
            false
        }
        5 => {
            *record = sealed(key, input.arbitrary()?);
            false
        }
        6 => {
            let mut other = key.clone();
            flip(&mut other, input)?;
            if entries.iter().any(|(key, _)| *key == other) {
                return Ok(Change { row: None, reported: false });
            }
            entries[at].0 = other;
            return Ok(Change { row, reported: false });
        }
        _ => {
            let mut other = key[..ID_BYTES].to_vec();
            other.extend(input.arbitrary::<Vec<u8>>()?);
            if entries.iter().all(|(key, _)| *key != other) {
                let record = sealed(&other, input.arbitrary()?);
                entries.push((other, record));
            }
            return Ok(Change { row: None, reported: false });
        }
    };
    Ok(Change { row, reported })
}

fn is_damage(error: &TableError) -> bool {
    matches!(error.fault(), Some(StorageFault::Corrupt { .. }))
}

/// Reads every row by its keys.
fn get_all(store: &BlockingStore, change: &Change) {
    for (key, row) in &IMAGE.rows {
        let found = store.get(&stores::table(), &key.0, &key.1, None);
        if change.row.as_ref() != Some(key) {
            assert!(matches!(&found, Ok(Some(found)) if found == row), "not changed, and yet: {found:?}");
        } else if change.reported {
            assert!(found.as_ref().is_err_and(is_damage), "changed, and yet: {found:?}");
        }
    }
}

/// Reads all rows, the rows that satisfy a filter, and a selection of properties; all rows except the changed one must
/// be correct.
fn query_all(store: &BlockingStore, change: &Change) {
    let select = |names: &[&'static str]| names.iter().map(|name| Name::from(*name)).collect::<Vec<_>>();
    let filter =
        Filter::parse("A ge 0 or B ne 1 or Absent eq 'x' or Timestamp gt datetime'1970-01-01T00:00:00Z'");
    let queries = [
        Query::new(),
        Query::new().filter(filter.expect("a filter")),
        Query::new().select(select(&["PartitionKey", "RowKey", "B"])),
    ];
    for (number, query) in queries.into_iter().enumerate() {
        match store.query(&stores::table(), query) {
            Err(error) => assert!(is_damage(&error), "{error:?}"),
            Ok(segment) => {
                assert!(!change.reported, "a changed record went unnoticed");
                for row in segment.rows.into_iter().filter(|_| number == 0) {
                    let key = key_of(&row);
                    let written = IMAGE.rows.get(&key);
                    let changed = change.row.as_ref() == Some(&key) || written.is_none();
                    assert!(changed || written == Some(&row), "never written: {row:?}");
                }
            }
        }
    }
}

/// A merge requires the stored entity; a replacement does not, and repairs the row.
fn write(store: &BlockingStore, change: &Change) {
    let Some((partition, row)) = &change.row else { return };
    let entity = Entity::new(partition.clone(), row.clone()).with("New", 1);
    let merged = store.execute(&stores::table(), Operation::InsertOrMerge(entity.clone()));
    assert!(!change.reported || merged.as_ref().is_err_and(is_damage), "merged into damage: {merged:?}");
    store.execute(&stores::table(), Operation::InsertOrReplace(entity)).expect("it replaces");
    let found = store.get(&stores::table(), partition, row, None).expect("it is healed");
    assert_eq!(found.map(|row| row.properties.len()), Some(1));
}

fn check(input: &mut Unstructured<'_>) -> Result<()> {
    let mut entries = IMAGE.entries.clone();
    let change = change(&mut entries, input)?;
    let storage = MapStorage::default();
    for (key, record) in entries {
        storage.put(key, record);
    }
    match stores::options().open_map(storage) {
        Ok(store) => {
            let store = store.blocking();
            get_all(&store, &change);
            query_all(&store, &change);
            write(&store, &change);
        }
        // The key may have become a key of the store itself.
        Err(OpenError::Damaged { .. } | OpenError::NotOurs { .. } | OpenError::Newer { .. }) => {
            assert!(change.row.is_some() && !change.reported, "a record of an entity is no reason to refuse");
        }
        Err(error) => panic!("a damaged store is told as {error:?}"),
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});
