//! A snapshot that is kept, for an engine above this one.

use std::{
    fmt,
    sync::{Arc, PoisonError},
};

use ::redb::ReadableDatabase;

use table_model::StorageFault;

use crate::{disk::Disk, refusal::Refusal};

use super::{
    Applied, FileEngine, HeadState, LogId, LogUse, RECORDS, Records, Snapshot, fault, fault::Failure, head,
};

/// Snapshot of one commit, with the position of the log that it contains.
pub(crate) struct Pinned {
    records: Arc<Records>,
    pub(crate) applied: Applied,
    /// Number of the opening of the file. Reads fail after the file was reopened.
    pub(crate) generation: u64,
}

/// Omits the records: redb prints the first and last of them.
impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pinned").field("applied", &self.applied).finish_non_exhaustive()
    }
}

impl Pinned {
    pub(crate) fn read(&self) -> Snapshot<'_> {
        Snapshot::new(&self.records)
    }
}

impl FileEngine {
    /// Returns a snapshot of the last commit.
    pub(crate) fn pin(&self) -> Result<Pinned, StorageFault> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let generation = open.generation;
        let pinned = match &open.database {
            Some(database) => (|| {
                let transaction = database.begin_read()?;
                let applied = Applied::read(&transaction)?;
                let records = Arc::new(transaction.open_table(RECORDS)?);
                Ok(Pinned { records, applied, generation })
            })(),
            None if open.closed => Err(Failure::closed()),
            None => Err(Failure::stale()),
        };
        pinned.map_err(Failure::into_fault)
    }

    /// Returns the number of bytes that the file occupies on the disk. It is extended in large steps.
    pub(crate) fn allocated(&self) -> Result<u64, StorageFault> {
        let allocated = self.disk.allocated().map_err(fault::io)?;
        Ok(allocated.min(self.disk.len().map_err(fault::io)?))
    }

    /// Returns the number of the current opening of the file.
    pub(crate) fn current_generation(&self) -> u64 {
        self.generation()
    }

    /// Returns whether commits are possible without reopening the file.
    pub(crate) fn is_writable(&self) -> bool {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.database.is_some() && !open.attachment.is_trial()
    }

    /// Reopens the file unless it was reopened since `generation`. After an error, reads may be possible.
    pub(crate) fn reopen_since(&self, generation: u64) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.reopen(generation)
    }

    /// Returns whether the file was not closed while a log was in use.
    pub(crate) fn needs_log(disk: &dyn Disk) -> Result<bool, Refusal> {
        Ok(matches!(head::read(disk)?, HeadState::Open(LogUse::Used(_))))
    }

    /// Records on stable storage that the log `id` is in use. The first log of a file also sets the feature bit that makes
    /// earlier versions reject the file.
    pub(crate) fn name_log(&self, id: LogId) -> Result<(), StorageFault> {
        let named = head::require_log(&*self.disk, &self.guard);
        let written = named.and_then(|()| HeadState::Open(LogUse::Used(id)).write(&*self.disk));
        written.and_then(|()| self.guard.sync()).map_err(fault::io)
    }
}
