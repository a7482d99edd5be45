//! Measurements of commits and syncs.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use table_store::{GroupCommit, OpenOptions, Operation, StoreObserver};

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

#[derive(Debug)]
struct Broken;

impl StoreObserver for Broken {
    fn committed(&self, _: &GroupCommit) {
        panic!("a broken observer")
    }

    fn synced(&self, _: Duration) {
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
