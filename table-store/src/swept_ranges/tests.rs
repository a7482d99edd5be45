//! Number of rows that sweeps read, on an engine whose removals all stay in the log.

use std::{
    cell::Cell,
    collections::BTreeMap,
    ops::Bound,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use table_model::{
    Entity, Metadata, Operation, StorageFault, Uuid,
    blob::{AppendBlock, BlobAddress, BlobConditions, CopyBlob, PutBlob},
    queue::{PutMessage, QueueName},
};

use crate::{
    BlockingStore, OpenOptions,
    engine::{Engine, Read, Verdict, Visit, Write},
};

const ROWS: usize = 5_000;

/// A value, or `None` for a removal.
type Row = Option<Vec<u8>>;
type Rows = BTreeMap<Vec<u8>, Row>;

/// Rows of transactions.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Rows that were read, including removals.
    read: usize,
    removed: usize,
    /// Largest number of rows that a transaction read.
    most_read: usize,
}

/// An engine that keeps removals, and reads them in each scan over them.
#[derive(Clone, Debug, Default)]
struct Log {
    rows: Arc<Mutex<(Rows, Counts)>>,
    closed: Arc<AtomicBool>,
}

impl Log {
    fn locked(&self) -> MutexGuard<'_, (Rows, Counts)> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> BlockingStore {
        OpenOptions::new().open_engine(self.clone()).unwrap().blocking()
    }

    /// Checks the number of rows that `work` and the sweep after it read.
    fn check(&self, store: &BlockingStore, least: usize, work: impl FnOnce()) {
        store.swept().unwrap();
        self.locked().1 = Counts::default();
        work();
        store.swept().unwrap();
        let counts = self.locked().1;
        assert!(counts.removed >= least, "{counts:?}");
        assert!(counts.read <= 4 * counts.removed, "{counts:?}");
        // `swept` searches all garbage once, over the removals of the earlier garbage.
        assert!(counts.most_read <= ROWS + 2_000, "{counts:?}");
    }
}

impl Engine for Log {
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault> {
        let rows = &mut self.locked().0;
        work(&Transaction { rows, old: Vec::new(), read: Cell::new(0), removed: 0 });
        Ok(())
    }

    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault> {
        let (rows, counts) = &mut *self.locked();
        let mut transaction = Transaction { rows, old: Vec::new(), read: Cell::new(0), removed: 0 };
        let verdict = work(&mut transaction);
        counts.read += transaction.read.get();
        counts.removed += transaction.removed;
        counts.most_read = counts.most_read.max(transaction.read.get());
        if verdict == Verdict::Discard {
            for (key, old) in std::mem::take(&mut transaction.old).into_iter().rev() {
                match old {
                    Some(old) => transaction.rows.insert(key, old),
                    None => transaction.rows.remove(&key),
                };
            }
        }
        Ok(())
    }

    fn bytes(&self) -> Result<u64, StorageFault> {
        Ok(0)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn close(&self) -> Result<(), StorageFault> {
        self.closed.store(true, Ordering::Relaxed);
        Ok(())
    }
}

struct Transaction<'r> {
    rows: &'r mut Rows,
    /// The changed rows before the change.
    old: Vec<(Vec<u8>, Option<Row>)>,
    read: Cell<usize>,
    removed: usize,
}

impl Transaction<'_> {
    fn set(&mut self, key: &[u8], value: Option<Vec<u8>>) {
        let old = self.rows.insert(key.to_vec(), value);
        self.old.push((key.to_vec(), old));
    }
}

impl Read for Transaction<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.read.set(self.read.get() + 1);
        let row = self.rows.get(key).and_then(Option::as_deref);
        Ok(row.map(visit).is_some())
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        if from >= to {
            return Ok(());
        }
        for (key, row) in self.rows.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to))) {
            self.read.set(self.read.get() + 1);
            if row.as_ref().is_some_and(|row| visit(key, row).is_break()) {
                break;
            }
        }
        Ok(())
    }
}

impl Write for Transaction<'_> {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault> {
        self.set(key, Some(value.to_vec()));
        Ok(())
    }

    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault> {
        self.removed += 1;
        self.set(key, None);
        Ok(())
    }
}

fn at(name: &str) -> BlobAddress {
    BlobAddress::new("photos", name).unwrap()
}

fn container(store: &BlockingStore) {
    store.create_container(&at("x").container, Metadata::new()).unwrap();
}

fn delete_container(store: &BlockingStore) {
    store.delete_container(&at("x").container, &BlobConditions::none()).unwrap();
}

#[test]
fn the_sweep_of_a_container_reads_each_removal_a_few_times() {
    let log = Log::default();
    let store = log.store();
    container(&store);
    for number in 0..ROWS {
        store.put_blob(&at(&number.to_string()), "x".into(), PutBlob::new()).unwrap();
    }
    log.check(&store, 3 * ROWS, || delete_container(&store));
}

#[test]
fn the_sweep_of_lists_reads_each_removal_a_few_times() {
    let log = Log::default();
    let store = log.store();
    container(&store);
    store.create_append_blob(&at("x"), PutBlob::new()).unwrap();
    for _ in 0..ROWS {
        store.append_block(&at("x"), "x".into(), AppendBlock::new()).unwrap();
    }
    let copy = CopyBlob::new(Uuid::from_u128(7)).source("http://127.0.0.1/photos/x");
    store.copy_blob(&at("y"), &at("x"), copy).unwrap();
    log.check(&store, 4 * ROWS, || delete_container(&store));
}

#[test]
fn overwritten_blobs_are_swept_without_reading_earlier_removals() {
    let log = Log::default();
    let store = log.store();
    container(&store);
    log.check(&store, 2 * (ROWS - 1), || {
        for _ in 0..ROWS {
            store.put_blob(&at("x"), "x".into(), PutBlob::new()).unwrap();
        }
    });
}

#[test]
fn the_sweep_of_a_table_reads_each_removal_a_few_times() {
    let log = Log::default();
    let store = log.store();
    let table = "Employees".parse().unwrap();
    store.create_table(&table).unwrap();
    // Enough for many steps.
    for batch in 0..8 * ROWS / 100 {
        let entity = |number: usize| Operation::Insert(Entity::new("Sales", format!("{batch} {number}")));
        store.transact(&table, (0..100).map(entity).collect::<Vec<_>>()).unwrap();
    }
    log.check(&store, 8 * ROWS, || store.delete_table(&table).unwrap());
}

#[test]
fn the_sweep_of_a_queue_reads_each_removal_a_few_times() {
    let log = Log::default();
    let store = log.store();
    let queue: QueueName = "work".parse().unwrap();
    store.create_queue(&queue, Metadata::new()).unwrap();
    // Enough for many steps.
    for _ in 0..4 * ROWS {
        store.put_message(&queue, PutMessage::new("x")).unwrap();
    }
    log.check(&store, 4 * ROWS, || store.clear_messages(&queue).unwrap());
}

#[test]
fn cleared_queues_are_swept_without_reading_earlier_removals() {
    let log = Log::default();
    let store = log.store();
    let queue: QueueName = "work".parse().unwrap();
    store.create_queue(&queue, Metadata::new()).unwrap();
    log.check(&store, ROWS, || {
        for _ in 0..ROWS {
            store.clear_messages(&queue).unwrap();
        }
    });
}
