//! Bulk load of ordered records, used by backups.

use std::ops::Bound;

use ::redb::CursorError;

use table_model::StorageFault;

use super::{Failure, FileEngine, RECORDS};

/// Callback that accepts the next record.
pub(crate) type Push<'p> = &'p mut dyn FnMut(&[u8], &[u8]) -> Result<(), StorageFault>;

impl FileEngine {
    /// Appends the records that `fill` pushes, in one commit. Keys must be ascending. If `fill` returns an error,
    /// nothing changes. The outer error is an error of this engine.
    ///
    /// Pages are filled in order and written once, so they are completely filled. The data for a fast opening is
    /// written by the close, at a position that does not extend the file.
    pub(crate) fn load<E>(
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
