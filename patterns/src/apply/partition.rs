//! Application of all commit records of one partition.

use std::collections::BTreeSet;

use table_model::{
    Filter, Query, TableName,
    outbox::{COMMIT_RECORD, RECORD_TYPE},
};

use super::{
    CatchUpReport,
    pass::{Applied, follow_row},
};
use crate::{
    Address, Error, Pending, Tables,
    core::{
        outbox::{FIRST, LAST},
        spec::{consistency::InPartition, filter::partition_eq},
    },
    handle::left::LeftCommits,
};

/// Result of one pass over a partition.
#[derive(Debug, Default)]
pub(crate) struct Worked {
    /// Number of commit records found, regardless of their outcome.
    pub(crate) found: usize,
    /// Tokens of the applied commits.
    pub(crate) done: BTreeSet<String>,
    pub(crate) pass: CatchUpReport,
    /// A transient failure. The other commits were applied nevertheless.
    pub(crate) failure: Option<Error>,
}

impl Tables {
    /// Applies all commits to one partition that exist at the time of the call. Sends one request, plus the requests
    /// for the updates.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// /// The index is in other partitions than the entities.
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_badge, partition = "badge_{badge:08}", row = "{department}_{id:06}", copy()))]
    /// struct Employee { department: String, id: u32, badge: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_deferred_updates();
    /// tables.insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// tables.catch_up_partition(&Employee::rows("Sales")).await?;
    /// assert_eq!(Employee::by_badge_rows(7).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the partition is invalid, and the first transient failure. The other commits are
    /// applied nevertheless.
    pub fn catch_up_partition(&self, partition: &impl InPartition) -> Pending<'_, CatchUpReport> {
        let partition = partition.partition();
        Box::pin(async move {
            let (table, partition_key) = partition?;
            let worked = work_off(self, &table, &partition_key).await?;
            self.warn_of(&worked.pass.reasons);
            worked.failure.map_or(Ok(worked.pass), Err)
        })
    }
}

fn records_in(partition_key: &str) -> Query {
    let keys = partition_eq(partition_key.to_owned())
        .and(Filter::ge("RowKey", FIRST))
        .and(Filter::lt("RowKey", LAST))
        // Excludes abort records, which remain for days.
        .and(Filter::eq(RECORD_TYPE, COMMIT_RECORD));
    Query { filter: Some(keys), ..Query::default() }
}

/// Applies all commits of a partition that have commit records.
pub(crate) async fn work_off(
    tables: &Tables,
    table: &TableName,
    partition_key: &str,
) -> Result<Worked, Error> {
    let mut worked = Worked::default();
    let mut query = records_in(partition_key);
    loop {
        let segment = match tables.service().query(table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(worked),
            other => other?,
        };
        for row in &segment.rows {
            let Some(row_key) = row.row_key else { continue };
            let record = Address {
                table: table.clone(),
                partition_key: partition_key.to_owned(),
                row_key: row_key.to_owned(),
            };
            let token = row_key.strip_prefix(FIRST).unwrap_or_default().to_owned();
            let outcome = follow_row(tables, &record, row).await;
            worked.found += usize::from(!matches!(outcome, Ok(Applied::NoRecord)));
            match outcome {
                Ok(outcome) => {
                    if matches!(outcome, Applied::Done) {
                        worked.done.insert(token);
                    }
                    worked.pass.count(outcome);
                }
                Err(error) => {
                    worked.pass.leave(LeftCommits::of("", &error));
                    worked.failure.get_or_insert(error);
                }
            }
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(worked);
        }
    }
}
