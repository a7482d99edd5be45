//! Damage: a truncated or changed file is rejected, or its damage is reported. Wrong data is never returned.

use std::collections::BTreeMap;

use table_store::{
    BlockingStore, ErrorCode, MemoryDisk, OpenError, OpenOptions, Query, Row, StorageFault, TableError,
};

use crate::embedded::{
    queries::fill,
    support::{age, put, table},
};

/// Returns a small closed store as bytes, and its rows by key.
pub(crate) fn small() -> (Vec<u8>, BTreeMap<String, Row>) {
    small_with(true)
}

/// Creates it with or without checksums of pages. Files of earlier versions have none.
pub(crate) fn small_with(sums: bool) -> (Vec<u8>, BTreeMap<String, Row>) {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().page_sums(sums).open_disk(disk.clone()).unwrap().blocking();
    store.create_table(&table()).unwrap();
    fill(&store, 40);
    put(&store, "00007", 7000);
    let rows = store.query(&table(), Query::new()).unwrap().rows;
    store.close().unwrap();
    (disk.bytes(), rows.into_iter().map(|row| (row.row_key.clone().unwrap(), row)).collect())
}

fn is_reported(error: &TableError) -> bool {
    matches!(error.fault(), Some(StorageFault::Corrupt { .. } | StorageFault::Io(_)))
}

/// Checks that everything read from the store is correct, or rejected with a report.
fn check(store: &BlockingStore, rows: &BTreeMap<String, Row>, what: &str) {
    match store.query(&table(), Query::new()) {
        Ok(segment) => {
            assert!(
                segment.rows.into_iter().eq(rows.values().cloned()),
                "{what}: a query returned something else"
            );
        }
        Err(error) => assert!(is_reported(&error), "{what}: {error}"),
    }
    match store.query(&table(), Query::new().descending()) {
        Ok(segment) => {
            assert!(
                segment.rows.into_iter().eq(rows.values().rev().cloned()),
                "{what}: a query in descending order returned something else"
            );
        }
        Err(error) => assert!(is_reported(&error), "{what}: {error}"),
    }
    for key in ["00000", "00007", "00039"] {
        match store.get(&table(), "Sales", key, None) {
            Ok(found) => assert_eq!(found.as_ref(), rows.get(key), "{what}: {key}"),
            Err(error) => assert!(is_reported(&error), "{what}: {error}"),
        }
    }
}

/// Changes single bytes and reads everything. Returns the number of rejected stores, and of opened ones.
fn change_bytes(places: impl Fn(&[u8], usize) -> bool) -> (usize, usize) {
    let (bytes, rows) = small_with(false);
    let (mut refused, mut harmless) = (0, 0);
    for (turn, at) in (0..bytes.len()).filter(|at| places(&bytes, *at)).enumerate() {
        let mut changed = bytes.clone();
        changed[at] ^= [0x01, 0x80, 0xff, 0x10][turn % 4];
        let disk = MemoryDisk::with_bytes(changed.clone());
        match OpenOptions::new().open_disk(disk.clone()) {
            Ok(store) => {
                harmless += 1;
                check(&store.blocking(), &rows, &format!("byte {at}"));
            }
            Err(error) => {
                refused += 1;
                let known = matches!(
                    error,
                    OpenError::Damaged { .. } | OpenError::NotOurs { .. } | OpenError::Newer { .. }
                );
                assert!(known, "byte {at}: {error}");
                assert!(disk.bytes() == changed, "byte {at}: the refused store was changed");
            }
        }
    }
    (refused, harmless)
}

#[test]
fn a_changed_byte_is_refused_at_opening_or_does_not_matter() {
    // Every used byte of the first pages, and some bytes of the others: used bytes, and some zeros.
    let (refused, harmless) = change_bytes(|bytes, at| match at {
        0..64 | 508..512 | 20_480..20_816 => true,
        _ => at % 31 == 0 && (bytes[at] != 0 || at % 155_000 < 31),
    });
    assert!(refused > 200 && harmless > 0, "{refused} refused, {harmless} harmless");
}

#[test]
#[ignore = "takes minutes; run it before a release"]
fn every_changed_byte_is_refused_at_opening_or_does_not_matter() {
    let (refused, harmless) = change_bytes(|bytes, at| bytes[at] != 0 || at % 61 == 0);
    assert!(refused > 2000 && harmless > 0, "{refused} refused, {harmless} harmless");
}

#[test]
fn without_the_verification_at_opening_no_changed_record_is_returned() {
    let (bytes, rows) = small_with(false);
    let options = OpenOptions::new().verify_up_to(0);
    let mut reported = 0;
    // Only records: bytes of values that occur more than once in the file are also in old pages.
    for (at, _) in bytes.windows(8).enumerate().filter(|(_, window)| window.starts_with(b"AgeHalf")) {
        let mut changed = bytes.clone();
        changed[at + 7] ^= 0x40;
        let store = options.open_disk(MemoryDisk::with_bytes(changed)).unwrap().blocking();
        match store.query(&table(), Query::new()) {
            Ok(segment) => assert!(segment.rows.into_iter().eq(rows.values().cloned()), "byte {at}"),
            Err(error) => {
                reported += 1;
                let text = error.to_string();
                assert!(text.contains("PartitionKey `Sales`") && text.contains("checksum"), "{text}");
            }
        }
    }
    assert!(reported > 30, "{reported}");
}

#[test]
fn a_page_in_the_place_of_two_others_is_survived_without_verification() {
    const PAGE: usize = 4096;
    let (bytes, rows) = small_with(false);
    let options = OpenOptions::new().verify_up_to(0);
    let is_used = |at: &usize| bytes.iter().skip(at * PAGE).take(PAGE).any(|byte| *byte != 0);
    let pages: Vec<usize> = (0..bytes.len() / PAGE).filter(is_used).collect();
    let pairs =
        pages.iter().flat_map(|one| pages.iter().filter(move |two| one < *two).map(move |two| (*one, *two)));
    let (mut refused, mut opened) = (0, 0);
    for (from, to) in pages.iter().flat_map(|from| pairs.clone().map(move |to| (*from, to))) {
        let mut changed = bytes.clone();
        for to in [to.0, to.1] {
            changed.copy_within(from * PAGE..(from + 1) * PAGE, to * PAGE);
        }
        let disk = MemoryDisk::with_bytes(changed.clone());
        let Ok(store) = options.open_disk(disk.clone()) else {
            refused += 1;
            assert!(disk.bytes() == changed, "page {from} at {to:?}: the refused store was changed");
            continue;
        };
        opened += 1;
        match store.blocking().query(&table(), Query::new()) {
            // Rows may be missing, or in the state of an earlier page, but never invented.
            Ok(segment) => {
                for row in segment.rows {
                    let known = rows.get(row.row_key.as_deref().unwrap());
                    assert!(
                        known == Some(&row) || row.row_key.as_deref() == Some("00007"),
                        "page {from} at {to:?}: {row:?}"
                    );
                }
            }
            Err(error) => {
                assert!(
                    is_reported(&error) || error.code() == ErrorCode::TableNotFound,
                    "page {from} at {to:?}: {error}"
                );
            }
        }
    }
    assert!(refused > 20 && opened > 20, "{refused} refused, {opened} opened");
}

#[test]
fn a_damaged_record_can_be_replaced() {
    let (bytes, _) = small_with(false);
    let at = bytes.windows(4).rposition(|window| window == 7000_i32.to_le_bytes()).unwrap();
    let mut changed = bytes;
    changed[at] ^= 1;
    let store =
        OpenOptions::new().verify_up_to(0).open_disk(MemoryDisk::with_bytes(changed)).unwrap().blocking();
    assert!(is_reported(&store.get(&table(), "Sales", "00007", None).unwrap_err()));
    let merge = table_store::Operation::InsertOrMerge(crate::embedded::support::entity("00007", 1));
    assert!(is_reported(&store.execute(&table(), merge).unwrap_err()));
    assert_eq!(age(&store, "00008"), Some(8), "its neighbour is well");
    put(&store, "00007", 1);
    assert_eq!(age(&store, "00007"), Some(1));
}

#[test]
fn a_file_that_was_cut_off_is_refused() {
    let (bytes, _) = small();
    for len in (1..bytes.len()).step_by(4096).chain((1..bytes.len()).step_by(3333)).chain([bytes.len() - 1]) {
        let cut = bytes[..len].to_vec();
        let disk = MemoryDisk::with_bytes(cut.clone());
        let error = OpenOptions::new().open_disk(disk.clone()).unwrap_err();
        assert!(matches!(error, OpenError::Damaged { .. }), "{len}: {error}");
        assert!(disk.bytes() == cut, "{len}: the refused store was changed");
    }
}
