//! Backups of a running store, and compaction of a closed one.

use std::{
    fs,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use table_store::{
    BlockingStore, Condition, Entity, Filter, MemoryDisk, OpenError, OpenOptions, Operation, Query, Store,
    TableName,
};

use crate::embedded::{
    crashes::Dice,
    support::{HandClock, age, entity, on_disk, put, table, with_table},
};

/// Latest acknowledged number of each writer.
type Acknowledged = [AtomicU64; 3];

/// Writes the numbers from 1, each as two related rows, and replaces a third row.
fn write(store: &BlockingStore, writer: u64, acknowledged: &AtomicU64, stop: &AtomicBool) {
    for number in (1_u64..).take_while(|_| !stop.load(Ordering::Relaxed)) {
        let row = |row: String| Entity::new(writer.to_string(), row).with("Number", number.cast_signed());
        let pair = ["credit", "debit"].map(|side| Operation::Insert(row(format!("{number:08} {side}"))));
        let last = Operation::InsertOrReplace(row("last".to_owned()));
        store.transact(&table(), [pair.to_vec(), vec![last]].concat()).unwrap();
        acknowledged.store(number, Ordering::Release);
    }
}

/// Returns the count of a writer's numbers. They must be the first ones and complete.
fn numbers(store: &BlockingStore, writer: u64) -> u64 {
    let mut rows = Vec::new();
    let filter = Filter::eq("PartitionKey", writer.to_string());
    let mut query = Query::new().filter(filter.clone());
    loop {
        let segment = store.query(&table(), query).unwrap();
        rows.extend(segment.rows.into_iter().map(|row| (row.row_key.unwrap(), row.properties)));
        let Some(next) = segment.continuation else { break };
        query = Query::new().filter(filter.clone()).continuation(next);
    }
    let Some((_, last)) = rows.pop() else { return 0 };
    let expected = (1_u64..=rows.len() as u64 / 2)
        .flat_map(|number| ["credit", "debit"].map(|side| format!("{number:08} {side}")));
    assert!(rows.iter().map(|(key, _)| key.clone()).eq(expected), "writer {writer}");
    let count = rows.len() as u64 / 2;
    assert_eq!(last.get("Number"), Some(&count.cast_signed().into()), "writer {writer}");
    count
}

#[test]
fn a_copy_made_while_others_write_holds_what_was_acknowledged_before_and_whole_transactions() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("company.tables")).unwrap().blocking();
    store.create_table(&table()).unwrap();
    let (acknowledged, stop) = (Acknowledged::default(), AtomicBool::new(false));
    let mut dice = Dice(7);
    thread::scope(|scope| {
        for (writer, acknowledged) in (0..).zip(&acknowledged) {
            let (store, stop) = (store.clone(), &stop);
            scope.spawn(move || write(&store, writer, acknowledged, stop));
        }
        let mut goal = 0;
        for copy in 0..4 {
            goal += 1 + dice.roll(20);
            while acknowledged.iter().any(|number| number.load(Ordering::Acquire) < goal) {
                thread::yield_now();
            }
            let before = acknowledged.each_ref().map(|number| number.load(Ordering::Acquire));
            let path = folder.path().join(format!("{copy}.tables"));
            store.backup(&path).unwrap();
            // Each writer has at most one transaction in flight.
            let after = acknowledged.each_ref().map(|number| number.load(Ordering::Acquire) + 1);
            assert!(OpenOptions::new().scrub(&path).unwrap().is_sound());
            let copy = Store::open(&path).unwrap().blocking();
            for ((writer, before), after) in (0..).zip(before).zip(after) {
                let found = numbers(&copy, writer);
                assert!((before..=after).contains(&found), "{before} to {after}, found {found}");
            }
            put(&copy, "1", 1);
            assert_eq!(age(&copy, "1"), Some(1));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_copy_goes_on_where_the_store_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.tables");
    let clock = |time| OpenOptions::new().clock(HandClock::at(time));
    let store = with_table(&clock("2026-11-21T12:00:00Z"));
    for row in ["1", "2", "3"] {
        put(&store, row, 1);
    }
    let page = store.query(&table(), Query::new().top(2)).unwrap();
    let last = store.get(&table(), "Sales", "3", None).unwrap().unwrap();
    store.backup(&path).unwrap();

    // The clock of the copy is behind.
    let copy = clock("2020-01-01T00:00:00Z").open(&path).unwrap().blocking();
    let rest = copy.query(&table(), Query::new().continuation(page.continuation.unwrap())).unwrap();
    assert_eq!(rest.rows.len(), 1, "a token of the store goes on in the copy");
    assert_eq!(copy.get(&table(), "Sales", "3", None).unwrap().unwrap(), last);
    put(&copy, "4", 1);
    let next = copy.get(&table(), "Sales", "4", None).unwrap().unwrap();
    assert!(next.timestamp > last.timestamp);
}

fn dropped() -> TableName {
    "Dropped".parse().unwrap()
}

/// Writes rows of several sizes, deletes nine of ten of them, and creates a second table.
fn used(store: &BlockingStore) {
    store.create_table(&table()).unwrap();
    store.create_table(&dropped()).unwrap();
    let key = |row: &usize| format!("{row:05}");
    let insert = |row| entity(&key(&row), 7).with("Text", "x".repeat(row % 7 * 1_000));
    let delete = |row| Operation::Delete {
        partition_key: "Sales".to_owned(),
        row_key: key(&row),
        condition: Condition::Exists,
    };
    for first in (0..600).step_by(100) {
        let rows = first..first + 100;
        let inserts: Vec<_> = rows.clone().map(insert).map(Operation::Insert).collect();
        store.transact(&dropped(), &inserts).unwrap();
        store.transact(&table(), &inserts).unwrap();
        let deletes: Vec<_> = rows.filter(|row| row % 10 != 0).map(delete).collect();
        store.transact(&table(), deletes).unwrap();
    }
}

#[test]
fn a_compaction_gives_the_space_of_what_was_deleted_back_and_keeps_all_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    let store = Store::open(&path).unwrap().blocking();
    used(&store);
    let before = store.query(&table(), Query::new()).unwrap();
    store.delete_table(&dropped()).unwrap();
    assert!(matches!(OpenOptions::new().compact(&path), Err(OpenError::Locked { .. })));
    store.close().unwrap();

    let compaction = OpenOptions::new().compact(&path).unwrap();
    assert_eq!(compaction.bytes_after, fs::metadata(&path).unwrap().len());
    assert!(compaction.bytes_after * 4 < compaction.bytes_before, "{compaction:?}");
    let report = OpenOptions::new().scrub(&path).unwrap();
    assert!(report.is_sound() && report.deleted == 0 && report.entities == 60, "{report}");
    let store = Store::open(&path).unwrap().blocking();
    let after = store.query(&table(), Query::new()).unwrap();
    assert!(before.rows.into_iter().eq(after.rows));
    put(&store, "00001", 8);
    assert_eq!(age(&store, "00001"), Some(8));
    store.close().unwrap();
}

/// Closing allocates pages too, which must not extend the file again.
#[test]
fn a_compaction_never_makes_a_file_longer_nor_one_of_a_backup_shorter() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["company.tables", "copy.tables"].map(|name| folder.path().join(name));
    let store = Store::open(&path).unwrap().blocking();
    used(&store);
    let made = store.backup(&copy).unwrap();
    store.close().unwrap();
    for _ in 0..2 {
        let done = OpenOptions::new().compact(&path).unwrap();
        assert!(done.bytes_after <= done.bytes_before, "{done:?}");
        assert!(made.file_bytes <= done.bytes_after, "{made:?}, {done:?}");
    }
    let again = OpenOptions::new().compact(&copy).unwrap();
    assert!(again.bytes_before == made.file_bytes && again.bytes_after == made.file_bytes, "{again:?}");
}

#[test]
fn only_a_sound_store_is_compacted_and_all_else_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    assert!(matches!(OpenOptions::new().compact(&path), Err(OpenError::Missing { .. })));
    fs::write(&path, "Name;Age\n".repeat(2_000)).unwrap();
    assert!(matches!(OpenOptions::new().compact(&path), Err(OpenError::NotOurs { .. })));

    let disk = MemoryDisk::new();
    let store = on_disk(disk.clone());
    used(&store);
    store.close().unwrap();
    let mut dice = Dice(3);
    for _ in 0..20 {
        let mut bytes = disk.bytes();
        // A position after the head, in used pages.
        let at = 6 * 4_096 + usize::try_from(dice.roll(bytes.len() as u64 - 6 * 4_096)).unwrap();
        bytes[at] ^= 0x40;
        let damaged = MemoryDisk::with_bytes(bytes.clone());
        match OpenOptions::new().compact_disk(damaged.clone()) {
            Err(OpenError::Damaged { .. }) => assert!(damaged.bytes() == bytes),
            Err(error) => panic!("{error}"),
            // The position was unused.
            Ok(_) => {
                let store = on_disk(damaged);
                assert_eq!(store.query(&table(), Query::new()).unwrap().rows.len(), 60);
            }
        }
    }
}
