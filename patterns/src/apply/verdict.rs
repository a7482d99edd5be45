//! Result of the comparison of rows with their entities, while workers may still apply commit records.

use table_model::{ETag, Filter, Query};

use crate::{
    Address, DifferenceKind, Error, Tables,
    core::{
        error::may_pass,
        outbox::{AffectedRow, Commit, FIRST, LAST},
        rule::Rule,
    },
};

/// Maximum number of checks of a row that concurrent writers change.
pub(crate) const ATTEMPTS: u32 = 64;

/// A row with a difference.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) what: DifferenceKind,
    /// Rule that the row belongs to. `None` for a blob, and for an entity that cannot be decoded.
    pub(crate) rule: Option<Rule>,
    pub(crate) address: Address,
    pub(crate) entity: Option<Address>,
    /// ETag of the row. `None` if it does not exist.
    pub(crate) etag: Option<ETag>,
}

impl Finding {
    /// Returns whether the entities determine the correct state. Otherwise a repair leaves the row.
    pub(crate) const fn is_repairable(&self) -> bool {
        use DifferenceKind::{Lost, Taken, Unknown, Unreadable};
        !matches!(self.what, Taken | Unreadable | Unknown | Lost)
    }
}

/// Result of checking some rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) findings: Vec<Finding>,
    /// Number of rows that are out of date and named in a commit record.
    pub(crate) lagging: u64,
    /// Whether the entity requires a row that was checked.
    pub(crate) required: bool,
}

/// Returns `true` if a commit in the partition of the entity names a row that matches the predicate.
pub(crate) async fn names(
    tables: &Tables,
    entity: &Address,
    is_such: impl Fn(&AffectedRow) -> bool,
) -> Result<bool, Error> {
    let filter = Filter::eq("PartitionKey", entity.partition_key.as_str())
        .and(Filter::ge("RowKey", FIRST))
        .and(Filter::lt("RowKey", LAST));
    let mut query = Query { filter: Some(filter), ..Query::default() };
    loop {
        let segment = match tables.service().query(&entity.table, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(false),
            other => other?,
        };
        for record in &segment.rows {
            let Some(commit) = Commit::read(&entity.table, record)? else { continue };
            if commit.touches.iter().any(&is_such) {
                return Ok(true);
            }
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(false);
        }
    }
}

/// Returns `true` for the error of a row that cannot be decoded, or whose values cannot be derived.
pub(crate) fn is_unreadable(error: &Error) -> bool {
    matches!(error, Error::Decode(_) | Error::Key(_) | Error::Property(_)) && !may_pass(error)
}
