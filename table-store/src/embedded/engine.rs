//! Interface to the ordered key-value engine.
//!
//! There are two engines: redb for files, and a `BTreeMap` for differential tests.

mod memory;
mod redb;

pub use memory::MapStorage;
pub(super) use memory::MemoryEngine;
pub(super) use redb::RedbEngine;

use std::{
    any::Any,
    fmt::Debug,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{Result, StorageFault};

/// A consistent snapshot: all changes of the last commit, and no later changes.
pub(super) trait Read {
    /// Passes the value under `key` to `visit`, if it exists. Returns whether it exists.
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault>;

    /// Passes keys and values from `from` up to, but excluding, `to` to `visit`, ascending, until `visit` breaks.
    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault>;

    /// Reads a value like [`get`](Self::get), and also reports damage that hides it: a record whose key was changed is
    /// not found by a lookup. Engines that cannot be damaged report nothing.
    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.get(key, visit)
    }

    /// Scans a range like [`scan`](Self::scan), and also reports damage that hides a part of it: the records at the
    /// start and end of the range are verified. `visit` must verify every record, including the record at which it
    /// breaks.
    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.scan(from, to, visit)
    }
}

/// Callback of a scan for each key and value.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// A write transaction. Its reads include its writes.
pub(super) trait Write: Read {
    /// Sets the value under `key`.
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault>;

    /// Removes `key`, if it exists.
    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault>;
}

/// Durability of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persist {
    /// The commit waits for stable storage, including all earlier commits.
    Now,
    /// The commit does not wait. A crash may lose it completely, but never partially.
    Later,
}

/// End of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Commits all changes.
    Commit(Persist),
    /// Discards all changes.
    Discard,
}

/// An ordered map of bytes with snapshots and a single writer.
pub(super) trait Engine: Debug + Send + Sync {
    /// Calls `work` with a snapshot. If the engine had to reopen the file, `work` is called again from the start, and
    /// only the last call counts. An error means that no snapshot was available.
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault>;

    /// Calls `work` once with a transaction and ends it according to the verdict.
    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault>;

    /// Discards all state in memory and reopens the file.
    fn recover(&self) -> Result<(), StorageFault>;

    /// Returns the number of times the file was reopened. A reopening may lose earlier commits with [`Persist::Later`].
    fn reopenings(&self) -> u64;

    /// Minimizes the size of the file. Requires that there are no readers.
    fn compact(&self) -> Result<(), StorageFault>;

    /// Returns the size of the file in bytes.
    fn bytes(&self) -> Result<u64, StorageFault>;

    /// Returns whether the engine is closed.
    fn is_closed(&self) -> bool;

    /// Closes the engine. Later calls return [`StorageFault::Closed`].
    fn close(&self) -> Result<(), StorageFault>;
}

/// Reads from one snapshot. A panic (the engine may panic on a damaged file) only fails this read.
pub(super) fn view<T>(engine: &dyn Engine, work: impl Fn(&dyn Read) -> Result<T>) -> Result<T> {
    let mut outcome = None;
    let ended = catch_unwind(AssertUnwindSafe(|| engine.read(&mut |read| outcome = Some(work(read)))));
    match ended {
        Ok(begun) => begun?,
        Err(panic) => {
            let what = format!("the read panicked: {}", panic_text(&*panic));
            return Err(StorageFault::Corrupt { what }.into());
        }
    }
    outcome.unwrap_or_else(|| Err(StorageFault::Bug { what: "a read returned no result".to_owned() }.into()))
}

/// Writes in one transaction and returns its verdict. An error of `work` discards the transaction. A panic discards it
/// too, and the file is then reopened. After an error of the commit itself, its outcome is unknown: usually it is not
/// durable, but it is if only the last sync failed.
pub(super) fn commit(
    engine: &dyn Engine,
    mut work: impl FnMut(&mut dyn Write) -> Result<Verdict, StorageFault>,
) -> Result<Verdict, StorageFault> {
    let mut outcome = Ok(Verdict::Discard);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        engine.write(&mut |write| {
            outcome = work(write);
            outcome.as_ref().map_or(Verdict::Discard, |verdict| *verdict)
        })
    }));
    match ended {
        // The first fault is more informative than its consequences.
        Ok(ended) => outcome.and_then(|verdict| ended.map(|()| verdict)),
        Err(panic) => {
            // The next call reports a failure to reopen the file.
            let _ = catch_unwind(AssertUnwindSafe(|| engine.recover()));
            Err(StorageFault::Bug { what: panic_text(&*panic) })
        }
    }
}

/// Returns the message of a panic.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
        .to_owned()
}
