//! Disks, clocks and helper functions for tests.

use std::{
    io,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use table_store::{
    BlockingStore, Clock, Disk, Entity, ErrorCode, MemoryDisk, OpenOptions, Operation, Result, TableName,
    Timestamp,
};

pub(crate) fn table() -> TableName {
    "Employees".parse().unwrap()
}

/// Creates a store in memory with one table.
pub(crate) fn store() -> BlockingStore {
    with_table(&OpenOptions::new())
}

pub(crate) fn with_table(options: &OpenOptions) -> BlockingStore {
    let store = options.in_memory().unwrap().blocking();
    store.create_table(&table()).unwrap();
    store
}

pub(crate) fn on_disk(disk: impl Disk) -> BlockingStore {
    OpenOptions::new().open_disk(disk).unwrap().blocking()
}

pub(crate) fn entity(row: &str, age: i32) -> Entity {
    Entity::new("Sales", row).with("Age", age)
}

pub(crate) fn put(store: &BlockingStore, row: &str, age: i32) {
    store.execute(&table(), Operation::InsertOrReplace(entity(row, age))).unwrap();
}

/// Returns the `Age` of a row, if the row exists.
pub(crate) fn age(store: &BlockingStore, row: &str) -> Option<i32> {
    let row = store.get(&table(), "Sales", row, None).unwrap()?;
    match row.properties.get("Age") {
        Some(table_store::Value::Int32(age)) => Some(*age),
        other => panic!("Age is {other:?}"),
    }
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T>) -> ErrorCode {
    result.unwrap_err().code()
}

/// Returns code and index of an error.
pub(crate) fn at<T: std::fmt::Debug>(result: Result<T>) -> (ErrorCode, Option<usize>) {
    let error = result.unwrap_err();
    (error.code(), error.index())
}

/// A manual clock.
#[derive(Clone, Debug)]
pub(crate) struct HandClock(Arc<AtomicI64>);

impl HandClock {
    pub(crate) fn at(time: &str) -> Self {
        Self(Arc::new(AtomicI64::new(time.parse::<Timestamp>().unwrap().ticks())))
    }

    pub(crate) fn set(&self, time: Timestamp) {
        self.0.store(time.ticks(), Ordering::SeqCst);
    }

    /// Moves the clock forward by `seconds`.
    pub(crate) fn forward(&self, seconds: u64) {
        self.forward_millis(seconds * 1_000);
    }

    /// Moves the clock forward by `millis` milliseconds.
    pub(crate) fn forward_millis(&self, millis: u64) {
        self.0.fetch_add(i64::try_from(millis).unwrap() * 10_000, Ordering::SeqCst);
    }

    /// Moves the clock back by `seconds`.
    pub(crate) fn back(&self, seconds: u64) {
        self.0.fetch_sub(i64::try_from(seconds).unwrap() * 10_000_000, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A disk in memory that can be full, fail, or block its syncs. Clones share the disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestDisk {
    pub(crate) bytes: MemoryDisk,
    state: Arc<Mutex<State>>,
    changed: Arc<Condvar>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of calls that still succeed; `None` for all.
    calls_left: Option<u64>,
    /// Error of the following calls.
    failure: Option<io::ErrorKind>,
    /// Only one call fails.
    once: bool,
    /// Maximum size of the disk in bytes.
    capacity: Option<u64>,
    held: bool,
    waiting: u32,
    syncs: u64,
    calls: u64,
}

impl TestDisk {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: MemoryDisk::with_bytes(bytes), ..Self::default() }
    }

    /// Limits the disk to its current size plus `more` bytes; `None` removes the limit.
    pub(crate) fn limit(&self, more: Option<u64>) {
        let len = self.bytes.len().unwrap();
        self.state.lock().unwrap().capacity = more.map(|more| len + more);
    }

    /// After `calls` more writes, resizes and syncs, fails the next one, or all later ones.
    pub(crate) fn fail_after(&self, calls: u64, with: io::ErrorKind, once: bool) {
        let mut state = self.state.lock().unwrap();
        (state.calls_left, state.failure, state.once) = (Some(calls), Some(with), once);
    }

    pub(crate) fn heal(&self) {
        let mut state = self.state.lock().unwrap();
        (state.calls_left, state.failure, state.capacity) = (None, None, None);
    }

    /// Returns the number of syncs, and of all writes, resizes and syncs.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let state = self.state.lock().unwrap();
        (state.syncs, state.calls)
    }

    /// Blocks syncs from now on.
    pub(crate) fn hold(&self) {
        self.state.lock().unwrap().held = true;
    }

    /// Waits until a thread is blocked in a sync.
    pub(crate) fn until_waiting(&self) {
        let mut state = self.state.lock().unwrap();
        while state.waiting == 0 {
            state = self.changed.wait(state).unwrap();
        }
    }

    pub(crate) fn release(&self) {
        self.state.lock().unwrap().held = false;
        self.changed.notify_all();
    }

    fn call(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap();
        state.calls += 1;
        match (state.calls_left, state.failure) {
            (Some(0), Some(failure)) => {
                if state.once {
                    (state.calls_left, state.failure) = (None, None);
                }
                Err(failure.into())
            }
            (Some(left), _) => {
                state.calls_left = Some(left - 1);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }
}

impl Disk for TestDisk {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, into)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.call()?;
        self.bytes.write(offset, bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.call()?;
        if self.state.lock().unwrap().capacity.is_some_and(|capacity| len > capacity) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.call()?;
        let mut state = self.state.lock().unwrap();
        state.syncs += 1;
        state.waiting += 1;
        self.changed.notify_all();
        while state.held {
            state = self.changed.wait(state).unwrap();
        }
        state.waiting -= 1;
        Ok(())
    }
}
