//! Orphan sweep: finds and deletes orphans by reading the tables.

use std::time::Duration;

use table_model::{
    Condition, ETag, Filter, Operation, RowRef, TableName, Timestamp, outbox::is_abort_record,
};

use crate::{
    Address, Error, Job, LeftCommits, Pending, Sweep, Tables,
    apply::{Applied, follow_row, wakeup::claim::abandon},
    core::{
        cross_partition_row::{PENDING, STATE, STUB},
        entity_types::EntityInfo,
        outbox::{DEAD_LETTERS, FIRST, LAST, LAST_DEAD_LETTER},
        rule::Rule,
    },
    maintain::sweep::{Patience, Walk, WalkPage, address_of},
    pattern::{aggregate::target_entity::is_placeholder, unique::reserve::reservation},
};

/// Key prefix of the idempotency records of steps, and the upper bound of their keys.
const STEPS: &str = "!m_";
const LAST_STEP: &str = "!n";

/// Minimum age of an abort record before it is deleted. A request of an attempt that was aborted this long ago can no
/// longer take effect, with any reasonable allowance for clocks and networks.
const MARKERS_STAY: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Minimum age of a placeholder row or a reservation before it is deleted. Work in progress with an older row has to
/// start again.
const STUBS_STAY: Duration = Duration::from_secs(60 * 60);

/// Number of retries that the rows of one page share.
const RETRIES: u32 = 20;
/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::sweep`].
#[derive(Debug)]
pub struct OrphanSweep {
    began: Timestamp,
    /// Minimum age of idempotency records to delete. `None` keeps all of them.
    steps_older_than: Option<Duration>,
}

/// Result of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepReport {
    /// Commit records that were found and applied.
    pub followed: u64,
    /// Commit records that remain: their entity type is not registered, or they failed and will be retried.
    pub left: u64,
    /// Reasons for the remaining commit records, with one entry for each combination of entity type, index and reason.
    pub reasons: Vec<LeftCommits>,
    /// Commit records that were dead-lettered, in this sweep or before. See [`Tables::retry_dead_letters`].
    pub dead_lettered: u64,
    /// Abort records that were deleted.
    pub aborted: u64,
    /// Empty placeholder rows in other partitions that were deleted.
    pub stubs: u64,
    /// Reservations of unique values that were deleted, because no write committed them.
    pub reservations: u64,
    /// Idempotency records of steps that were deleted. See [`Sweep::expire_step_records_older_than`].
    pub steps: u64,
    /// Rows that could not be processed, although transient failures were retried. The next sweep finds them again.
    pub failed: u64,
    /// Failures with their reasons, at most 1,000.
    pub failures: Vec<(Address, String)>,
}

impl Tables {
    /// Creates a sweep that finds orphans: commit records whose wake-up messages were lost, abort records older than 7
    /// days, empty placeholder rows of workers that died, and reservations that no write committed. Commit records are
    /// applied. The other rows are deleted, each only in the version that was read. Concurrent writes are safe. A row
    /// with values of an entity that does not exist (yet) is not a placeholder, and is kept.
    ///
    /// The sweep covers the tables of all entity types that are [registered](Self::register_entity) with the handle, of
    /// their indexes, and of the entities that contain their aggregates or copied fields. It selects rows by key
    /// prefix. On a service without a list of commit records, this is a table scan, intended to run once a week or
    /// after a queue was lost; no other operation requires a scan. Entities with a table for each period are not
    /// included.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, partition = "badge_{badge:08}", row = "{department}_{id:06}"))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.register_entity::<Employee>();
    /// let swept = tables.sweep().run().await?;
    /// assert_eq!((swept.followed, swept.left), (0, 0));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn sweep(&self) -> Sweep<OrphanSweep> {
        let tables: Result<Vec<Vec<TableName>>, Error> =
            self.kinds().all().into_iter().map(tables_of).collect();
        let walk =
            tables.map(|tables| Walk::new("sweep", "what is left over", tables.concat(), Some(leftovers())));
        Sweep::new(self, OrphanSweep { began: self.now(), steps_older_than: None }, walk)
    }
}

impl Sweep<OrphanSweep> {
    /// Includes the idempotency records of task steps ([`Transaction::once`](crate::Transaction::once)) in the sweep:
    /// records older than `age` are deleted. By default they are kept.
    ///
    /// Task messages never expire, so choose an age greater than the maximum duration of a task, including all delays
    /// and retries. A step whose idempotency record was deleted can be executed again.
    pub fn expire_step_records_older_than(mut self, age: Duration) -> Self {
        self.job().steps_older_than = Some(age);
        self
    }
}

/// Returns the tables that can contain orphans of an entity type.
fn tables_of(kind: EntityInfo) -> Result<Vec<TableName>, Error> {
    if kind.is_per_period() {
        return Ok(Vec::new());
    }
    std::iter::once(kind.table()).chain(kind.rules().map(Rule::table)).collect()
}

fn leftovers() -> Filter {
    let between = |first: &str, end: &str| Filter::ge("RowKey", first).and(Filter::lt("RowKey", end));
    between(STEPS, LAST_STEP)
        .or(between(FIRST, LAST))
        .or(between(DEAD_LETTERS, LAST_DEAD_LETTER))
        .or(Filter::eq(STATE, STUB))
        .or(Filter::eq(STATE, PENDING))
}

impl Job for OrphanSweep {
    type Report = SweepReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, SweepReport> {
        Box::pin(async move {
            let (mut swept, mut patience) = (SweepReport::default(), Patience::new(RETRIES));
            for row in &page.rows {
                let Some(address) = address_of(&page.table, row) else { continue };
                let outcome = loop {
                    match self.look(tables, &address, row, &mut swept).await {
                        Err(error) if patience.is_to_retry(tables, &error).await => {}
                        outcome => break outcome,
                    }
                };
                if let Err(error) = outcome {
                    swept.left += u64::from(address.row_key.starts_with(FIRST));
                    swept.failed += 1;
                    swept.failures.push((address, error.to_string()));
                }
            }
            tables.warn_of(&swept.reasons);
            Ok(swept)
        })
    }

    fn add(report: &mut SweepReport, page: SweepReport) {
        report.followed += page.followed;
        report.left += page.left;
        for left in page.reasons {
            left.add_to(&mut report.reasons);
        }
        report.dead_lettered += page.dead_lettered;
        report.aborted += page.aborted;
        report.stubs += page.stubs;
        report.reservations += page.reservations;
        report.steps += page.steps;
        report.failed += page.failed;
        let room = MOST_LISTED.saturating_sub(report.failures.len());
        report.failures.extend(page.failures.into_iter().take(room));
    }
}

impl OrphanSweep {
    async fn look(
        &self,
        tables: &Tables,
        address: &Address,
        row: RowRef<'_>,
        swept: &mut SweepReport,
    ) -> Result<(), Error> {
        let begins = |first| address.row_key.starts_with(first);
        if begins(DEAD_LETTERS) {
            swept.dead_lettered += 1;
        } else if begins(FIRST) && is_abort_record(row.properties) {
            swept.aborted += self.remove(tables, address, row, MARKERS_STAY).await?;
        } else if begins(FIRST) {
            match follow_row(tables, address, row).await? {
                Applied::Done => swept.followed += 1,
                Applied::Left(left) => {
                    swept.left += 1;
                    left.add_to(&mut swept.reasons);
                }
                Applied::DeadLettered => swept.dead_lettered += 1,
                Applied::Gone | Applied::NoRecord => {}
            }
        } else if begins(STEPS) {
            if let Some(age) = self.steps_older_than {
                swept.steps += self.remove(tables, address, row, age).await?;
            }
        } else if is_placeholder(row) {
            swept.stubs += self.remove(tables, address, row, STUBS_STAY).await?;
        } else if self.is_older(row, STUBS_STAY)
            && let Some(attempt) = reservation(row)
        {
            swept.reservations += u64::from(abandon(tables, address, &attempt).await?);
        }
        Ok(())
    }

    fn is_older(&self, row: RowRef<'_>, age: Duration) -> bool {
        row.timestamp.is_some_and(|written| written.saturating_add(age) < self.began)
    }

    /// Deletes a row that is older than `age`, unless it was written since it was read. Returns the number of deleted
    /// rows.
    async fn remove(
        &self,
        tables: &Tables,
        address: &Address,
        row: RowRef<'_>,
        age: Duration,
    ) -> Result<u64, Error> {
        if !self.is_older(row, age) {
            return Ok(0);
        }
        let Address { table, partition_key, row_key } = address.clone();
        let etag: ETag = row.etag.clone();
        let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
        match tables.execute(&table, &delete).await {
            Ok(_) => Ok(1),
            Err(error) if error.is_conflict() || error.is_not_found() => Ok(0),
            Err(error) => Err(error),
        }
    }
}
