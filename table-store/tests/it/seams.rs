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
mod tree;

use std::sync::atomic::Ordering;

use table_store::{MemoryDisk, OpenOptions, StorageFault};

use self::{
    counting::{Counters, Counting},
    plain_disk::PlainDisk,
    program::{change, contents},
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
    assert!(matches!(refused.fault(), Some(StorageFault::DiskFull)), "{refused}");
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
