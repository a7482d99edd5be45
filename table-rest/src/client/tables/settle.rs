//! What became of writes whose answers were lost: found out by reading, as far as reading tells.
//!
//! Either all operations were done or none was, so one of them that tells is enough:
//!
//! 1. A row that still has the version that an operation asks for: nothing was done. It is sent again, since of two copies
//!    only one can find that version.
//! 2. Entities that were inserted, all there and as they were sent: done. So is a delete whose entity is gone. Another may
//!    have done the very same; what is there is then what was to be.
//! 3. Writes without any condition: sent again, since to set the same values twice is to set them.
//!
//! All else is not known. Above all an insert that is not there is never sent again: it may have been done, and what it
//! made deleted by another. Nor does a row of another version show whose it is, even if it holds what was sent: of two who
//! count from 5 to 6 only one may.

use table_store::{
    Condition, ETag, Operation, Properties, PropertiesRef, Result, Rows, TableError, TableName, Timestamp,
    Written,
};

use super::{Inner, entity::written};

/// How often writes are sent again that were found not to have been done.
const RESENT: u32 = 4;

/// What is found of writes that were sent together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// They are done.
    Done,
    /// They are not, or it does no harm to do them twice.
    Open,
    /// Nobody can tell.
    Unknown,
}

impl Inner {
    /// Finds out what became of operations that were sent together, and sends them again where that is safe.
    pub(super) async fn settle(
        &self,
        table: &TableName,
        operations: &[Operation],
        lost: TableError,
    ) -> Result<Vec<Written>> {
        for _ in 0..RESENT {
            match self.found(table, operations).await {
                Ok(Found::Done) => return self.results(table, operations).await.map_err(|_| lost),
                Ok(Found::Open) => {}
                // What cannot be read tells nothing.
                Ok(Found::Unknown) | Err(_) => return Err(lost),
            }
            let sent = match operations {
                [operation] => self.send_one(table, operation).await.map(|written| vec![written]),
                operations => self.send_batch(table, operations).await,
            };
            match sent {
                Err(error) if error.is_unknown() => {}
                // The copy that was sent before may have been done, or may be done yet.
                Err(_) => {
                    let is_done = matches!(self.found(table, operations).await, Ok(Found::Done));
                    return if is_done {
                        self.results(table, operations).await.map_err(|_| lost)
                    } else {
                        Err(lost)
                    };
                }
                done => return done,
            }
        }
        Err(lost)
    }

    async fn found(&self, table: &TableName, operations: &[Operation]) -> Result<Found> {
        let mut witnesses = 0_usize;
        for operation in operations {
            if let Some(etag) = guard(operation) {
                let rows = self.row(table, operation).await?;
                let found = rows.get(0).map(|row| row.etag.clone());
                match (found, operation) {
                    (Some(found), _) if found == *etag => return Ok(Found::Open),
                    (None, Operation::Delete { .. }) => witnesses += 1,
                    _ => return Ok(Found::Unknown),
                }
            }
        }
        for operation in operations {
            let is_witness = match operation {
                Operation::Insert(entity) => {
                    let rows = self.row(table, operation).await?;
                    rows.get(0).is_some_and(|row| holds_exactly(row.properties, &entity.properties))
                }
                Operation::Delete { condition: Condition::Exists, .. } => {
                    self.row(table, operation).await?.is_empty()
                }
                _ => continue,
            };
            if !is_witness {
                return Ok(Found::Unknown);
            }
            witnesses += 1;
        }
        Ok(if witnesses > 0 { Found::Done } else { Found::Open })
    }

    /// The results of what was done. Where another has written since, the version is one that nothing has any more.
    async fn results(&self, table: &TableName, operations: &[Operation]) -> Result<Vec<Written>> {
        let mut results = Vec::with_capacity(operations.len());
        for operation in operations {
            let Some(sent) = operation.entity() else {
                results.push(Written::Deleted);
                continue;
            };
            let is_merge = matches!(operation, Operation::Merge(..) | Operation::InsertOrMerge(_));
            let rows = self.row(table, operation).await?;
            let is_as_sent = if is_merge { holds } else { holds_exactly };
            let found = rows.get(0).filter(|row| is_as_sent(row.properties, &sent.properties));
            results.push(match found {
                Some(row) => written(row.etag.clone(), row.timestamp),
                None => written(ETag::from(Timestamp::UNIX_EPOCH), None),
            });
        }
        Ok(results)
    }

    async fn row(&self, table: &TableName, operation: &Operation) -> Result<Rows> {
        self.find(table, (operation.partition_key(), operation.row_key()), None).await
    }
}

/// The version that an operation asks for.
fn guard(operation: &Operation) -> Option<&ETag> {
    match operation {
        Operation::Replace(_, Condition::Matches(etag))
        | Operation::Merge(_, Condition::Matches(etag))
        | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag),
        _ => None,
    }
}

/// Whether a row has all that was sent, and nothing else.
fn holds_exactly(row: PropertiesRef<'_>, sent: &Properties) -> bool {
    row.len() == sent.len() && holds(row, sent)
}

/// Whether a row has all that was sent.
fn holds(row: PropertiesRef<'_>, sent: &Properties) -> bool {
    sent.refs().all(|(name, value)| row.get(name) == Some(value))
}
