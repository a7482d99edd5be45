//! Removal of records after the retention period. The last record of a partition always remains, so that a reader can
//! distinguish the end of the feed from records that were removed.

use std::time::Duration;

use table_model::{Condition, Operation, Query, RowRef, limits};

use super::{
    name::FeedName,
    partition::ahead,
    rows::{TIME, time},
};
use crate::{Error, Tables, core::spec::filter::keys_between};

/// Number of changes of a partition after which its writer removes old records.
const EVERY: u64 = 256;

/// Maximum number of transactions of a writer. They remove more rows than the changes since the last removal wrote.
pub(super) const AT_ONCE: usize = 6;

/// Returns whether a writer removes old records before it appends these records.
pub(super) const fn is_due(before: u64, after: u64) -> bool {
    before / EVERY != after / EVERY
}

/// Removes records of a partition that are older than the retention period, oldest first, in at most `most`
/// transactions. Returns the number of removed rows.
pub(super) async fn trim(
    tables: &Tables,
    feed: FeedName,
    partition_key: &str,
    most: usize,
) -> Result<u64, Error> {
    let Some(changes) = feed.design.changes else { return Ok(0) };
    let (now, keep) = (tables.now(), Duration::from_secs(changes.keep));
    let table = feed.table()?;
    let mut removed = 0;
    for _ in 0..most {
        let filter = keys_between(partition_key.to_owned(), feed.record(0), feed.last());
        let query = Query { filter: Some(filter), ..Query::default() };
        let query = query.select(["PartitionKey", "RowKey", "Timestamp", TIME]).top(top());
        let Some(segment) = ahead(tables.service().query(&table, query).await)? else { break };
        let last = segment.rows.iter().filter_map(|row| feed.parse(row.row_key?)).map(|(at, _)| at).max();
        let is_old = |row: &RowRef<'_>| {
            let number = row.row_key.and_then(|row_key| feed.parse(row_key)).map(|(number, _)| number);
            number < last && time(*row).is_some_and(|written| written.saturating_add(keep) < now)
        };
        let delete = |row: RowRef<'_>| Operation::Delete {
            partition_key: partition_key.to_owned(),
            row_key: row.row_key.unwrap_or_default().to_owned(),
            condition: Condition::Exists,
        };
        let deletes: Vec<_> =
            segment.rows.iter().take_while(is_old).take(limits::TRANSACTION_OPERATIONS).map(delete).collect();
        if deletes.is_empty() {
            break;
        }
        match tables.transact_own(&table, &deletes).await {
            Ok(()) => removed += u64::try_from(deletes.len()).unwrap_or_default(),
            // Another process removes the same records.
            Err(error) if error.is_not_found() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

/// Returns the number of rows per request: a transaction, and the record after it.
fn top() -> u32 {
    u32::try_from(limits::TRANSACTION_OPERATIONS + 2).unwrap_or(u32::MAX)
}
