//! Compaction of the file.

use std::sync::PoisonError;

use ::redb::CompactionError;

use table_model::StorageFault;

use super::{Failure, FileEngine};

impl FileEngine {
    /// Moves pages towards the start of the file and truncates it, without concurrent reads and writes. A reader with a
    /// snapshot is an error: to wait for it would block all later readers as well.
    ///
    /// Each step is a commit that changes no record, so the compaction can be interrupted at any time. An interrupted
    /// file requires a full walk when it is opened, because only the last commit stores the data for a fast opening.
    pub(super) fn give_space_back(&self) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (generation, compacted) = {
            let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
            // The engine does not move pages that are in use by a reader.
            open.latest.pass();
            let (closed, trial) = (open.closed, open.attachment.is_trial());
            let compacted = match open.database.as_mut() {
                Some(database) if !trial => database.compact().map_err(Failure::from),
                _ if closed => Err(Failure::closed()),
                _ => Err(Failure::stale()),
            };
            (open.generation, compacted)
        };
        compacted.map(drop).map_err(|failure| {
            let fault = failure.into_fault();
            // Nothing was changed for a reader, who continues.
            if !matches!(fault, StorageFault::BeingRead) {
                // Keeps the engine usable, at least for the following close.
                let _ = self.reopen(generation);
            }
            fault
        })
    }
}

impl From<CompactionError> for Failure {
    fn from(error: CompactionError) -> Self {
        match error {
            CompactionError::Storage(error) => error.into(),
            // The writer is locked, so this is a transaction of a reader.
            CompactionError::TransactionInProgress => StorageFault::BeingRead.into(),
            other => StorageFault::Bug { what: other.to_string() }.into(),
        }
    }
}
