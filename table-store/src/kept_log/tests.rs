//! Restorations to every second, and logs of other stores.

mod chain;
mod damage;
mod faults;
mod power;
mod simulated_folder;
mod without_log;

use std::{
    collections::BTreeMap,
    fs,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use table_model::{
    Entity, Metadata, Operation, Query, TableName, Timestamp,
    blob::{BlobAddress, PutBlob},
    queue::{GetMessages, PutMessage},
};
use tempfile::TempDir;

use super::*;
use crate::{
    BlockingStore, Clock, MapStorage, OpenError,
    engine::{FileEngine, MemoryEngine, Persist, Read, Verdict, Write},
    file,
    keys::TableId,
    meta,
    options::LogMode,
};

type Records = BTreeMap<Vec<u8>, Vec<u8>>;

const START: i64 = 635_000_000_000_000_000;
const SECOND: i64 = 10_000_000;

#[derive(Clone, Debug)]
struct Simulated(Arc<AtomicI64>);

impl Clock for Simulated {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(self.0.load(Ordering::Relaxed)).unwrap()
    }
}

/// Folders of a store, its kept log, its backups and restorations.
struct Place {
    folder: TempDir,
    clock: Simulated,
    most_bytes: u64,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("log")).unwrap();
        Self { folder, clock: Simulated(Arc::new(AtomicI64::new(START))), most_bytes: 1 << 30 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn options(&self) -> OpenOptions {
        OpenOptions::new().clock(self.clock.clone()).log_mode(LogMode::Inline)
    }

    /// Options of a store with its kept log.
    fn keeping(&self) -> OpenOptions {
        self.options().keep_log(KeepLog::in_folder(self.path("log")).most_bytes(self.most_bytes))
    }

    fn open(&self) -> BlockingStore {
        self.keeping().open(self.path("store")).unwrap().blocking()
    }

    fn set_second(&self, second: i64) {
        self.clock.0.store(START + second * SECOND, Ordering::Relaxed);
    }

    /// Restores a backup to a new file. Returns its records.
    fn restored(&self, backup: &str, to: RestoreTo) -> Result<(Restored, Records), RestoreError> {
        let path = self.path("restored");
        let restored = self.options().restore(self.path(backup), self.path("log"), to, &path)?;
        let disk = Arc::new(file::find_to_read(&path).unwrap().unwrap());
        let records = records(&FileEngine::open(disk, 1 << 20, None).unwrap());
        fs::remove_file(path).unwrap();
        Ok((restored, records))
    }

    fn segments(&self) -> Vec<(u64, PathBuf)> {
        let listed = segment::list(&Directory::new(&self.path("log"))).unwrap();
        listed.into_iter().map(|(number, name)| (number, self.path("log").join(name))).collect()
    }

    /// Copies the store and its kept log, as after the end of the process.
    fn killed(&self) -> Self {
        let copy = Self { clock: self.clock.clone(), most_bytes: self.most_bytes, ..Self::new() };
        for name in ["store", "store-log"] {
            let _ = fs::copy(self.path(name), copy.path(name));
        }
        copy_segments(self, &copy);
        copy
    }
}

fn copy_segments(from: &Place, to: &Place) {
    fs::remove_dir_all(to.path("log")).unwrap();
    fs::create_dir(to.path("log")).unwrap();
    for (_, path) in from.segments() {
        fs::copy(&path, to.path("log").join(path.file_name().unwrap())).unwrap();
    }
}

/// All records, except for the position in the kept log.
fn records(engine: &dyn Engine) -> Records {
    let mut records = Records::new();
    engine
        .read(&mut |read| {
            records.clear();
            read.scan(&[], &TableId(u32::MAX).end(), &mut |key, record| {
                records.insert(key.to_vec(), record.to_vec());
                ControlFlow::Continue(())
            })
            .unwrap();
        })
        .unwrap();
    records.remove(&TableId::META.key(meta::KEPT_LOG)[..]);
    records
}

fn live(store: &BlockingStore) -> Records {
    records(&*store.store().core().engine)
}

fn position(store: &BlockingStore) -> Option<Position> {
    let mut found = Ok(None);
    store.store().core().engine.read(&mut |read| found = position::read(read)).unwrap();
    found.unwrap()
}

fn table(name: &str) -> TableName {
    name.parse().unwrap()
}

fn put(store: &BlockingStore, row: &str, len: usize) {
    let entity = Entity::new("Sales", row).with("Text", "x".repeat(len));
    store.execute(&table("Employees"), Operation::InsertOrReplace(entity)).unwrap();
}

/// Changes tables, queues and blobs. Some commits are larger than a frame of the log.
fn work(store: &BlockingStore, second: i64) {
    let rows = (0..5).map(|row| {
        let len = if second % 7 == 3 { 8_000 } else { 50 };
        let entity =
            Entity::new("Sales", format!("{:03}", (second * 5 + row) % 40)).with("Text", "x".repeat(len));
        Operation::InsertOrReplace(entity)
    });
    store.transact(&table("Employees"), rows.collect::<Vec<_>>()).unwrap();
    let queue = "work".parse().unwrap();
    store.put_message(&queue, PutMessage::new(format!("message {second}"))).unwrap();
    if second % 3 == 0 {
        for message in store.get_messages(&queue, GetMessages::default()).unwrap() {
            store.delete_message(&queue, message.id, &message.pop_receipt).unwrap();
        }
    }
    let blob = BlobAddress::new("photos", format!("{}", second % 4)).unwrap();
    let content = vec![second.to_le_bytes()[0]; if second % 5 == 0 { 300_000 } else { 500 }];
    store.put_blob(&blob, content.into(), PutBlob::new()).unwrap();
    if second % 6 == 1 {
        store.create_table(&table(&format!("Table{second}"))).unwrap();
        let entity = Entity::new("p", "r").with("Second", second);
        store.execute(&table(&format!("Table{second}")), Operation::Insert(entity)).unwrap();
    }
    if second % 6 == 4 {
        store.delete_table(&table(&format!("Table{}", second - 3))).unwrap();
    }
    store.swept().unwrap();
}

fn begin(store: &BlockingStore) {
    store.create_table(&table("Employees")).unwrap();
    store.create_queue(&"work".parse().unwrap(), Metadata::new()).unwrap();
    store.create_container(&"photos".parse().unwrap(), Metadata::new()).unwrap();
}

#[test]
fn a_backup_is_restored_to_every_second_exactly() {
    let place = Place { most_bytes: 40 << 20, ..Place::new() };
    let mut store = place.open();
    store.backup(place.path("backup at start")).unwrap();
    begin(&store);
    let mut states = Vec::new();
    for second in 0..30 {
        place.set_second(second);
        work(&store, second);
        states.push((live(&store), position(&store).unwrap().number));
        match second {
            4 | 17 => drop(store.backup(place.path(&format!("backup {second}"))).unwrap()),
            // Another process continues the log.
            9 => {
                store.close().unwrap();
                store = place.open();
            }
            _ => {}
        }
    }
    for (backup, base) in [("backup at start", -1), ("backup 4", 4), ("backup 17", 17)] {
        for (second, (expected, commit)) in (0..).zip(&states) {
            // The store is not closed: its log does not prove that no commit follows the last one.
            let end = START + second * SECOND + if second < 29 { SECOND - 1 } else { 0 };
            let end = Timestamp::from_ticks(end).unwrap();
            if second < base {
                let error = place.restored(backup, RestoreTo::Time(end)).unwrap_err();
                assert!(matches!(error, RestoreError::TooEarly { .. }), "{second}: {error}");
                continue;
            }
            if second % 5 == 2 {
                let (restored, found) = place.restored(backup, RestoreTo::Commit(*commit)).unwrap();
                assert_eq!(restored.commit, *commit);
                assert!(found == *expected, "commit {commit} after {backup}");
            }
            let (restored, found) = place.restored(backup, RestoreTo::Time(end)).unwrap();
            // The close of second 9 stores the clock.
            if second != 9 {
                assert_eq!(restored.commit, *commit, "second {second} after {backup}");
                assert!(found == *expected, "second {second} after {backup}");
            }
            assert_eq!(restored.end, if second < 29 { LogEnd::Continues } else { LogEnd::Confirmed });
        }
        let before = Timestamp::from_ticks(START - 1).unwrap();
        let error = place.restored(backup, RestoreTo::Time(before)).unwrap_err();
        assert!(matches!(error, RestoreError::TooEarly { .. }), "{error}");
        let (restored, found) = place.restored(backup, RestoreTo::Latest).unwrap();
        assert!(found == states[29].0 && restored.end == LogEnd::Confirmed, "{restored:?}");
        let later = RestoreTo::Commit(states[29].1 + 1);
        assert!(matches!(place.restored(backup, later), Err(RestoreError::NotReached { .. })));
    }
    // The new store works, and its history starts again.
    let path = place.path("new");
    place.options().restore(place.path("backup 4"), place.path("log"), RestoreTo::Latest, &path).unwrap();
    let error = place.keeping().open(&path).unwrap_err();
    assert!(matches!(error, OpenError::KeptLog { .. }), "{error}");
    assert!(place.options().scrub(&path).unwrap().is_sound());
    work(&place.options().open(&path).unwrap().blocking(), 31);
}

#[test]
fn the_folder_is_bounded_and_old_backups_expire() {
    let mut place = Place::new();
    place.most_bytes = 256 << 10;
    let store = place.open();
    begin(&store);
    store.backup(place.path("old")).unwrap();
    for row in 0..60 {
        put(&store, &format!("{}", row % 7), 20_000);
        if row == 55 {
            store.backup(place.path("new")).unwrap();
        }
        let bytes: u64 = place.segments().iter().map(|(_, path)| fs::metadata(path).unwrap().len()).sum();
        assert!(bytes <= place.most_bytes + 45_000, "{bytes}");
    }
    assert!(place.segments()[0].0 > 1);
    assert!(matches!(place.restored("old", RestoreTo::Latest), Err(RestoreError::Expired { .. })));
    assert!(place.restored("new", RestoreTo::Latest).unwrap().1 == live(&store));
}

#[test]
fn logs_and_backups_of_other_stores_are_rejected() {
    let [place, other] = [Place::new(), Place::new()];
    let [store, foreign] = [&place, &other].map(|place| {
        let store = place.open();
        begin(&store);
        store.backup(place.path("backup")).unwrap();
        put(&store, "a", 10);
        store
    });
    fs::copy(other.path("backup"), place.path("foreign")).unwrap();
    let error = place.restored("foreign", RestoreTo::Latest).unwrap_err();
    assert!(matches!(error, RestoreError::OtherLog { .. }), "{error}");
    let plain = place.options().open(place.path("plain")).unwrap().blocking();
    plain.backup(place.path("without")).unwrap();
    let error = place.restored("without", RestoreTo::Latest).unwrap_err();
    assert!(matches!(error, RestoreError::NoPosition { .. }), "{error}");
    let (path, log) = (place.path("backup"), place.path("log"));
    let error = place.options().restore(&path, log, RestoreTo::Latest, place.path("without")).unwrap_err();
    assert!(error.to_string().contains("already exists"), "{error}");

    // A store cannot start in a log that is in use, or continue that of another store.
    plain.close().unwrap();
    let refused = |path: &str| match place.keeping().open(place.path(path)).unwrap_err() {
        OpenError::KeptLog { problem, .. } => problem,
        error => panic!("{error}"),
    };
    assert!(matches!(refused("plain"), KeptLogProblem::Exists));
    assert!(matches!(refused("foreign"), KeptLogProblem::Other));
    // An older copy of the store.
    store.close().unwrap();
    assert!(
        matches!(refused("backup"), KeptLogProblem::Differs { log: 5, store: 3 }),
        "{}",
        refused("backup")
    );
    fs::create_dir(place.path("empty")).unwrap();
    let keep = KeepLog::in_folder(place.path("empty"));
    let error = place.options().keep_log(keep.clone()).open(place.path("backup")).unwrap_err();
    assert!(error.to_string().contains("`KeepLog::start_new`"), "{error}");
    let store =
        place.options().keep_log(keep.clone().start_new()).open(place.path("backup")).unwrap().blocking();
    put(&store, "again", 10);
    assert_eq!(position(&store).unwrap().number, 1);
    store.close().unwrap();
    let store = place.options().keep_log(keep).open(place.path("backup")).unwrap().blocking();
    put(&store, "again", 10);
    foreign.close().unwrap();
}

#[test]
fn damaged_pages_are_counted_behind_a_kept_log() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    (0..40).for_each(|row| put(&store, &format!("{row:03}"), 500));
    let marked = Entity::new("Sales", "020").with("Text", "in the damaged page");
    store.execute(&table("Employees"), Operation::InsertOrReplace(marked)).unwrap();
    store.close().unwrap();
    let mut bytes = fs::read(place.path("store")).unwrap();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"in the damaged page") {
            bytes[at] ^= 1;
        }
    }
    fs::write(place.path("store"), bytes).unwrap();
    for options in [place.keeping(), place.options().read_only(true)] {
        let store = options.open(place.path("store")).unwrap().blocking();
        store.query(&table("Employees"), Query::new()).unwrap_err();
        assert_eq!(store.stats().damaged_pages, 1);
        drop(store);
    }
}

#[test]
fn a_store_that_is_only_read_cannot_keep_a_log() {
    let place = Place::new();
    let store = place.open();
    begin(&store);
    let killed = place.killed();
    let segment = |place: &Place| fs::read(&place.segments()[0].1).unwrap();
    // A commit that the store does not contain is removed by the next writer.
    fs::write(&killed.segments()[0].1, [&segment(&place)[..], b"incomplete"].concat()).unwrap();
    let before = segment(&killed);
    let error = killed.keeping().read_only(true).open(killed.path("store")).unwrap_err();
    assert!(matches!(error, OpenError::KeptLog { .. }), "{error}");
    assert!(error.to_string().contains("without `keep_log` or without `read_only`"), "{error}");
    assert!(segment(&killed) == before);
    assert!(killed.options().read_only(true).open(killed.path("store")).is_ok());
}

/// An engine that records the ends of its transactions.
#[derive(Debug)]
struct Spy(MemoryEngine, Mutex<Vec<Verdict>>);

impl Engine for Spy {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        self.0.read(work)
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        self.0.write(&mut |write| {
            let verdict = work(write);
            self.1.lock().unwrap().push(verdict);
            verdict
        })
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        self.0.bytes()
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.0.close()
    }
}

/// With relaxed durability a power failure could remove commits of the store that the kept log contains.
#[test]
fn the_store_syncs_what_the_kept_log_contains() {
    let place = Place::new();
    let spy = Spy(MemoryEngine::new(MapStorage::default()), Mutex::default());
    let settings = KeepLog::in_folder(place.path("log"));
    let folder = Arc::new(Directory::new(&place.path("log")));
    let writer = Box::new(Writer::create(&settings, folder, [1; 16], START).unwrap());
    let engine = KeepingEngine::keep(spy, writer, Arc::new(place.clock.clone())).unwrap();
    let end = |change: bool, verdict| {
        engine
            .write(&mut |write| {
                if change {
                    write.put(b"key", b"value").unwrap();
                }
                verdict
            })
            .unwrap();
        engine.inner().1.lock().unwrap().pop().unwrap()
    };
    assert_eq!(end(true, Verdict::Commit(Persist::Later)), Verdict::Commit(Persist::Now));
    assert_eq!(end(true, Verdict::Discard), Verdict::Discard);
    assert_eq!(end(false, Verdict::Commit(Persist::Later)), Verdict::Commit(Persist::Later));
}
