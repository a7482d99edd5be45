//! The seam between the store and its key-value engine.
//!
//! An [`Engine`] is an ordered map of bytes with snapshots and one writer. The store uses redb for files, and only the
//! module `redb` names it; tests compare it with a `BTreeMap`. [`OpenOptions::open_engine`](crate::OpenOptions::open_engine)
//! opens a store on any other implementation.
//!
//! The store encodes its records itself, with a checksum each, so an engine need not detect damage.

mod logged;
mod memory;
mod read_only;
mod redb;
mod scrub;

#[cfg(test)]
pub(crate) use logged::tests as logged_tests;
pub(crate) use logged::{LogRows, LoggedEngine, Settings, decode_changes, encode_change};
#[doc(hidden)]
pub use memory::MapStorage;
pub(crate) use memory::MemoryEngine;
pub(crate) use read_only::{Abandon, ReadOnly};
pub(crate) use redb::{Accept, FileEngine, LogId, LostPage, Remains, SECTOR_BYTES, io_fault};
use redb::{Applied, BLOCK_BYTES, HeadState, LogUse, Pinned, Reporting, Sector, Snapshot};
pub use scrub::{PageScrub, ScrubStep};

use std::{
    any::Any,
    fmt::Debug,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use table_model::{Result, StorageFault};

/// A consistent snapshot: all changes of the last commit, and no later changes. Keys are ordered by their bytes.
pub trait Read {
    /// Passes the value under `key` to `visit`, if it exists. Returns whether it exists.
    ///
    /// # Errors
    /// The failure of the engine.
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault>;

    /// Passes keys and values from `from` up to, but excluding, `to` to `visit`, ascending, until `visit` breaks. A
    /// range whose `from` is not below `to` is empty.
    ///
    /// # Errors
    /// The failure of the engine.
    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault>;

    /// Reads a value like [`get`](Self::get), and also reports damage that hides it: a record whose key was changed is
    /// not found by a lookup. Engines that cannot be damaged report nothing.
    ///
    /// # Errors
    /// The failure of the engine, or [`StorageFault::Corrupt`].
    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.get(key, visit)
    }

    /// Scans a range like [`scan`](Self::scan), and also reports damage that hides a part of it: the records at the
    /// start and end of the range are verified. `visit` must verify every record, including the record at which it
    /// breaks.
    ///
    /// # Errors
    /// The failure of the engine, or [`StorageFault::Corrupt`].
    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.scan(from, to, visit)
    }

    /// Scans a range like [`scan_whole`](Self::scan_whole), descending. The default implementation first collects the range
    /// in memory; an engine should read it backward instead.
    ///
    /// # Errors
    /// The failure of the engine, or [`StorageFault::Corrupt`].
    fn scan_back(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        let mut rows = Vec::new();
        self.scan_whole(from, to, &mut |key, value| {
            rows.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        })?;
        let _ = rows.iter().rev().try_for_each(|(key, value)| visit(key, value));
        Ok(())
    }
}

/// Callback of a scan for each key and value.
pub type Visit<'v> = &'v mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// A write transaction. Its reads include its writes.
pub trait Write: Read {
    /// Sets the value under `key`.
    ///
    /// # Errors
    /// The failure of the engine. The store then discards the transaction.
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault>;

    /// Removes `key`, if it exists.
    ///
    /// # Errors
    /// The failure of the engine. The store then discards the transaction.
    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault>;
}

/// Durability of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persist {
    /// The commit waits for stable storage, including all earlier commits.
    Now,
    /// The commit does not wait. A crash may lose it completely, but never partially.
    Later,
}

/// End of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Commits all changes.
    Commit(Persist),
    /// Discards all changes.
    Discard,
}

/// An ordered map of bytes with snapshots and a single writer.
///
/// The store writes from one thread and reads from any thread, also during a write; readers never wait for the writer.
/// An engine may panic on damaged data: a panic of a read fails only this read, and after a panic of a write the store
/// calls [`recover`](Self::recover).
///
/// `tests/seams` in the sources of this crate contains a complete engine on a `BTreeMap`.
pub trait Engine: Debug + Send + Sync {
    /// Calls `work` with a snapshot. If the engine had to reopen the file, `work` is called again from the start, and
    /// only the last call counts.
    ///
    /// # Errors
    /// No snapshot was available.
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault>;

    /// Calls `work` once with reads of the last commit that go around damaged pages: a scan passes the records of all other
    /// pages, and then returns the damage as its error. Writes wait. Returns `false`, without a call, if the engine has no
    /// checksums of pages.
    ///
    /// # Errors
    /// No snapshot was available.
    fn read_around(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<bool, StorageFault> {
        let _ = work;
        Ok(false)
    }

    /// Calls `work` once with a transaction and ends it according to the verdict. Later snapshots contain either all
    /// changes or none.
    ///
    /// # Errors
    /// The transaction could not begin, or its end failed. After a failed commit, the changes may be durable.
    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault>;

    /// Discards all state in memory and reopens the file. Engines without such state do nothing.
    ///
    /// # Errors
    /// The file could not be reopened.
    fn recover(&self) -> Result<(), StorageFault> {
        Ok(())
    }

    /// Returns the number of times the file was reopened. The outcome of a commit that failed is known only afterwards.
    fn reopenings(&self) -> u64 {
        0
    }

    /// Returns whether a reopening may lose earlier commits with [`Persist::Later`].
    fn loses_unsynced(&self) -> bool {
        true
    }

    /// Returns the number of commits that waited until earlier commits were moved from a log to the file.
    fn waits(&self) -> u64 {
        0
    }

    /// Returns the number of damaged pages that reads have found. The engine rejects writes if there are any.
    fn damaged_pages(&self) -> usize {
        0
    }

    /// Starts a verification of all pages in use, during reads and writes. Returns `None` if the engine has no checksums
    /// of pages. The verification must end before the engine is closed.
    fn page_scrub(&self) -> Option<Box<dyn PageScrub>> {
        None
    }

    /// Minimizes the size of the file. Requires that there are no readers.
    ///
    /// # Errors
    /// [`StorageFault::BeingRead`] if a reader has a snapshot, and the failure of the engine. The content is unchanged.
    fn compact(&self) -> Result<(), StorageFault> {
        Ok(())
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// The failure of the engine.
    fn bytes(&self) -> Result<u64, StorageFault>;

    /// Returns whether the engine is closed.
    fn is_closed(&self) -> bool;

    /// Closes the engine. Later calls return [`StorageFault::Closed`].
    ///
    /// # Errors
    /// The failure of the last write to the file.
    fn close(&self) -> Result<(), StorageFault>;
}

/// Reads from one snapshot. A panic (the engine may panic on a damaged file) only fails this read.
pub(crate) fn view<T>(engine: &dyn Engine, work: impl Fn(&dyn Read) -> Result<T>) -> Result<T> {
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

/// Reads like [`view`], around damaged pages. Returns `None` if the engine cannot.
pub(crate) fn view_around<T>(
    engine: &dyn Engine,
    work: impl Fn(&dyn Read) -> Result<T>,
) -> Result<Option<T>> {
    let mut outcome = None;
    engine.read_around(&mut |read| outcome = Some(work(read)))?;
    outcome.transpose()
}

/// Writes in one transaction and returns its verdict. An error of `work` discards the transaction. A panic discards it
/// too, and the file is then reopened. After an error of the commit itself, its outcome is unknown: usually it is not
/// durable, but it is if only the last sync failed.
pub(crate) fn commit(
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
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
        .to_owned()
}
