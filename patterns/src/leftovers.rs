//! What nobody looks for any more: found by reading the tables.

use std::time::Duration;

use table_store::{Condition, ETag, Filter, Operation, RowRef, TableName, Timestamp};

use crate::{
    Address, Error, Job, LeftCommits, Pending, Sweep, Tables,
    follow::{
        Followed, STATE, STUB,
        claim::{PENDING, abandon, reservation},
        follow_row,
    },
    kinds::Kind,
    outbox::{FIRST, LAST, LAST_PARKED, PARKED, marker::is_marker},
    sink::is_placeholder,
    sweep::{Patience, Walk, WalkPage, address_of},
    tables::{table_named, table_of},
};

/// What the keys of markers of steps begin with, and what is above all of them.
const STEPS: &str = "!m_";
const LAST_STEP: &str = "!n";

/// A request of an attempt that was aborted so long ago does not land any more, by any doubt about clocks and networks.
const MARKERS_STAY: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A stub or a reservation that is so old is nobody's work in progress. Who put a younger one would have to begin again.
const STUBS_STAY: Duration = Duration::from_secs(60 * 60);

/// How many retries the rows of one page have together.
const RETRIES: u32 = 20;
/// How many failures are listed.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::sweep`].
#[derive(Debug)]
pub struct Leftovers {
    began: Timestamp,
    /// None to let them stay.
    steps_older_than: Option<Duration>,
}

/// What a sweep came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// Commits that were found and followed.
    pub followed: u64,
    /// Commits that are left: of entities that the handle does not know, or that failed and will be tried again.
    pub left: u64,
    /// Why commits are left: an entry for each entity type, index and reason.
    pub reasons: Vec<LeftCommits>,
    /// Commits that were given up, in this sweep or before: see [`Tables::retry_parked`].
    pub parked: u64,
    /// Markers of aborted attempts that went.
    pub aborted: u64,
    /// Empty placeholders in other partitions that were deleted.
    pub stubs: u64,
    /// Reservations of unique values that went: nobody had committed them.
    pub reservations: u64,
    /// Markers of steps that went: see [`Sweep::forget_steps_older_than`].
    pub steps: u64,
    /// Rows that could not be processed, though failures that may pass were retried. The next sweep finds them again.
    pub failed: u64,
    /// At most 1,000 of them, each with the reason.
    pub failures: Vec<(Address, String)>,
}

impl Tables {
    /// Finds what nobody looks for any more: commits whose hints were lost, markers of attempts that were aborted more than
    /// 7 days ago, empty placeholders that a worker left where it died, and values reserved for nobody. Commits are followed,
    /// the rest is deleted, each row only in the version that was found. Others may write meanwhile. A row that contains
    /// values of an entity that does not exist (yet) is no placeholder, and stays.
    ///
    /// It goes through the tables of all entities that the handle [knows](Self::knows), those of their indexes and of the
    /// entities that they are counted in or copied to, for rows by the beginning of their keys: on a service without a list
    /// of commit records that is a scan of the tables, for once a week or after a queue was lost. Nothing else needs one.
    /// Entities with a table for each period are left out.
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
    /// tables.knows::<Employee>();
    /// let swept = tables.sweep().run().await?;
    /// assert_eq!((swept.followed, swept.left), (0, 0));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn sweep(&self) -> Sweep<Leftovers> {
        let tables: Result<Vec<Vec<TableName>>, Error> =
            self.kinds().all().into_iter().map(tables_of).collect();
        let walk =
            tables.map(|tables| Walk::new("sweep", "what is left over", tables.concat(), Some(leftovers())));
        Sweep::new(self, Leftovers { began: self.now(), steps_older_than: None }, walk)
    }
}

impl Sweep<Leftovers> {
    /// Also takes away the markers by which steps of tasks are done once
    /// ([`Transaction::once`](crate::Transaction::once)), if they are older than this. Messages never expire, so only you
    /// know how long a task may take at most, with all the times that it is put off: a step whose marker is gone is done
    /// again. Without this they stay.
    pub fn forget_steps_older_than(mut self, age: Duration) -> Self {
        self.job().steps_older_than = Some(age);
        self
    }
}

/// The tables in which a kind may have left something.
fn tables_of(kind: Kind) -> Result<Vec<TableName>, Error> {
    if kind.design.tables.is_some() {
        return Ok(Vec::new());
    }
    let indexes = kind.design.indexes.iter().map(|index| table_named(index.table));
    let sinks = kind.design.feeds.iter().map(|feed| table_named((feed.sink)().table));
    std::iter::once(table_of(kind.design)).chain(indexes).chain(sinks).collect()
}

fn leftovers() -> Filter {
    let between = |first: &str, end: &str| Filter::ge("RowKey", first).and(Filter::lt("RowKey", end));
    between(STEPS, LAST_STEP)
        .or(between(FIRST, LAST))
        .or(between(PARKED, LAST_PARKED))
        .or(Filter::eq(STATE, STUB))
        .or(Filter::eq(STATE, PENDING))
}

impl Job for Leftovers {
    type Report = Swept;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, Swept> {
        Box::pin(async move {
            let (mut swept, mut patience) = (Swept::default(), Patience::new(RETRIES));
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

    fn add(report: &mut Swept, page: Swept) {
        report.followed += page.followed;
        report.left += page.left;
        for left in page.reasons {
            left.add_to(&mut report.reasons);
        }
        report.parked += page.parked;
        report.aborted += page.aborted;
        report.stubs += page.stubs;
        report.reservations += page.reservations;
        report.steps += page.steps;
        report.failed += page.failed;
        let room = MOST_LISTED.saturating_sub(report.failures.len());
        report.failures.extend(page.failures.into_iter().take(room));
    }
}

impl Leftovers {
    async fn look(
        &self,
        tables: &Tables,
        address: &Address,
        row: RowRef<'_>,
        swept: &mut Swept,
    ) -> Result<(), Error> {
        let begins = |first| address.row_key.starts_with(first);
        if begins(PARKED) {
            swept.parked += 1;
        } else if begins(FIRST) && is_marker(row) {
            swept.aborted += self.remove(tables, address, row, MARKERS_STAY).await?;
        } else if begins(FIRST) {
            match follow_row(tables, address, row).await? {
                Followed::Done => swept.followed += 1,
                Followed::Left(left) => {
                    swept.left += 1;
                    left.add_to(&mut swept.reasons);
                }
                Followed::Parked => swept.parked += 1,
                Followed::Gone | Followed::NoRecord => {}
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

    /// Takes away a row that is older than this, unless it was written since it was read. How many went.
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
