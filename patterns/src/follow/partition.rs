//! All commit records of one partition, worked off.

use std::collections::BTreeSet;

use table_store::{Filter, Query, TableName};

use super::{
    LeftCommits, Pass,
    pass::{Followed, follow_row},
};
use crate::{
    Address, Error, Pending, Tables,
    outbox::{FIRST, LAST},
    query::{InPartition, partition_eq},
};

/// What one pass over a partition came to.
#[derive(Debug, Default)]
pub(crate) struct Worked {
    /// How many commit records were there, whatever became of them.
    pub(crate) found: usize,
    /// The tokens of those that were followed.
    pub(crate) done: BTreeSet<String>,
    pub(crate) pass: Pass,
    /// A failure that may pass by itself; the rest was followed all the same.
    pub(crate) failure: Option<Error>,
}

impl Tables {
    /// Follows all commits to one partition that were there at the time of the call. One request, and what must follow.
    pub fn settle_partition(&self, partition: &impl InPartition) -> Pending<'_, Pass> {
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
        // Not the markers of aborted attempts, which stay for days.
        .and(Filter::eq("_k", "c"));
    Query { filter: Some(keys), ..Query::default() }
}

/// Follows all commits of a partition whose records are there.
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
            worked.found += usize::from(!matches!(outcome, Ok(Followed::NoRecord)));
            match outcome {
                Ok(outcome) => {
                    if matches!(outcome, Followed::Done) {
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
