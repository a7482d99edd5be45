//! Application of all commit records.

use std::collections::BTreeMap;

use table_model::{
    Filter, Query, RowRef,
    outbox::{OutboxKind, OutboxRow},
};

use super::{conclude, park::give_up};
use crate::{
    Address, Error, Pending, Tables,
    apply::wakeup,
    core::{
        error::may_pass,
        outbox::{Commit, TRIES},
    },
    handle::left::LeftCommits,
};

/// Result of one pass over all commit records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatchUpReport {
    /// Number of commits that were applied: their rows in other partitions are up to date.
    pub followed: usize,
    /// Number of commits that were not applied, because their entity or index is not registered with this handle, or
    /// because they failed and will be retried.
    pub left: usize,
    /// Number of commits that were dead-lettered. They are kept with the reason until [`Tables::retry_dead_letters`].
    pub dead_lettered: usize,
    /// Reasons for commits that were not applied: one entry per entity type, index and reason.
    pub reasons: Vec<LeftCommits>,
}

impl CatchUpReport {
    pub(super) fn count(&mut self, outcome: Applied) {
        match outcome {
            Applied::Done => self.followed += 1,
            Applied::Left(left) => self.leave(*left),
            Applied::DeadLettered => self.dead_lettered += 1,
            Applied::Gone | Applied::NoRecord => {}
        }
    }

    pub(super) fn leave(&mut self, left: LeftCommits) {
        self.left += left.commits;
        left.add_to(&mut self.reasons);
    }

    /// Adds the result of another pass.
    pub(crate) fn add(&mut self, more: Self) {
        self.followed += more.followed;
        self.left += more.left;
        self.dead_lettered += more.dead_lettered;
        for left in more.reasons {
            left.add_to(&mut self.reasons);
        }
    }
}

/// Maximum number of records per request.
const MANY: usize = 500;

impl Tables {
    /// Applies all commits of any writer that exist at the time of the call, so that rows in other partitions show
    /// them. The call also terminates during concurrent writes.
    ///
    /// The embedded store lists its commit records. On a service without such a list (Azure, Azurite, Cosmos DB), this
    /// call receives the visible wake-up messages. It does not include commits whose message was received by another
    /// worker or whose writer is still running, and the result does not report these. [`Tables::catch_up_partition`]
    /// reads the records of one partition.
    ///
    /// Commits that this handle cannot apply are not an error, because another program may apply them.
    /// [`CatchUpReport::reasons`] contains their types, and a `tracing` warning reports each of them at most once per
    /// minute.
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
    /// assert!(Employee::by_badge_rows(7).all(&tables).await?.is_empty());
    /// tables.catch_up().await?;
    /// assert_eq!(Employee::by_badge_rows(7).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the first transient failure, after the other commits were applied. Returns [`Error::Collision`] if a
    /// registered type was rejected.
    pub fn catch_up(&self) -> Pending<'_, CatchUpReport> {
        Box::pin(async move {
            let mut pass = CatchUpReport::default();
            let mut failure = self.kinds().refused();
            let has_queues = self.queues().is_ok();
            // Without a list of commit records, wake-up messages contain their locations. Without queues as well, the
            // tables must be read.
            if self.service().capabilities().marks || !has_queues {
                for record in self.list_outbox(OutboxKind::Commits).await? {
                    match follow(self, &record).await {
                        Ok(outcome) => pass.count(outcome),
                        Err(error) => {
                            pass.leave(LeftCommits::of("", &error));
                            failure.get_or_insert(error);
                        }
                    }
                }
            }
            if has_queues && let Err(error) = wakeup::drain(self, &mut pass).await {
                failure.get_or_insert(error);
            }
            self.warn_of(&pass.reasons);
            failure.map_or(Ok(pass), Err)
        })
    }

    /// Returns the records that exist at the time of the call.
    pub(super) async fn list_outbox(&self, which: OutboxKind) -> Result<Vec<Address>, Error> {
        if !self.service().capabilities().marks {
            return self.scan_for(which).await;
        }
        let (mut found, mut after): (Vec<Address>, Option<OutboxRow>) = (Vec::new(), None);
        loop {
            let more = self.service().list_outbox(which, after.as_ref(), MANY).await?;
            let is_last = more.len() < MANY;
            after = more.last().cloned();
            found.extend(more.into_iter().map(|row| Address {
                table: row.table,
                partition_key: row.partition_key,
                row_key: row.row_key,
            }));
            if is_last {
                return Ok(found);
            }
        }
    }

    /// Finds the records by reading the tables of all registered entities. The cost depends on the size of the tables.
    async fn scan_for(&self, which: OutboxKind) -> Result<Vec<Address>, Error> {
        let mut found = BTreeMap::new();
        // Entities with a table per period have no rows in other partitions, so no commit records.
        for kind in self.kinds().all().into_iter().filter(|kind| !kind.is_per_period()) {
            let table = kind.table()?;
            let filter = Filter::ge("RowKey", which.prefix()).and(Filter::lt("RowKey", which.end()));
            let mut query = Query { filter: Some(filter), ..Query::default() };
            loop {
                let segment = match self.service().query(&table, query.clone()).await {
                    Err(error) if error.is_not_found() => break,
                    other => other?,
                };
                for row in &segment.rows {
                    if let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) {
                        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
                        let address = Address { table: table.clone(), partition_key, row_key };
                        found.insert(
                            (
                                table.folded().to_owned(),
                                address.partition_key.clone(),
                                address.row_key.clone(),
                            ),
                            address,
                        );
                    }
                }
                query.continuation = segment.continuation;
                if query.continuation.is_none() {
                    break;
                }
            }
        }
        Ok(found.into_values().collect())
    }
}

/// Result of processing one record.
pub(crate) enum Applied {
    Done,
    /// Another worker has already processed it.
    Gone,
    /// The row is not a commit record, for example an abort record.
    NoRecord,
    Left(Box<LeftCommits>),
    DeadLettered,
}

/// Processes one record. An error is transient.
pub(super) async fn follow(tables: &Tables, record: &Address) -> Result<Applied, Error> {
    let rows = tables.read(record, None).await?;
    match rows.get(0) {
        Some(row) => follow_row(tables, record, row).await,
        None => Ok(Applied::Gone),
    }
}

/// Processes one record that was read. An error is transient.
pub(crate) async fn follow_row(tables: &Tables, record: &Address, row: RowRef<'_>) -> Result<Applied, Error> {
    let failure = match Commit::read(&record.table, row) {
        Ok(None) => return Ok(Applied::NoRecord),
        Ok(Some(commit)) => {
            let entity = commit.touches.first().map_or("", |touch| &touch.maker.entity).to_owned();
            match conclude(tables, &commit).await {
                Ok(()) => return Ok(Applied::Done),
                // Another program, or another version of this program, can apply it.
                Err(
                    error @ (Error::UnregisteredEntity { .. }
                    | Error::NoSuchIndex { .. }
                    | Error::Registry(_)),
                ) => {
                    return Ok(Applied::Left(Box::new(LeftCommits::of(&entity, &error))));
                }
                Err(Error::Decode(error)) if error.is_of_other_version() => {
                    return Ok(Applied::Left(Box::new(LeftCommits::of(&entity, &error.into()))));
                }
                Err(error) if may_pass(&error) => return Err(error),
                Err(error) => (commit.tries, entity, error),
            }
        }
        Err(error) => (TRIES, String::new(), error),
    };
    let (tries, entity, error) = failure;
    let (etag, properties) = (row.etag.clone(), row.properties.to_properties());
    let left = LeftCommits::of(&entity, &error);
    give_up(tables, record, etag, properties, tries + 1, left).await
}
