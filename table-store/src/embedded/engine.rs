//! What the store needs of an ordered key-value engine, and no more.
//!
//! Two engines: redb in the file, and a `BTreeMap` that differential tests compare it with.

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

/// A consistent view: all of the last commit, nothing of later ones.
pub(super) trait Read {
    /// Shows the value under `key` to `visit`, if there is one; says whether there was.
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault>;

    /// Shows keys and values from `from` up to, but without, `to`, ascending, until `visit` breaks.
    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault>;

    /// Shows the value under `key` as [`get`](Self::get) does, and reports damage that hides it: a record whose key was
    /// changed is found by no look for it. An engine that cannot be damaged has nothing to report.
    fn get_whole(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.get(key, visit)
    }

    /// Shows a range as [`scan`](Self::scan) does, and reports damage that hides a part of it: the records at which the
    /// range starts and ends are verified. `visit` verifies every record that it is shown, also the one at which it breaks.
    fn scan_whole(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.scan(from, to, visit)
    }
}

/// What a scan calls for each key and value.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// A transaction: reads see its own writes.
pub(super) trait Write: Read {
    /// Sets the value under `key`.
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StorageFault>;

    /// Removes `key`, if it is there.
    fn remove(&mut self, key: &[u8]) -> Result<(), StorageFault>;
}

/// Whether a commit waits for stable storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persist {
    /// It does, and takes all earlier commits with it.
    Now,
    /// It does not: a crash may lose it, never a part of it.
    Later,
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All of it holds.
    Commit(Persist),
    /// Nothing of it happened.
    Discard,
}

/// An ordered map of bytes with snapshots and one writer at a time.
pub(super) trait Engine: Debug + Send + Sync {
    /// Calls `work` with a view. It may be called again from the start if the engine had to be opened again: only the
    /// last call counts. An error means that no view could be had.
    fn read(&self, work: &mut dyn FnMut(&dyn Read)) -> Result<(), StorageFault>;

    /// Calls `work` once with a transaction, and ends it as told.
    fn write(&self, work: &mut dyn FnMut(&mut dyn Write) -> Verdict) -> Result<(), StorageFault>;

    /// Forgets all that is in memory and opens the file again.
    fn recover(&self) -> Result<(), StorageFault>;

    /// How often the file was opened again. What was committed with [`Persist::Later`] before may be lost since.
    fn reopenings(&self) -> u64;

    /// Makes the file as short as it can be. Nobody may be reading.
    fn compact(&self) -> Result<(), StorageFault>;

    /// Bytes of the file.
    fn bytes(&self) -> Result<u64, StorageFault>;

    /// Whether it has ended.
    fn is_closed(&self) -> bool;

    /// Ends it. What comes later gets [`StorageFault::Closed`].
    fn close(&self) -> Result<(), StorageFault>;
}

/// Reads in one view. A panic on the way (the engine may panic over a damaged file) is a fault of this read only.
pub(super) fn view<T>(engine: &dyn Engine, work: impl Fn(&dyn Read) -> Result<T>) -> Result<T> {
    let mut outcome = None;
    let ended = catch_unwind(AssertUnwindSafe(|| engine.read(&mut |read| outcome = Some(work(read)))));
    match ended {
        Ok(begun) => begun?,
        Err(panic) => {
            let what = format!("reading it ended in a panic: {}", panic_text(&*panic));
            return Err(StorageFault::Corrupt { what }.into());
        }
    }
    outcome.unwrap_or_else(|| Err(StorageFault::Bug { what: "a read had no result".to_owned() }.into()))
}

/// Writes in one transaction, and says how it ended. An error of `work` discards it; so does a panic on the way, after
/// which the engine is opened again. After an error of the commit itself it is not known whether it holds: usually not,
/// but if only the last sync failed, it does.
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
        // The first fault tells more than what follows from it.
        Ok(ended) => outcome.and_then(|verdict| ended.map(|()| verdict)),
        Err(panic) => {
            // A failure to open it again shows, with its reason, in the next call.
            let _ = catch_unwind(AssertUnwindSafe(|| engine.recover()));
            Err(StorageFault::Bug { what: panic_text(&*panic) })
        }
    }
}

/// The text of a panic.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a text")
        .to_owned()
}
