//! A copy of a store that is in use, in a file of its own.
//!
//! The copy is made of one view: all that was acknowledged before it began, and nothing of what comes later. Readers and
//! writers go on meanwhile; what they write takes new pages, as the view holds on to the old ones until the copy is made.

mod error;
#[cfg(test)]
mod tests;
mod under_way;

pub use error::BackupError;
pub(super) use under_way::UnderWay;

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use futures_channel::oneshot;

use super::{
    core::Core,
    disk::Disk,
    engine::{self, Engine, Read, RedbEngine},
    file,
    keys::TableId,
    refusal::OpenError,
    seal,
};
use crate::StorageFault;

/// Bytes of memory for pages of the copy. Each is written once, so more would not make it faster.
const CACHE_BYTES: usize = 32 << 20;

/// Records between two looks at whether somebody still waits for the copy.
const ROUND: u64 = 1_024;

/// A copy that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// Records in it, the store's own among them.
    pub records: u64,
    /// Bytes of the file.
    pub file_bytes: u64,
}

/// Makes a copy on a thread of its own, as it takes long and blocks. It is given up when the future is dropped, soon after;
/// who closes the store waits for that.
pub(super) async fn backup(core: Arc<Core>, path: PathBuf) -> Result<Backup, BackupError> {
    let (reply, answer) = oneshot::channel();
    let making = core.copies.begin();
    let work = move || {
        let _making = making;
        let made = to_file(&core, &path, &|| reply.is_canceled());
        // Who has gone away needs no answer.
        let _ = reply.send(made);
    };
    let started = thread::Builder::new().name("table-store-backup".to_owned()).spawn(work);
    started.map_err(|error| StorageFault::Io(Arc::new(error)))?;
    // It answers unless it panics.
    answer.await.unwrap_or_else(|_| Err(StorageFault::Bug { what: "the copying ended".to_owned() }.into()))
}

fn to_file(core: &Core, path: &Path, stopped: &dyn Fn() -> bool) -> Result<Backup, BackupError> {
    let taken = || BackupError::Taken { place: path.into() };
    if fs::symlink_metadata(path).is_ok() {
        return Err(taken());
    }
    let fill = |disk: Arc<dyn Disk>| {
        let records = to_disk(&*core.engine, &disk, path, stopped)?;
        let file_bytes = disk.len().map_err(|error| target(path, StorageFault::Io(Arc::new(error))))?;
        Ok(Backup { records, file_bytes })
    };
    match file::create(path, &*core.options.random, fill) {
        Ok(made) => made.ok_or_else(taken),
        Err(BackupError::File(OpenError::Missing { place })) => Err(BackupError::NoFolder { place }),
        Err(error) => Err(error),
    }
}

/// Copies one view of the engine to an empty disk.
fn to_disk(
    source: &dyn Engine,
    disk: &Arc<dyn Disk>,
    path: &Path,
    stopped: &dyn Fn() -> bool,
) -> Result<u64, BackupError> {
    let copied = engine::view(source, |read| {
        // It may be called again: what the first call has left is no part of the copy.
        let emptied = disk.set_len(0).map_err(|error| StorageFault::Io(Arc::new(error)));
        let made = emptied.and_then(|()| RedbEngine::create(Arc::clone(disk), CACHE_BYTES));
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
    // A store that is closed gives up its lock: from then on others may write to pages that were being read.
    if source.is_closed() {
        return Err(StorageFault::Closed.into());
    }
    // The pages are full, but the file was made longer in large steps.
    engine.compact().and_then(|()| engine.close()).map_err(|fault| target(path, fault))?;
    // The last look before it has its name.
    if stopped() { Err(StorageFault::Closed.into()) } else { Ok(records) }
}

/// Copies all records of a view in one commit. A record that is damaged ends it: a backup is to be sound.
fn copy(
    read: &dyn Read,
    engine: &RedbEngine,
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
                    let sound = seal::unseal(key, record).map_err(BackupError::Store);
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

fn target(path: &Path, fault: StorageFault) -> BackupError {
    BackupError::File(OpenError::Storage { place: path.into(), fault })
}
