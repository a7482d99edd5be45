//! The store on an engine and on a disk that are implemented outside of the crate, with its public items only.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper of a test fails as a test does"
)]

mod counting;
mod plain_disk;
mod program;
mod repeating;
mod tree;

use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use table_store::{
    BlockingStore, Entity, MemoryDisk, OpenOptions, Operation, Query, StorageFault, TableName,
    TableService as _,
};

use self::{
    counting::{Counters, Counting},
    plain_disk::PlainDisk,
    program::{change, contents},
    repeating::Repeating,
    tree::{Tree, TreeEngine},
};

/// What the program returns and leaves on the store's own engine and disk.
fn expected() -> (Vec<String>, Vec<String>) {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    let results = change(&store);
    store.close().unwrap();
    let reopened = OpenOptions::new().open_disk(disk).unwrap().blocking();
    (results, contents(&reopened))
}

#[test]
fn a_store_works_on_a_foreign_engine() {
    let tree = Tree::default();
    let store = OpenOptions::new().open_engine(TreeEngine::new(tree.clone())).unwrap().blocking();
    let results = change(&store);
    assert!(store.scrub().unwrap().is_sound());
    store.close().unwrap();
    assert!(matches!(store.swept().unwrap_err().fault(), Some(StorageFault::Closed)));

    let reopened = OpenOptions::new().open_engine(TreeEngine::new(tree)).unwrap().blocking();
    assert_eq!((results, contents(&reopened)), expected());
}

#[test]
fn a_store_works_on_a_foreign_disk() {
    let disk = PlainDisk::default();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    let results = change(&store);
    assert!(store.scrub().unwrap().is_sound());
    store.close().unwrap();
    assert!(disk.syncs() > 0 && disk.is_closed());

    let reopened = OpenOptions::new().open_disk(disk.reopened()).unwrap().blocking();
    assert_eq!((results, contents(&reopened)), expected());
}

#[test]
fn a_wrapper_sees_each_access_of_the_store() {
    let counters = Counters::default();
    let engine = Counting::new(TreeEngine::new(Tree::default()), counters.clone());
    let store = OpenOptions::new().open_engine(engine).unwrap().blocking();
    let results = change(&store);
    assert_eq!((results, contents(&store)), expected());
    // One more commit writes the first records of the store, before it is open.
    assert!(counters.commits.load(Ordering::Relaxed) > store.stats().commits);
    assert!(counters.reads.load(Ordering::Relaxed) > 0);
}

#[test]
fn an_engine_that_refuses_writes_keeps_its_readers() {
    let tree = Tree::default();
    let store = OpenOptions::new().open_engine(TreeEngine::new(tree.clone())).unwrap().blocking();
    change(&store);
    let before = contents(&store);
    tree.set_full(true);
    let refused = store.create_table(&"Departments".parse().unwrap()).unwrap_err();
    assert!(matches!(refused.fault(), Some(StorageFault::DiskFull { .. })), "{refused}");
    assert_eq!(contents(&store), before);
    tree.set_full(false);
    store.create_table(&"Departments".parse().unwrap()).unwrap();
}

#[test]
fn a_backup_of_a_foreign_engine_is_an_ordinary_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.tables");
    let store = OpenOptions::new().open_engine(TreeEngine::new(Tree::default())).unwrap().blocking();
    change(&store);
    store.backup(&path).unwrap();
    let copy = OpenOptions::new().open(&path).unwrap().blocking();
    assert_eq!(contents(&copy), contents(&store));
}

/// Creates a table with rows `00` to `49` in each of two partitions.
fn fifty(store: &BlockingStore) -> TableName {
    let table: TableName = "Employees".parse().unwrap();
    store.create_table(&table).unwrap();
    for partition in ["Sales", "Staff"] {
        let inserts: Vec<_> =
            (0..50).map(|row| Operation::Insert(Entity::new(partition, format!("{row:02}")))).collect();
        store.transact(&table, inserts).unwrap();
    }
    table
}

/// Returns the rows of a segment that is read in place, and whether more follow.
fn visited(store: &BlockingStore, table: &TableName, query: Query, most: usize) -> (Vec<String>, bool) {
    let mut rows = Vec::new();
    let visit = &mut |row: table_store::RowRef<'_>| {
        rows.push(format!("{}/{}", row.partition_key.unwrap(), row.row_key.unwrap()));
        if rows.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let segment = pollster::block_on(store.store().visit(table, query, visit)).unwrap();
    assert_eq!(segment.stats.returned, rows.len() as u64);
    (rows, segment.continuation.is_some())
}

#[test]
fn a_repeated_read_passes_each_row_once() {
    let fails_after = Arc::new(AtomicUsize::new(usize::MAX));
    let engine = Repeating::new(TreeEngine::new(Tree::default()), Arc::clone(&fails_after));
    let store = OpenOptions::new().open_engine(engine).unwrap().blocking();
    let table = fifty(&store);
    let (all, _) = visited(&store, &table, Query::new(), usize::MAX);
    assert_eq!(all.len(), 100);
    for left in [0, 1, 49, 50, 51, 99] {
        fails_after.store(left, Ordering::Relaxed);
        assert_eq!(visited(&store, &table, Query::new(), usize::MAX), (all.clone(), false), "after {left}");
        fails_after.store(left, Ordering::Relaxed);
        assert_eq!(store.query(&table, Query::new()).unwrap().rows.len(), 100, "after {left}");
        fails_after.store(left, Ordering::Relaxed);
        let page = visited(&store, &table, Query::new().top(60), usize::MAX);
        assert_eq!(page, (all[..60].to_vec(), true), "a page after {left}");
        fails_after.store(left, Ordering::Relaxed);
        let (back, _) = visited(&store, &table, Query::new().descending(), usize::MAX);
        assert!(back.iter().rev().eq(&all), "descending after {left}");
    }
}

#[test]
fn a_break_ends_a_segment_and_a_panic_reaches_the_caller() {
    let store = OpenOptions::new().in_memory().unwrap().blocking();
    let table = fifty(&store);
    let (rows, more) = visited(&store, &table, Query::new(), 3);
    assert_eq!(
        (rows.as_slice(), more),
        (["Sales/00", "Sales/01", "Sales/02"].map(String::from).as_slice(), false)
    );

    let visit = &mut |_: table_store::RowRef<'_>| -> ControlFlow<()> { std::panic::panic_any(7_u8) };
    let visit = || pollster::block_on(store.store().visit(&table, Query::new(), visit)).map(drop);
    let panic = catch_unwind(AssertUnwindSafe(visit)).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&7_u8));
    assert_eq!(visited(&store, &table, Query::new(), usize::MAX).0.len(), 100, "the store is still in use");
}
