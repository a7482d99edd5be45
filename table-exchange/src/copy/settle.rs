//! Writes of one difference after another: the operations, and their repetition after a concurrent change.

use futures_util::future::try_join;
use table_model::{ErrorCode, Operation, Result, RowRef, TableError};

use super::{Difference, DifferenceKind, TableCopy, same::same};
use crate::send::is_about_entity;

/// Maximum number of attempts for an entity that others change at the target.
const ATTEMPTS: u32 = 16;

impl TableCopy<'_> {
    /// Returns the write that makes the target equal to the source; `None` if they are equal.
    pub(super) fn operation(source: Option<RowRef<'_>>, target: Option<RowRef<'_>>) -> Option<Operation> {
        match (source, target) {
            (Some(source), Some(target)) if same(source.properties, target.properties) => None,
            (Some(source), Some(target)) => {
                Some(Operation::Replace(source.to_entity()?, target.etag.clone().into()))
            }
            (Some(source), None) => source.to_entity().map(Operation::Insert),
            (None, Some(target)) => Some(Operation::Delete {
                partition_key: target.partition_key?.to_owned(),
                row_key: target.row_key?.to_owned(),
                condition: target.etag.clone().into(),
            }),
            (None, None) => None,
        }
    }

    /// Reads an entity on both sides again after a rejected write, and writes it until both are equal. Returns the
    /// difference that remains.
    pub(super) async fn settle(&self, rejected: &Operation, error: TableError) -> Result<Option<Difference>> {
        let (partition, row) = (rejected.partition_key(), rejected.row_key());
        let remains = |kind, error| Ok(Some(Difference::of(rejected, kind, error)));
        let (mut kind, mut error) = (DifferenceKind::of(rejected), error);
        for _ in 0..ATTEMPTS {
            if !is_concurrent(&error) {
                break;
            }
            let source = self.from.find(self.table, partition, row, None);
            let target = self.to.find(self.table, partition, row, None);
            let (source, target) = try_join(source, target).await?;
            let Some(operation) = Self::operation(source.get(0), target.get(0)) else { return Ok(None) };
            kind = DifferenceKind::of(&operation);
            if kind == DifferenceKind::Extra && !self.deletes_extra {
                // It was deleted at the source after it was read.
                return remains(kind, None);
            }
            match self.to.execute(self.table, &operation).await {
                Ok(_) => return Ok(None),
                Err(again) if is_about_entity(&again) => error = again,
                Err(error) => return Err(error),
            }
        }
        remains(kind, Some(error))
    }
}

/// Returns whether a write was rejected because the target changed after it was read.
fn is_concurrent(error: &TableError) -> bool {
    matches!(
        error.code(),
        ErrorCode::EntityAlreadyExists
            | ErrorCode::ResourceNotFound
            | ErrorCode::UpdateConditionNotSatisfied
            | ErrorCode::ConditionNotMet
    )
}
