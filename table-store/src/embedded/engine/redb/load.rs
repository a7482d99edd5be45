//! Filling an engine with records that are in order: what a copy is made by.

use std::ops::Bound;

use ::redb::CursorError;

use super::{Failure, RECORDS, RedbEngine};
use crate::StorageFault;

/// Takes the next record.
pub(in crate::embedded) type Push<'p> = &'p mut dyn FnMut(&[u8], &[u8]) -> Result<(), StorageFault>;

impl RedbEngine {
    /// Puts the records that `fill` pushes behind all others, in one commit. Keys ascend. Where `fill` has an error, nothing
    /// is changed. The outer error is one of this engine.
    ///
    /// Pages are filled in order and each is written once, so they are as full as they can be. What the engine needs to open
    /// at once is left to the closing, which puts it where it does not keep the file long.
    pub(in crate::embedded) fn load<E>(
        &self,
        fill: impl FnOnce(Push<'_>) -> Result<(), E>,
    ) -> Result<Result<(), E>, StorageFault> {
        self.load_all(fill).map_err(Failure::into_fault)
    }

    fn load_all<E>(&self, fill: impl FnOnce(Push<'_>) -> Result<(), E>) -> Result<Result<(), E>, Failure> {
        let transaction = self.begin_write()?;
        let mut table = transaction.open_table(RECORDS)?;
        let mut cursor = table.upper_bound_mut(Bound::<&[u8]>::Unbounded)?;
        let filled = fill(&mut |key, record| {
            cursor.insert_before(key, record).map_err(|error| Failure::from(error).into_fault())
        });
        let placed = cursor.close();
        drop(table);
        if filled.is_err() {
            transaction.abort()?;
            return Ok(filled);
        }
        placed?;
        transaction.commit()?;
        Ok(filled)
    }
}

impl From<CursorError> for Failure {
    fn from(error: CursorError) -> Self {
        match error {
            CursorError::Storage(error) => error.into(),
            other => Self::damaged(other.to_string()),
        }
    }
}
