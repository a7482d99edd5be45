//! Timestamps and versions: they increase and never repeat.

use std::collections::HashSet;

use table_store::{BlockingStore, Condition, MemoryDisk, OpenOptions, Operation, Timestamp};

use crate::embedded::support::{HandClock, entity, table};

fn open(disk: &MemoryDisk, clock: &HandClock) -> BlockingStore {
    OpenOptions::new().clock(clock.clone()).open_disk(disk.clone()).unwrap().blocking()
}

fn write(store: &BlockingStore) -> Timestamp {
    store.execute(&table(), Operation::InsertOrReplace(entity("1", 1))).unwrap().timestamp().unwrap()
}

#[test]
fn timestamps_rise_whatever_the_clock_does_also_across_restarts_and_crashes() {
    let clock = HandClock::at("2026-11-20T12:00:00Z");
    let disk = MemoryDisk::new();
    let mut store = open(&disk, &clock);
    store.create_table(&table()).unwrap();
    let mut last = write(&store);
    assert_eq!(last, "2026-11-20T12:00:00Z".parse().unwrap());
    let mut check = |store: &BlockingStore, what: &str| {
        for _ in 0..3 {
            let next = write(store);
            assert!(next > last, "{what}: {next} after {last}");
            last = next;
        }
    };
    check(&store, "the clock stands");
    clock.set("2020-01-01T00:00:00Z".parse().unwrap());
    check(&store, "it steps back");
    store.close().unwrap();
    store = open(&disk, &clock);
    check(&store, "a restart");
    // Simulates a crash: the store continues with the current content of the disk.
    let copy = disk.copied();
    let crashed = open(&copy, &clock);
    check(&crashed, "a crash");
    clock.set("2030-01-01T00:00:00.1234567Z".parse().unwrap());
    assert_eq!(write(&store), "2030-01-01T00:00:00.1234567Z".parse().unwrap());
}

#[test]
fn a_clean_close_leaves_no_gap() {
    let clock = HandClock::at("2026-11-20T12:00:00Z");
    let disk = MemoryDisk::new();
    let store = open(&disk, &clock);
    store.create_table(&table()).unwrap();
    let last = write(&store);
    store.close().unwrap();
    let next = write(&open(&disk, &clock));
    assert_eq!(next.ticks(), last.ticks() + 1);
}

#[test]
fn no_etag_comes_back_after_a_delete() {
    let clock = HandClock::at("2026-11-20T12:00:00Z");
    let disk = MemoryDisk::new();
    let mut store = open(&disk, &clock);
    store.create_table(&table()).unwrap();
    let mut seen = HashSet::new();
    for round in 0..60 {
        let written = store.execute(&table(), Operation::Insert(entity("1", 1))).unwrap();
        assert!(seen.insert(written.etag().unwrap().clone()), "round {round}");
        let (partition_key, row_key) = ("Sales".to_owned(), "1".to_owned());
        let condition = Condition::from(written.etag().unwrap().clone());
        store.execute(&table(), Operation::Delete { partition_key, row_key, condition }).unwrap();
        if round % 20 == 19 {
            store.close().unwrap();
            store = open(&disk, &clock);
        }
    }
}

#[test]
fn a_clock_at_either_end_of_time_does_no_harm() {
    for time in [Timestamp::MIN, Timestamp::MAX] {
        let clock = HandClock::at("2026-11-20T12:00:00Z");
        let disk = MemoryDisk::new();
        let store = open(&disk, &clock);
        store.create_table(&table()).unwrap();
        clock.set(time);
        let (first, second) = (write(&store), write(&store));
        assert!(Timestamp::MIN_STORED <= first && first < second);
        clock.set("2026-11-20T12:00:01Z".parse().unwrap());
        assert!(write(&store) > second);
        store.close().unwrap();
        assert!(write(&open(&disk, &clock)) > second);
    }
}
