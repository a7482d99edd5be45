//! The log next to the file of a store.

use std::{fs, path::Path};

use table_store::{LogMode, OpenError, OpenOptions, Operation, Query, StorageFault, Store};

use crate::embedded::support::{age, entity, put, table};

/// Copies a store that is open, with its log, as it is found after the end of its process. Returns the number of files.
fn killed(from: &Path, to: &Path) -> usize {
    let names = ["company.tables", "company.tables-log"];
    names.iter().filter(|name| fs::copy(from.join(name), to.join(name)).is_ok()).count()
}

/// Opens the store without a thread, which could write to the file while it is copied.
fn open_to_kill(folder: &Path) -> Store {
    OpenOptions::new().log_mode(LogMode::Inline).open(folder.join("company.tables")).unwrap()
}

fn rows(store: &Store) -> usize {
    store.blocking().query(&table(), Query::new()).unwrap().rows.len()
}

#[test]
fn a_store_in_use_has_a_private_log_that_its_close_deletes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    let log = folder.path().join("company.tables-log");
    let store = Store::open(&path).unwrap().blocking();
    store.create_table(&table()).unwrap();
    put(&store, "a", 1);
    assert!(!log.exists(), "few commits need no log");
    for number in 0..10 {
        put(&store, "b", number);
    }
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&log).unwrap().permissions()) & 0o777,
        0o600
    );
    assert!(fs::metadata(&log).unwrap().len() < 1 << 20, "the log grows with its use");
    store.close().unwrap();
    assert!(!log.exists());
    assert_eq!(age(&Store::open(&path).unwrap().blocking(), "b"), Some(9));
}

#[test]
fn every_command_sees_the_log_of_a_store_that_was_not_closed() {
    let [folder, copies] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let store = open_to_kill(folder.path());
    store.blocking().create_table(&table()).unwrap();
    for number in 0..30 {
        put(&store.blocking(), &format!("{number:02}"), number);
    }
    let path = copies.path().join("company.tables");
    let kill = || assert_eq!(killed(folder.path(), copies.path()), 2);

    kill();
    let report = OpenOptions::new().scrub(&path).unwrap();
    assert!(report.is_sound() && report.entities == 30, "{report}");

    let opened = Store::open(&path).unwrap();
    assert_eq!(rows(&opened), 30);
    put(&opened.blocking(), "new", 1);
    opened.blocking().close().unwrap();
    assert_eq!(rows(&Store::open(&path).unwrap()), 31);

    kill();
    OpenOptions::new().compact(&path).unwrap();
    assert_eq!(rows(&Store::open(&path).unwrap()), 30);

    let copy = copies.path().join("backup");
    store.blocking().backup(&copy).unwrap();
    assert_eq!(rows(&Store::open(&copy).unwrap()), 30);

    kill();
    fs::remove_file(copies.path().join("company.tables-log")).unwrap();
    let before = fs::read(&path).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::LogMissing { .. }), "{error}");
    assert!(error.to_string().contains("-log, does not exist, or is empty; put it back"), "{error}");
    assert!(fs::read(&path).unwrap() == before, "the rejected file was changed");
    let report = OpenOptions::new().scrub(&path).unwrap();
    assert!(!report.is_sound(), "{report}");
}

#[test]
fn a_file_that_only_has_the_name_of_the_log_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    let store = Store::open(&path).unwrap().blocking();
    store.create_table(&table()).unwrap();
    store.close().unwrap();
    let log = folder.path().join("company.tables-log");
    for len in [20, 4_096, 8_192, 12_000] {
        let content = &"notes of last week ".repeat(700)[..len];
        fs::write(&log, content).unwrap();
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, OpenError::StrayLog { .. }), "{error}");
        assert!(error.to_string().contains("-log is not the log of a store; move it"), "{error}");
        assert_eq!(fs::read_to_string(&log).unwrap(), content);
        let report = OpenOptions::new().scrub(&path).unwrap();
        assert!(
            !report.is_sound() && report.to_string().contains("not the log of a store; move it"),
            "{report}"
        );
    }
    fs::remove_file(&log).unwrap();
    Store::open(&path).unwrap();
}

/// A store was moved without its log. A new store at its place must not delete the log.
#[test]
fn a_log_without_its_store_is_kept() {
    let [folder, copies] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let store = open_to_kill(folder.path());
    store.blocking().create_table(&table()).unwrap();
    put(&store.blocking(), "a", 1);
    assert_eq!(killed(folder.path(), copies.path()), 2);
    let [path, elsewhere] = ["company.tables", "elsewhere"].map(|name| copies.path().join(name));
    fs::rename(&path, &elsewhere).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::StrayLog { .. }), "{error}");
    let error = store.blocking().backup(&path).unwrap_err();
    assert!(error.to_string().contains("-log is the log of a store that does not exist"), "{error}");
    fs::rename(&elsewhere, &path).unwrap();
    assert_eq!(rows(&Store::open(&path).unwrap()), 1);
}

#[test]
fn commits_that_wait_for_the_file_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_to_kill(folder.path()).blocking();
    store.create_table(&table()).unwrap();
    put(&store, "a", 1);
    assert_eq!(store.stats().log_waits, 0);
    // Each commit is one block, and each part of the log has room for 14 of them.
    for number in 0..35 {
        put(&store, "a", number);
    }
    assert_eq!(store.stats().log_waits, 1);
}

/// A damaged frame in the middle: its commit was acknowledged, so the store must not be opened without it.
#[test]
fn a_damaged_log_is_reported() {
    let [folder, copies] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let store = open_to_kill(folder.path()).blocking();
    store.create_table(&table()).unwrap();
    for number in 0..20 {
        put(&store, &format!("{number:02}"), number);
    }
    assert_eq!(killed(folder.path(), copies.path()), 2);
    let log = copies.path().join("company.tables-log");
    let mut bytes = fs::read(&log).unwrap();
    bytes[5 * 4096 + 70] ^= 4;
    fs::write(&log, bytes).unwrap();
    let path = copies.path().join("company.tables");
    let error = Store::open(&path).unwrap_err();
    let OpenError::LogDamaged { what, .. } = &error else { panic!("{error}") };
    assert!(
        what.contains("is damaged or missing") && error.to_string().contains("restore a backup"),
        "{error}"
    );
    let report = OpenOptions::new().scrub(&path).unwrap();
    assert!(!report.is_sound() && report.to_string().contains("the log"), "{report}");
}

/// A copy without the lost commits is made only on request, and names them.
#[test]
fn an_operator_can_accept_a_lost_log() {
    let [folder, copies] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let store = open_to_kill(folder.path()).blocking();
    store.create_table(&table()).unwrap();
    for number in 0..9 {
        put(&store, &format!("{number:02}"), number);
    }
    let [path, log, copy] =
        ["company.tables", "company.tables-log", "copy"].map(|name| copies.path().join(name));
    let accept = |len: Option<u64>| {
        assert_eq!(killed(folder.path(), copies.path()), 2);
        match len {
            Some(len) => fs::File::options().write(true).open(&log).unwrap().set_len(len).unwrap(),
            None => fs::remove_file(&log).unwrap(),
        }
        let before = fs::read(&path).unwrap();
        let accepted = OpenOptions::new().accept_lost_log(&path, &copy).unwrap();
        assert!(fs::read(&path).unwrap() == before && log.exists() == len.is_some(), "changed");
        let opened = Store::open(&copy).unwrap();
        let tables = opened.blocking().list_tables(table_store::service::ListTables::default()).unwrap();
        let rows = if tables.tables.is_empty() { 0 } else { rows(&opened) };
        drop(opened);
        fs::remove_file(&copy).unwrap();
        (accepted, rows)
    };
    let len = fs::metadata(folder.path().join("company.tables-log")).unwrap().len();
    let (whole, rows) = accept(Some(len));
    assert_eq!((whole.lost, rows), (None, 9));
    // Two heads, the creation of the table, and five rows.
    let (part, rows) = accept(Some(8 * 4_096));
    let lost = part.lost.unwrap();
    assert_eq!((lost.after, rows), (6, 5), "{lost:?}");
    assert!(lost.reason.contains("bytes"), "{lost:?}");
    assert!(Store::open(&path).unwrap_err().to_string().contains("--accept-lost-log"));
    let (none, rows) = accept(None);
    let lost = none.lost.unwrap();
    assert_eq!((lost.after, rows), (0, 0), "{lost:?}");
    assert!(lost.reason.contains("does not exist"), "{lost:?}");
}

/// Large groups go to the file together with the rows of the log.
#[test]
fn large_and_small_writes_are_read_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("company.tables");
    let store = Store::open(&path).unwrap().blocking();
    store.create_table(&table()).unwrap();
    for number in 0..40 {
        let large = number % 7 == 3;
        let write = |part: i32| {
            let data = vec![u8::try_from(number).unwrap(); if large { 60_000 } else { 20 }];
            Operation::InsertOrReplace(entity(&format!("{part:02}"), number).with("Data", data))
        };
        let parts = if large { 50 } else { 3 };
        store.transact(&table(), (0..parts).map(write).collect::<Vec<_>>()).unwrap();
        assert_eq!(age(&store, "01"), Some(number));
    }
    assert_eq!(store.query(&table(), Query::new()).unwrap().rows.len(), 50);
    store.close().unwrap();
    let closed = store.query(&table(), Query::new()).unwrap_err();
    assert!(matches!(closed.fault(), Some(StorageFault::Closed)), "{closed}");
    let store = Store::open(&path).unwrap().blocking();
    assert_eq!((age(&store, "01"), age(&store, "40")), (Some(39), Some(38)));
}
