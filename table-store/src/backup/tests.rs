//! A backup contains exactly the records of the store, byte for byte, or is not created.

use std::{
    fs,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    task::{Context, Waker},
};

use table_model::{
    Entity, Metadata, Operation, TableName,
    blob::{BlobAddress, PutBlob},
    queue::PutMessage,
};

use super::*;
use crate::{BlockingStore, MapStorage, MemoryDisk, Store};

type Records = Vec<(Vec<u8>, Vec<u8>)>;

/// Returns all current records, without the reserved time, which changes when a store is opened and closed.
fn records(store: &Store) -> Records {
    let all = engine::view(&*store.core().engine, |read| {
        let mut records = Records::new();
        read.scan(&[], &TableId(u32::MAX).end(), &mut |key, record| {
            records.push((key.to_vec(), record.to_vec()));
            ControlFlow::Continue(())
        })?;
        Ok(records)
    });
    let clock = TableId::META.key(b"clock");
    all.unwrap().into_iter().filter(|(key, _)| *key != clock).collect()
}

fn table() -> TableName {
    "Employees".parse().unwrap()
}

/// Writes every kind of data that a store can contain.
fn fill(store: &BlockingStore) {
    store.create_table(&table()).unwrap();
    for row in 0..300 {
        let employee = Entity::new("Sales", format!("{row:05}")).with("Text", "x".repeat(row % 97 * 40));
        store.execute(&table(), Operation::Insert(employee)).unwrap();
    }
    store.create_table(&"Gone".parse().unwrap()).unwrap();
    store.delete_table(&"Gone".parse().unwrap()).unwrap();
    let queue = "work".parse().unwrap();
    store.create_queue(&queue, Metadata::new().with("owner", "jo").unwrap()).unwrap();
    store.put_message(&queue, PutMessage::new("photo 7")).unwrap();
    let container = "photos".parse().unwrap();
    store.create_container(&container, Metadata::new()).unwrap();
    let blob = BlobAddress::new("photos", "jo.jpg").unwrap();
    store.put_blob(&blob, vec![7; 400_000].into(), PutBlob::new()).unwrap();
    store.swept().unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_copy_holds_the_same_bytes_under_the_same_keys_and_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [
        Store::open(folder.path().join("company.tables")).unwrap(),
        Store::in_memory().unwrap(),
        OpenOptions::new().open_map(MapStorage::default()).unwrap(),
    ];
    for (number, store) in stores.iter().enumerate() {
        fill(&store.blocking());
        let path = folder.path().join(format!("{number}.copy"));
        let made = store.blocking().backup(&path).unwrap();
        assert_eq!(made.file_bytes, fs::metadata(&path).unwrap().len());
        let report = OpenOptions::new().scrub(&path).unwrap();
        assert!(report.is_sound(), "{report}");

        let expected = records(store);
        assert_eq!(made.records, expected.len() as u64 + 1);
        let copy = Store::open(&path).unwrap();
        assert!(records(&copy) == expected);
    }
}

#[test]
fn a_copy_of_a_copy_is_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let store = Store::in_memory().unwrap().blocking();
    fill(&store);
    store.backup(&first).unwrap();
    // A newly opened engine reads exactly the content of the file, because no store was opened on it in between.
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::with_bytes(fs::read(&first).unwrap()));
    let engine = FileEngine::open(disk, CACHE_BYTES, Some(u64::MAX)).unwrap();
    let copy: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    to_disk(&engine, &copy, &second, true, &|| false).unwrap();
    let mut bytes = vec![0; usize::try_from(copy.len().unwrap()).unwrap()];
    copy.read(0, &mut bytes).unwrap();
    assert!(fs::read(&first).unwrap() == bytes);
}

#[test]
fn a_name_that_is_taken_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("taken");
    fs::write(&path, "mine").unwrap();
    let store = Store::in_memory().unwrap().blocking();
    assert!(matches!(store.backup(&path), Err(BackupError::Taken { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let error = store.backup(folder.path().join("none").join("copy"));
    assert!(matches!(error, Err(BackupError::NoFolder { .. })), "{error:?}");
    assert_eq!(names(folder.path()), ["taken"]);
}

#[test]
fn a_damaged_record_ends_the_copy_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let storage = MapStorage::default();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    fill(&store);
    let (key, mut record) = storage.entries().pop().unwrap();
    *record.first_mut().unwrap() ^= 1;
    storage.put(key, record);
    let error = store.backup(folder.path().join("copy")).unwrap_err();
    assert!(matches!(error, BackupError::Store(StorageFault::Corrupt { .. })), "{error}");
    assert!(error.to_string().contains("does not match its checksum"), "{error}");
    assert_eq!(names(folder.path()).len(), 0);
}

/// Cancels at each check in turn, until a copy completes.
#[test]
fn a_copy_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy");
    let store = Store::in_memory().unwrap();
    store.blocking().create_table(&table()).unwrap();
    for row in 0..3 * ROUND / 100 {
        let insert = |at| Operation::Insert(Entity::new("Sales", format!("{row:03}{at:03}")));
        store.blocking().transact(&table(), (0..100).map(insert).collect::<Vec<_>>()).unwrap();
    }
    for patience in 0.. {
        let looks = AtomicUsize::new(0);
        let made = to_file(&*store.core().engine, &OpenOptions::new(), &path, &|| {
            looks.fetch_add(1, Ordering::Relaxed) >= patience
        });
        if made.is_ok() {
            assert!(patience >= 4);
            break;
        }
        assert_eq!(names(folder.path()).len(), 0);
    }
    assert_eq!(names(folder.path()), ["copy"]);
}

/// The thread may be in any state when the future is dropped.
#[test]
fn nothing_of_a_copy_is_under_way_in_a_store_that_is_closed() {
    for _ in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::in_memory().unwrap();
        fill(&store.blocking());
        {
            let mut copying = Box::pin(store.backup(folder.path().join("copy")));
            let mut context = Context::from_waker(Waker::noop());
            assert!(copying.as_mut().poll(&mut context).is_pending());
        }
        store.blocking().close().unwrap();
        let left = names(folder.path());
        assert!(left.is_empty() || left == ["copy"], "{left:?}");
    }
}

/// The store is closed during the copy: another process could write to it from then on.
#[test]
fn a_store_that_is_closed_meanwhile_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::in_memory().unwrap();
    let closed = AtomicBool::new(false);
    let close = || {
        if !closed.swap(true, Ordering::Relaxed) {
            store.blocking().close().unwrap();
        }
        false
    };
    let error =
        to_file(&*store.core().engine, &OpenOptions::new(), &folder.path().join("copy"), &close).unwrap_err();
    assert!(matches!(error, BackupError::Store(StorageFault::Closed)), "{error}");
    assert_eq!(names(folder.path()).len(), 0);
    let error = store.blocking().backup(folder.path().join("copy")).unwrap_err();
    assert!(matches!(error, BackupError::Store(StorageFault::Closed)), "{error}");
}
