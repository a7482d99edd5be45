//! Files: creation, locks and rejection. A rejected file is unchanged.

use std::{fs, path::Path};

use table_model::StorageFault;
use table_store::{BlockingStore, LogMode, MemoryDisk, OpenError, OpenOptions, Store};

use crate::embedded::support::{age, put, table};

fn created(path: &Path) -> BlockingStore {
    let store = Store::open(path).unwrap().blocking();
    store.create_table(&table()).unwrap();
    put(&store, "1", 1);
    store
}

fn names(directory: &Path) -> Vec<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Checks that opening is rejected and changes nothing.
fn refused(path: &Path) -> OpenError {
    let before = fs::read(path).ok();
    let error = OpenOptions::new().open(path).unwrap_err();
    assert_eq!(fs::read(path).ok(), before, "{error}");
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error} says where");
    error
}

#[test]
fn a_store_is_one_private_file_and_nothing_else_is_left_beside_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("company.tables");
    let store = created(&path);
    assert_eq!(names(directory.path()), ["company.tables"]);
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777,
        0o600
    );
    assert_eq!(store.stats().file_bytes, Some(fs::metadata(&path).unwrap().len()));
    drop(store);
    assert_eq!(names(directory.path()), ["company.tables"]);
    assert_eq!(age(&Store::open(&path).unwrap().blocking(), "1"), Some(1));
}

#[test]
fn a_store_that_is_only_read_is_not_changed_and_has_the_rows_of_its_log() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().log_mode(LogMode::Inline).open_disk(disk.clone()).unwrap().blocking();
    store.create_table(&table()).unwrap();
    (0..20).for_each(|number| put(&store, &number.to_string(), number));
    let unclosed = disk.copied();
    let before = unclosed.copied();
    let options = OpenOptions::new().read_only(true);
    let reader = options.open_disk(unclosed.clone()).unwrap().blocking();
    (0..20).for_each(|number| assert_eq!(age(&reader, &number.to_string()), Some(number)));
    let error = reader.create_table(&"Later".parse().unwrap()).unwrap_err();
    assert!(matches!(error.fault(), Some(StorageFault::ReadOnly)), "{error}");
    assert!(!error.is_outcome_unknown(), "{error}");
    // Maintenance that finds nothing to change is no error.
    reader.swept().unwrap();
    reader.flush().unwrap();
    assert!(reader.scrub().unwrap().is_sound());
    reader.close().unwrap();
    assert!(unclosed.bytes() == before.bytes());
    assert!(OpenOptions::new().open_disk(unclosed).is_ok(), "its log still exists");
    assert!(options.open_disk(MemoryDisk::new()).is_err());

    assert!(matches!(options.open(&path).unwrap_err(), OpenError::Missing { .. }));
    created(&path).close().unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let readers = [options.open(&path).unwrap().blocking(), options.open(&path).unwrap().blocking()];
    assert!(readers.iter().all(|reader| age(reader, "1") == Some(1)));
    assert!(readers.iter().all(|reader| reader.close().is_ok()));
    assert!(fs::read(&path).unwrap() == bytes);
    assert_eq!(names(directory.path()), ["a.tables"]);
}

#[test]
fn deleted_data_is_not_swept_by_a_store_that_is_only_read() {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    // The store sweeps in the background. Only a copy that is made before the end of the sweep has something to sweep.
    let refused = (0..50).find_map(|_| {
        store.create_table(&table()).unwrap();
        (0..3_000).for_each(|number| put(&store, &number.to_string(), number));
        store.delete_table(&table()).unwrap();
        let unclosed = disk.copied();
        OpenOptions::new().read_only(true).open_disk(unclosed).unwrap().blocking().swept().err()
    });
    let error = refused.unwrap().to_string();
    assert!(error.contains("for reading only"), "{error}");
    store.swept().unwrap();
    store.close().unwrap();
    OpenOptions::new().read_only(true).open_disk(disk).unwrap().blocking().swept().unwrap();
}

#[test]
fn a_store_in_use_is_locked_until_it_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    let store = created(&path);
    assert!(matches!(OpenOptions::new().open(&path).unwrap_err(), OpenError::Locked { .. }));
    let clone = store.clone();
    store.close().unwrap();
    assert_eq!(age(&Store::open(&path).unwrap().blocking(), "1"), Some(1));
    drop(clone);
    drop(Store::open(&path).unwrap());
    drop(Store::open(&path).unwrap());
}

#[test]
fn one_of_many_that_open_a_new_store_at_once_gets_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    let opened: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| Store::open(&path))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (stores, errors): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert_eq!(stores.len(), 1);
    for error in errors {
        assert!(matches!(error, Err(OpenError::Locked { .. })), "{error:?}");
    }
    assert_eq!(names(directory.path()), ["a.tables"]);
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    fs::create_dir(&path).unwrap();
    assert!(matches!(refused(&path), OpenError::NotAFile { found: "a directory", .. }));
    #[cfg(unix)]
    {
        let real = directory.path().join("real.tables");
        drop(created(&real));
        let link = directory.path().join("link.tables");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(refused(&link), OpenError::NotAFile { found: "a symbolic link", .. }));
    }
}

#[test]
fn what_is_not_ours_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    for content in ["".as_bytes(), b"x", b"TABLE", &[0; 10_000], "Name;Age\n".repeat(2000).as_bytes()] {
        fs::write(&path, content).unwrap();
        let error = refused(&path);
        // The first letters alone may belong to a truncated store.
        let fits = match content {
            b"TABLE" => matches!(error, OpenError::Damaged { .. }),
            _ => matches!(error, OpenError::NotOurs { .. }),
        };
        assert!(fits, "{error}");
    }
}

#[test]
fn a_missing_store_is_created_only_where_that_is_wanted_and_possible() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    assert!(matches!(OpenOptions::new().create(false).open(&path).unwrap_err(), OpenError::Missing { .. }));
    assert_eq!(names(directory.path()).len(), 0);
    let nowhere = directory.path().join("missing").join("a.tables");
    assert!(matches!(Store::open(&nowhere).unwrap_err(), OpenError::Missing { .. }));
}

#[cfg(unix)]
#[test]
fn a_file_or_directory_that_may_not_be_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    drop(created(&path));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o500)).unwrap();
    // Root is not restricted by permissions, so the test is skipped for root.
    let may_do_all = fs::write(directory.path().join("probe"), "").is_ok();
    if !may_do_all {
        assert!(matches!(refused(&path), OpenError::Denied { .. }));
        assert!(matches!(
            Store::open(directory.path().join("b.tables")).unwrap_err(),
            OpenError::Denied { .. }
        ));
    }
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_later_format_is_refused_by_number() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.tables");
    drop(created(&path));
    let mut bytes = fs::read(&path).unwrap();
    bytes[16..20].copy_from_slice(&7_u32.to_le_bytes());
    // The checksum matches, so that only the version is invalid.
    let sum = crc32c::crc32c_append(crc32c::crc32c(&[0; 8]), &bytes[..508]);
    bytes[508..512].copy_from_slice(&sum.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let error = refused(&path);
    assert!(matches!(error, OpenError::Newer { found: 7, known: 1, .. }), "{error}");
}

/// A write after the deletion or truncation of an open file would be lost at the end of the process.
#[cfg(unix)]
#[test]
fn a_file_that_is_deleted_or_truncated_while_it_is_open_stops_writes() {
    type Harm = fn(&Path, &Path);
    let harms: [(&str, Harm); 5] = [
        ("deleted", |store, _| fs::remove_file(store).unwrap()),
        ("replaced", |store, _| {
            let other = store.with_extension("other");
            fs::write(&other, "another file").unwrap();
            fs::rename(other, store).unwrap();
        }),
        ("truncated", |store, _| {
            let file = fs::File::options().write(true).open(store).unwrap();
            file.set_len(fs::metadata(store).unwrap().len() - 1).unwrap();
        }),
        ("deleted", |_, log| fs::remove_file(log).unwrap()),
        ("truncated", |_, log| fs::File::options().write(true).open(log).unwrap().set_len(10).unwrap()),
    ];
    // With few commits the store has no log yet.
    for (number, (said, harm)) in harms.into_iter().enumerate() {
        for commits in [1, 30] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("a.tables");
            let log = directory.path().join("a.tables-log");
            let store = created(&path);
            (0..commits).for_each(|row| put(&store, &row.to_string(), row));
            assert_eq!(log.exists(), commits == 30, "{commits} commits");
            if commits == 1 && number >= 3 {
                continue;
            }
            harm(&path, &log);
            for row in ["x", "y"] {
                let operation =
                    table_store::Operation::InsertOrReplace(crate::embedded::support::entity(row, 1));
                let error = store.execute(&table(), operation).unwrap_err();
                assert!(error.to_string().contains(said), "{number}, {commits}: {error}");
            }
            // Of a truncated file, some rows are missing: they are errors.
            match store.get(&table(), "Sales", "0", None) {
                Ok(row) => assert!(row.is_some(), "{number}, {commits}"),
                Err(error) => assert!(said == "truncated", "{number}, {commits}: {error}"),
            }
            assert!(store.close().is_err(), "{number}, {commits}");
        }
    }
}

/// A copy in the place of the file or its log is another file, also if the original still has a name.
#[cfg(unix)]
#[test]
fn a_copy_in_the_place_of_an_open_file_stops_writes() {
    type Harm = fn(&Path, &Path);
    fn exchange(file: &Path) {
        let away = file.with_extension("away");
        fs::rename(file, &away).unwrap();
        fs::copy(&away, file).unwrap();
    }
    let harms: [(&str, Harm); 4] = [
        ("the log was exchanged", |_, log| exchange(log)),
        ("both were exchanged", |store, log| [store, log].into_iter().for_each(exchange)),
        ("a copy was renamed over a linked log", |_, log| {
            fs::hard_link(log, log.with_extension("snapshot")).unwrap();
            let copy = log.with_extension("copy");
            fs::copy(log, &copy).unwrap();
            fs::rename(copy, log).unwrap();
        }),
        ("a linked log was deleted", |_, log| {
            fs::hard_link(log, log.with_extension("snapshot")).unwrap();
            fs::remove_file(log).unwrap();
        }),
    ];
    for (harmed, harm) in harms {
        let directory = tempfile::tempdir().unwrap();
        let (path, log) = (directory.path().join("a.tables"), directory.path().join("a.tables-log"));
        let store = created(&path);
        (0..30).for_each(|row| put(&store, &row.to_string(), row));
        harm(&path, &log);
        let there = fs::read(&log).ok();
        let operation = table_store::Operation::InsertOrReplace(crate::embedded::support::entity("x", 1));
        let error = store.execute(&table(), operation).unwrap_err();
        assert!(error.to_string().contains("deleted or replaced"), "{harmed}: {error}");
        assert!(store.close().is_err(), "{harmed}");
        assert_eq!(fs::read(&log).ok(), there, "{harmed}: the other log is not changed");
    }
}

/// A store that was moved is written to its end. Its close leaves the log of the store that has its former path.
#[cfg(unix)]
#[test]
fn a_moved_store_does_not_delete_the_log_at_its_former_path() {
    let directory = tempfile::tempdir().unwrap();
    let (folder, away) = (directory.path().join("d"), directory.path().join("d.away"));
    fs::create_dir(&folder).unwrap();
    let (path, log) = (folder.join("a.tables"), folder.join("a.tables-log"));
    let moved = created(&path);
    (0..30).for_each(|row| put(&moved, &row.to_string(), row));
    fs::rename(&folder, &away).unwrap();
    put(&moved, "moved", 1);

    fs::create_dir(&folder).unwrap();
    let store = created(&path);
    (0..30).for_each(|row| put(&store, &row.to_string(), row));
    let operation = table_store::Operation::InsertOrReplace(crate::embedded::support::entity("x", 1));
    assert!(moved.execute(&table(), operation).is_err(), "its path belongs to another store");
    let _ = moved.close();
    assert!(log.exists());
    put(&store, "last", 1);
    store.close().unwrap();

    for (path, row) in [(path, "last"), (away.join("a.tables"), "moved")] {
        let store = Store::open(&path).unwrap().blocking();
        assert!(store.get(&table(), "Sales", row, None).unwrap().is_some(), "{row}");
    }
}

/// A file that appears at the path of a log is not part of the store.
#[test]
fn a_file_at_the_path_of_a_log_that_does_not_exist_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let (path, log) = (directory.path().join("a.tables"), directory.path().join("a.tables-log"));
    let store = created(&path);
    put(&store, "1", 1);
    fs::write(&log, "my notes").unwrap();
    store.close().unwrap();
    assert_eq!(fs::read_to_string(log).unwrap(), "my notes");
}
