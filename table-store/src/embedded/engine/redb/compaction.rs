//! Giving space back.

use std::sync::PoisonError;

use ::redb::CompactionError;

use super::{Failure, RedbEngine};
use crate::StorageFault;

impl RedbEngine {
    /// Moves pages towards the beginning of the file and cuts off its end. Nobody reads or writes meanwhile.
    ///
    /// Each step of it is a commit that changes no record, so that it can be cut short anywhere. A file in which it was
    /// cut short is walked when it is opened: only the last commit saves what the engine needs to open at once.
    pub(super) fn give_space_back(&self) -> Result<(), StorageFault> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (generation, compacted) = {
            let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
            // The engine moves no page that somebody reads.
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
            // So that what is asked of it next, to be closed at least, goes on.
            let _ = self.reopen(generation);
            failure.into_fault()
        })
    }
}

impl From<CompactionError> for Failure {
    fn from(error: CompactionError) -> Self {
        match error {
            CompactionError::Storage(error) => error.into(),
            other => StorageFault::Bug { what: other.to_string() }.into(),
        }
    }
}
