//! Online backup of a store to a new file.
//!
//! The copy is made from one snapshot: it contains all writes acknowledged before the start, and no later writes.
//! Readers and writers continue concurrently. Their writes use new pages, because the snapshot retains the old ones
//! until the copy is complete.

mod error;
mod lost_log;
#[cfg(test)]
mod tests;
mod under_way;

pub use error::BackupError;
pub(crate) use lost_log::accept;
pub use lost_log::{AcceptedLoss, LostCommits};
pub(crate) use under_way::UnderWay;

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use futures_channel::oneshot;
use table_model::StorageFault;

use crate::{
    OpenOptions, checksum,
    core::Core,
    disk::Disk,
    engine::{self, Engine, FileEngine, Read},
    file,
    keys::TableId,
    refusal::OpenError,
};

/// Cache size in bytes for the copy. Each page is written once, so a larger cache would not be faster.
const CACHE_BYTES: usize = 32 << 20;

/// Number of records between two checks for cancellation.
const ROUND: u64 = 1_024;

/// Result of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// Number of records in the copy, including internal records.
    pub records: u64,
    /// Size of the file in bytes.
    pub file_bytes: u64,
}

/// Copies the store on a separate thread, because the copy is slow and blocking. Dropping the future cancels the copy
/// soon afterwards; closing the store waits for the cancellation.
pub(crate) async fn backup(core: Arc<Core>, path: PathBuf) -> Result<Backup, BackupError> {
    let (reply, answer) = oneshot::channel();
    let making = core.copies.begin();
    let work = move || {
        let _making = making;
        let made = to_file(&*core.engine, &core.options, &path, &|| reply.is_canceled());
        // Fails only if the caller no longer waits.
        let _ = reply.send(made);
    };
    let started = thread::Builder::new().name("table-store-backup".to_owned()).spawn(work);
    started.map_err(|error| StorageFault::Io(Arc::new(error)))?;
    // The thread always sends a result unless it panics.
    answer.await.unwrap_or_else(|_| {
        Err(StorageFault::Bug { what: "the backup thread ended without a result".to_owned() }.into())
    })
}

fn to_file(
    source: &dyn Engine,
    options: &OpenOptions,
    path: &Path,
    stopped: &dyn Fn() -> bool,
) -> Result<Backup, BackupError> {
    let taken = || BackupError::Taken { place: path.into() };
    let fill = |disk: Arc<dyn Disk>| {
        let records = to_disk(source, &disk, path, options.page_sums, stopped)?;
        let file_bytes = disk.len().map_err(|error| target(path, StorageFault::Io(Arc::new(error))))?;
        Ok(Backup { records, file_bytes })
    };
    match file::create(path, &*options.random, fill) {
        Ok(made) => made.ok_or_else(taken),
        Err(BackupError::File(OpenError::Missing { place })) => Err(BackupError::NoFolder { place }),
        Err(error) => Err(error),
    }
}

/// Copies one snapshot of the engine to an empty disk.
fn to_disk(
    source: &dyn Engine,
    disk: &Arc<dyn Disk>,
    path: &Path,
    summed: bool,
    stopped: &dyn Fn() -> bool,
) -> Result<u64, BackupError> {
    let copied = engine::view(source, |read| {
        // The closure may be called again: truncate the result of the first call.
        let emptied = disk.set_len(0).map_err(|error| StorageFault::Io(Arc::new(error)));
        let made = emptied.and_then(|()| FileEngine::create(Arc::clone(disk), CACHE_BYTES, summed));
        let copied = made.map_err(|fault| target(path, fault)).and_then(|engine| {
            let records = copy(read, &engine, path, stopped)?;
            Ok((engine, records))
        });
        Ok(copied)
    });
    let (engine, records) = copied.map_err(|error| match error.fault() {
        Some(fault) => BackupError::Store(fault.clone()),
        None => BackupError::Store(StorageFault::Bug { what: error.to_string() }),
    })??;
    // A closed store releases its lock. From then on another process may overwrite pages that are being read.
    if source.is_closed() {
        return Err(StorageFault::Closed.into());
    }
    // The pages are full, but the file has grown in large steps.
    engine.compact().and_then(|()| engine.close()).map_err(|fault| target(path, fault))?;
    // The last check for cancellation before the file gets its name.
    if stopped() { Err(StorageFault::Closed.into()) } else { Ok(records) }
}

/// Copies all records of a snapshot in one commit. Fails at a damaged record, because a backup must be sound.
pub(crate) fn copy(
    read: &dyn Read,
    engine: &FileEngine,
    path: &Path,
    stopped: &dyn Fn() -> bool,
) -> Result<u64, BackupError> {
    let mut records = 0_u64;
    engine
        .load(|push| {
            let mut ended = Ok(());
            let scanned = read.scan(&[], &TableId(u32::MAX).end(), &mut |key, record| {
                ended = if records.is_multiple_of(ROUND) && stopped() {
                    Err(StorageFault::Closed.into())
                } else {
                    let sound = checksum::unseal(key, record).map_err(BackupError::Store);
                    sound.and_then(|_| push(key, record).map_err(|fault| target(path, fault)))
                };
                records += 1;
                if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            scanned.map_err(BackupError::Store).and(ended)
        })
        .map_err(|fault| target(path, fault))??;
    Ok(records)
}

/// Creates the error of a fault of the new file.
pub(crate) fn target(path: &Path, fault: StorageFault) -> BackupError {
    BackupError::File(OpenError::Storage { place: path.into(), fault })
}
