//! Commit records that a reader applies before it reads.
//!
//! A reader is guaranteed a result, so it skips no record: a record that cannot be applied is an error. A dead-lettered
//! record is applied in place, so that it needs no retry once the cause is removed.

use table_model::{Filter, Query, TableName};

use super::conclude;
use crate::{
    Address, Error, Tables,
    core::{
        error::may_pass,
        outbox::{Commit, FIRST, LAST_DEAD_LETTER},
        spec::filter::partition_eq,
    },
};

/// Applies the commits that concern an entity: all commits that name a row of it, and the commit with this token.
pub(crate) async fn apply_of_entity(
    tables: &Tables,
    entity: &Address,
    token: Option<&str>,
) -> Result<(), Error> {
    let concerns =
        |commit: &Commit| commit.names(&entity.row_key) || token == Some(commit.receipt.token.as_str());
    apply(tables, &entity.table, &entity.partition_key, concerns).await
}

/// Applies all commits of a partition that exist at the time of the call.
pub(crate) async fn apply_all(tables: &Tables, table: &TableName, partition_key: &str) -> Result<(), Error> {
    apply(tables, table, partition_key, |_| true).await
}

async fn apply(
    tables: &Tables,
    table: &TableName,
    partition_key: &str,
    concerns: impl Fn(&Commit) -> bool + Send,
) -> Result<(), Error> {
    for commit in records(tables, table, partition_key).await?.iter().filter(|commit| concerns(commit)) {
        match conclude(tables, commit).await {
            Err(cause) if commit.is_dead_lettered && !may_pass(&cause) => {
                return Err(Error::DeadLettered {
                    record: Box::new(commit.record()),
                    cause: Box::new(cause),
                });
            }
            other => other?,
        }
    }
    Ok(())
}

/// Returns the records of a partition, read in one range: pending records first, then dead-lettered records.
pub(crate) async fn records(
    tables: &Tables,
    table: &TableName,
    partition_key: &str,
) -> Result<Vec<Commit>, Error> {
    let keys = partition_eq(partition_key.to_owned())
        .and(Filter::ge("RowKey", FIRST))
        .and(Filter::lt("RowKey", LAST_DEAD_LETTER));
    let mut query = Query { filter: Some(keys), ..Query::default() };
    let mut commits = Vec::new();
    loop {
        let segment = match tables.service().query(table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(commits),
            other => other?,
        };
        for row in &segment.rows {
            commits.extend(Commit::read(table, row)?);
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(commits);
        }
    }
}
