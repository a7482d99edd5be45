//! Writes of entities whose response was lost.
//!
//! One state is evidence: a row that still has the version that an operation requires. In that state no operation was
//! done, since a transaction is atomic, and the operations are retried. At most one copy of the request can match that
//! version.
//!
//! No other state is evidence. Another client can have caused it: a row with the properties that were sent, or a
//! missing row that the operations would delete. A copy without a version can take effect after a second copy was
//! acknowledged, and undo later acknowledged writes. The outcome is unknown then.

use table_model::{Condition, ETag, Operation, Result, TableError, TableName, Written};

use super::Inner;

/// Maximum number of retries.
const RESENT: u32 = 4;

impl Inner {
    /// Retries operations while it is certain that they were not done.
    ///
    /// # Errors
    ///
    /// Returns `lost` if the outcome is unknown.
    pub(super) async fn settle(
        &self,
        table: &TableName,
        operations: &[Operation],
        lost: TableError,
    ) -> Result<Vec<Written>> {
        for _ in 0..RESENT {
            if !matches!(self.is_open(table, operations).await, Ok(true)) {
                return Err(lost);
            }
            let sent = match operations {
                [operation] => self.send_one(table, operation).await.map(|written| vec![written]),
                operations => self.send_batch(table, operations).await,
            };
            match sent {
                Ok(written) => return Ok(written),
                Err(error) if error.is_outcome_unknown() => {}
                // An earlier copy may have been done.
                Err(_) => return Err(lost),
            }
        }
        Err(lost)
    }

    /// Returns `true` if the operations were not done and at most one copy of them can take effect.
    async fn is_open(&self, table: &TableName, operations: &[Operation]) -> Result<bool> {
        let guarded = operations.iter().find_map(|operation| Some((operation, required(operation)?)));
        let Some((operation, required)) = guarded else { return Ok(false) };
        let rows = self.find(table, (operation.partition_key(), operation.row_key()), None).await?;
        Ok(rows.get(0).is_some_and(|row| row.etag == required))
    }
}

/// Returns the version that an operation requires.
fn required(operation: &Operation) -> Option<&ETag> {
    match operation {
        Operation::Replace(_, Condition::Matches(etag))
        | Operation::Merge(_, Condition::Matches(etag))
        | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag),
        _ => None,
    }
}
