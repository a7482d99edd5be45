//! A disk that is full or fails: typed faults, no partial writes, and automatic recovery.

use std::io::ErrorKind;

use table_store::{BlockingStore, OpenOptions, Operation, StorageFault};

use crate::embedded::support::{TestDisk, age, entity, on_disk, put, table};

fn big(row: usize) -> Operation {
    let age = i32::try_from(row).unwrap();
    Operation::InsertOrReplace(entity(&format!("{row:04}"), age).with("Data", vec![7_u8; 60_000]))
}

fn on(disk: &TestDisk) -> BlockingStore {
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    store
}

#[test]
fn a_full_disk_refuses_writes_keeps_reads_and_recovers_by_itself() {
    let disk = TestDisk::new();
    let store = on(&disk);
    put(&store, "a", 1);
    disk.limit(Some(1 << 20));
    let mut written = 0;
    let error = loop {
        match store.execute(&table(), big(written)) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 10_000, "the disk never got full");
    };
    assert!(matches!(error.fault(), Some(StorageFault::DiskFull { .. })), "{error}");
    for _ in 0..3 {
        let error = store.execute(&table(), big(written)).unwrap_err();
        assert!(matches!(error.fault(), Some(StorageFault::DiskFull { .. })), "{error}");
        assert_eq!(age(&store, "a"), Some(1));
    }
    for row in 0..written {
        assert_eq!(age(&store, &format!("{row:04}")), i32::try_from(row).ok(), "an acknowledged row");
    }
    assert_eq!(age(&store, &format!("{written:04}")), None);

    disk.limit(None);
    store.execute(&table(), big(written)).unwrap();
    store.close().unwrap();
    let store = on_disk(disk);
    assert_eq!(age(&store, &format!("{written:04}")), i32::try_from(written).ok());
}

#[test]
fn whichever_call_of_the_disk_fails_a_write_is_whole_or_absent_and_the_store_goes_on() {
    for kind in [ErrorKind::Other, ErrorKind::StorageFull] {
        for nth in 0.. {
            let disk = TestDisk::new();
            let store = on(&disk);
            put(&store, "a", 1);
            let (_, before) = disk.counts();
            disk.fail_after(nth, kind, true);
            let rows =
                vec![Operation::InsertOrReplace(entity("b", 2)), Operation::InsertOrReplace(entity("c", 3))];
            let result = store.transact(&table(), rows);
            let (_, after) = disk.counts();
            disk.heal();
            if let Err(error) = &result {
                let full = matches!(error.fault(), Some(StorageFault::DiskFull { .. }));
                let io = matches!(error.fault(), Some(StorageFault::Io(_)));
                assert!(if kind == ErrorKind::StorageFull { full } else { io }, "call {nth}: {error}");
            }
            let seen = (age(&store, "b"), age(&store, "c"));
            assert!(seen == (None, None) || seen == (Some(2), Some(3)), "call {nth}: {seen:?}");
            if result.is_ok() {
                assert_eq!(seen, (Some(2), Some(3)), "call {nth}");
            }
            put(&store, "d", 4);
            store.close().unwrap();
            let again = on_disk(disk);
            assert_eq!((age(&again, "a"), age(&again, "d")), (Some(1), Some(4)));
            assert_eq!((age(&again, "b"), age(&again, "c")), seen, "call {nth}: what was seen stays");
            if nth > after - before {
                break;
            }
        }
    }
}

#[test]
fn a_disk_that_stays_broken_fails_every_write_and_serves_again_once_it_is_well() {
    let disk = TestDisk::new();
    let store = on(&disk);
    put(&store, "a", 1);
    disk.fail_after(0, ErrorKind::Other, false);
    for _ in 0..4 {
        assert!(matches!(store.execute(&table(), big(1)).unwrap_err().fault(), Some(StorageFault::Io(_))));
    }
    disk.heal();
    assert_eq!(age(&store, "a"), Some(1));
    put(&store, "b", 2);
    assert_eq!(age(&store, "b"), Some(2));
}

#[test]
fn a_sweep_that_fails_tells_who_waits_and_goes_on_later() {
    let disk = TestDisk::new();
    let store = on(&disk);
    crate::embedded::queries::fill(&store, 400);
    disk.hold();
    let handle = store.clone();
    let deletion = std::thread::spawn(move || handle.delete_table(&table()));
    disk.until_waiting();
    // The two syncs of the deletion succeed, all later ones fail.
    disk.fail_after(1, ErrorKind::Other, false);
    disk.release();
    let deleted = deletion.join().unwrap();
    if deleted.is_ok() {
        assert!(store.swept().is_err());
    }
    disk.heal();
    if deleted.is_err() {
        let _ = store.delete_table(&table());
    }
    store.swept().unwrap();
    store.create_table(&table()).unwrap();
    assert_eq!(store.query(&table(), table_store::Query::new()).unwrap().rows.len(), 0);
}

#[test]
fn creation_on_a_failing_disk_is_an_error_at_every_call() {
    for nth in 0.. {
        let disk = TestDisk::new();
        disk.fail_after(nth, ErrorKind::StorageFull, false);
        match OpenOptions::new().open_disk(disk.clone()) {
            Ok(store) => {
                disk.heal();
                store.blocking().create_table(&table()).unwrap();
                return;
            }
            Err(error) => assert!(error.to_string().contains("no space"), "call {nth}: {error}"),
        }
        assert!(nth < 1000, "creation never succeeds");
    }
}
