//! Measurements of commits and syncs.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use table_store::{Entity, Filter, GroupCommit, OpenOptions, Operation, Query, StoreObserver, TableName};

use crate::embedded::support::{age, entity, table};

#[derive(Debug, Default)]
struct Seen {
    commits: Mutex<Vec<GroupCommit>>,
    syncs: AtomicUsize,
}

impl StoreObserver for Seen {
    fn committed(&self, commit: &GroupCommit) {
        self.commits.lock().unwrap().push(*commit);
    }

    fn synced(&self, _: Duration) {
        self.syncs.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn commits_and_syncs_are_measured() {
    let seen = Arc::new(Seen::default());
    let store = OpenOptions::new().observer(Arc::clone(&seen)).in_memory().unwrap().blocking();
    store.create_table(&table()).unwrap();
    let before = seen.syncs.load(Ordering::Relaxed);
    let operations = ["a", "b", "c"].map(|row| Operation::Insert(entity(row, 1)));
    store.transact(&table(), &operations).unwrap();
    assert!(seen.syncs.load(Ordering::Relaxed) > before);
    // Nothing is committed.
    store.execute(&table(), Operation::Insert(entity("a", 2))).unwrap_err();
    let commits = seen.commits.lock().unwrap();
    let counts: Vec<_> = commits.iter().map(|commit| (commit.requests, commit.operations)).collect();
    assert_eq!(counts, [(1, 1), (1, 3)]);
    assert!(commits.iter().all(|commit| commit.persist > Duration::ZERO), "{commits:?}");
    assert!(commits[0].bytes == 0 && commits[1].bytes > 0, "{commits:?}");
}

#[derive(Debug, Default)]
struct Partitions(Mutex<Vec<(String, u64)>>);

impl StoreObserver for Partitions {
    fn committed(&self, _: &GroupCommit) {}

    fn synced(&self, _: Duration) {}

    fn counts_partitions(&self) -> bool {
        true
    }

    fn accessed(&self, table: &TableName, partition_key: &str, entities: u64) {
        self.0.lock().unwrap().push((format!("{table}/{partition_key}"), entities));
    }
}

#[test]
fn entities_read_and_written_are_counted_by_partition() {
    let seen = Arc::new(Partitions::default());
    let store = OpenOptions::new().observer(Arc::clone(&seen)).in_memory().unwrap().blocking();
    let table: TableName = "People".parse().unwrap();
    store.create_table(&table).unwrap();
    let insert = |partition: &str, row: &str| Operation::Insert(Entity::new(partition, row));
    store.transact(&table, [insert("a", "1"), insert("a", "2")]).unwrap();
    store.execute(&table, insert("b", "1")).unwrap();
    store.execute(&table, insert("b", "1")).unwrap_err();
    store.get(&table, "a", "1", None).unwrap().unwrap();
    assert!(store.get(&table, "c", "1", None).unwrap().is_none());
    // The last two are read, and not returned.
    store.query(&table, Query { filter: Some(Filter::eq("RowKey", "3")), ..Query::default() }).unwrap();
    let seen = seen.0.lock().unwrap();
    let expected = [("People/a", 2), ("People/b", 1), ("People/a", 1), ("People/a", 2), ("People/b", 1)];
    let seen: Vec<_> = seen.iter().map(|(partition, entities)| (partition.as_str(), *entities)).collect();
    assert_eq!(seen, expected);
}

#[derive(Debug)]
struct Broken;

impl StoreObserver for Broken {
    fn committed(&self, _: &GroupCommit) {
        panic!("a broken observer")
    }

    fn synced(&self, _: Duration) {
        panic!("a broken observer")
    }

    fn counts_partitions(&self) -> bool {
        true
    }

    fn accessed(&self, _: &TableName, _: &str, _: u64) {
        panic!("a broken observer")
    }
}

#[test]
fn panics_of_an_observer_change_nothing() {
    let store = OpenOptions::new().observer(Arc::new(Broken)).in_memory().unwrap().blocking();
    store.create_table(&table()).unwrap();
    store.execute(&table(), Operation::Insert(entity("a", 1))).unwrap();
    assert_eq!(age(&store, "a"), Some(1));
    store.close().unwrap();
}
