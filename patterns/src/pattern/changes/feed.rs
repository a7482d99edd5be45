//! Reading a change feed.

use std::{fmt, marker::PhantomData};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Query, TableName, ValueRef};

use super::{
    event::ChangeEvent,
    name::FeedName,
    partition::{Part, Reader, ahead, mark_of},
    position::{ChangePosition, Mark},
    rows::PARTITION,
    trim,
};
use crate::{Address, Error, Pending, TableEntity, Tables, core::spec::filter::partition_eq};

/// An entity type with a change feed. Implemented by `#[table(changes)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no change feed",
    label = "changes are not recorded",
    note = "add #[table(changes)] to the struct"
)]
pub trait HasChanges: TableEntity {}

/// Number of partitions that are read concurrently.
const READS_AT_ONCE: usize = 16;

/// Default number of changes in a batch.
const BATCH: usize = 1_000;

/// Maximum number of transactions of a removal of old records per partition.
const TRIMS: usize = 10_000;

/// Reader of the changes of an entity type. Created by [`Tables::changes`].
#[must_use = "a change feed does nothing until it is read"]
pub struct ChangeFeed<'t, E> {
    tables: &'t Tables,
    position: ChangePosition,
    partition: Option<String>,
    batch: usize,
    entity: PhantomData<fn() -> E>,
}

/// Changes of one or more partitions. Those of one partition are in the order of their commits.
#[derive(Debug)]
pub struct ChangeBatch<E: TableEntity> {
    /// The changes.
    pub changes: Vec<ChangeEvent<E>>,
    /// The position after these changes. Save it after the changes were processed.
    pub position: ChangePosition,
    /// `true` if all partitions were read to their last change.
    pub is_end: bool,
    /// The first error of a partition whose next record cannot be decoded, for example because a newer version of the
    /// type wrote it. Its further changes are read when this program can decode the record; other partitions continue.
    pub blocked: Option<Error>,
}

impl Tables {
    /// Creates a reader of the committed changes of an entity type, from the oldest change that is recorded.
    ///
    /// The changes of one partition arrive in the order of their commits, and none is missing. A change arrives again
    /// if the reader restarts from a position before it.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug, PartialEq)]
    /// #[table(name = "Orders", partition = "{customer}", row = "{number:06}", changes(keep = "30d"))]
    /// struct Order { customer: String, number: u32, total: i64 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Order { customer: "jo".into(), number: 1, total: 5 }).await?;
    /// tables.merge(Order::patch("jo", 1).total(6)).await?;
    ///
    /// let mut feed = tables.changes::<Order>();
    /// let batch = feed.next_batch().await?;
    /// let totals: Vec<_> = batch.changes.iter().filter_map(|change| Some(change.new()?.total)).collect();
    /// assert_eq!(totals, [5, 6]);
    ///
    /// // Later, in another process:
    /// let saved = batch.position.to_string();
    /// let mut feed = tables.changes::<Order>().after(&saved.parse()?);
    /// assert!(feed.next_batch().await?.changes.is_empty());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn changes<E: HasChanges>(&self) -> ChangeFeed<'_, E> {
        let position = ChangePosition::start(FeedName::of(E::DESIGN), self.now());
        ChangeFeed { tables: self, position, partition: None, batch: BATCH, entity: PhantomData }
    }
}

impl<E: HasChanges> ChangeFeed<'_, E> {
    const NAME: FeedName = FeedName::of(E::DESIGN);

    /// Starts after a saved position.
    pub fn after(self, position: &ChangePosition) -> Self {
        Self { position: position.clone(), ..self }
    }

    /// Reads one partition only.
    pub fn partition(self, partition_key: impl Into<String>) -> Self {
        Self { partition: Some(partition_key.into()), ..self }
    }

    /// Sets the maximum number of changes of one partition in a batch. The default is 1,000. A batch ends after the
    /// partition with which it has this number of changes.
    pub fn batch_size(self, changes: usize) -> Self {
        Self { batch: changes.max(1), ..self }
    }

    /// Returns the next changes, and moves behind them. After the last change, the batch is empty.
    ///
    /// The cost is one request for each partition, at least; and one for each 1,000 partitions, to find them. Changes
    /// that commit while a batch is read are in this batch or in the next.
    ///
    /// # Errors
    /// Returns [`Error::Changes`](crate::Error::Changes) if changes after the position were removed or the position is
    /// not of this feed. Returns [`Error::Decode`](crate::Error::Decode) if there is no other change and the next record
    /// was written by a newer version of the type; beside other changes, this error is in [`ChangeBatch::blocked`]. The
    /// position is unchanged after an error.
    pub fn next_batch(&mut self) -> Pending<'_, ChangeBatch<E>> {
        Box::pin(async move {
            self.position.check(Self::NAME)?;
            let batch = match self.partition.clone() {
                Some(partition) => self.of_partition(partition).await?,
                None => self.of_all().await?,
            };
            self.position = batch.position.clone();
            Ok(batch)
        })
    }

    /// Returns the position after the last change. Take it before the table is read as a whole; the changes after it
    /// then contain everything that the read may have missed.
    ///
    /// The cost is one request for each partition, and one for each 1,000 partitions.
    ///
    /// # Errors
    /// Returns the error of the service.
    pub fn end(&self) -> Pending<'_, ChangePosition> {
        Box::pin(async move {
            let table = Self::NAME.table()?;
            let mut position = ChangePosition::start(Self::NAME, self.tables.now());
            let partitions = match &self.partition {
                Some(partition) => vec![partition.clone()],
                None => self.partitions(&table).await?,
            };
            let heads = partitions.into_iter().map(|partition| self.mark(&table, partition));
            let heads: Vec<_> = heads.collect();
            position.marks = stream::iter(heads).buffered(READS_AT_ONCE).try_collect().await?;
            position.began = position.began.filter(|_| self.partition.is_some());
            Ok(position)
        })
    }

    /// Removes the records that are older than the retention period, except the last one of each partition. Returns the
    /// number of removed rows. Writers do the same for their partition from time to time; call this for partitions that
    /// are no longer written.
    ///
    /// The cost is one request for each partition, one for each 1,000 partitions, and two for each 100 removed rows.
    ///
    /// # Errors
    /// Returns the error of the service.
    pub fn trim(&self) -> Pending<'_, u64> {
        Box::pin(async move {
            let partitions = match &self.partition {
                Some(partition) => vec![partition.clone()],
                None => self.partitions(&Self::NAME.table()?).await?,
            };
            let mut removed = 0;
            for partition in partitions {
                removed += trim::trim(self.tables, Self::NAME, &partition, TRIMS).await?;
            }
            Ok(removed)
        })
    }

    async fn mark(&self, table: &TableName, partition_key: String) -> Result<(String, Mark), Error> {
        let (table, row_key) = (table.clone(), Self::NAME.head());
        let head = Address { table, partition_key, row_key };
        let found = self.tables.read(&head, None).await?;
        let mark = found.get(0).and_then(mark_of).unwrap_or(Mark::START);
        Ok((head.partition_key, mark))
    }

    async fn of_partition(&self, partition: String) -> Result<ChangeBatch<E>, Error> {
        let mut position = self.position.clone();
        let mark = position.marks.get(&partition).copied();
        let part = self.reader(&partition).read(mark, self.batch).await?;
        let is_end = part.is_end;
        let mut changes = Vec::new();
        // From now on, a partition without records starts with its first record.
        position.marks.entry(partition.clone()).or_insert(Mark::START);
        match take(part, &partition, &mut changes, &mut position) {
            Some(error) if changes.is_empty() => Err(error),
            blocked => Ok(ChangeBatch { changes, position, is_end, blocked }),
        }
    }

    const fn reader<'r>(&'r self, partition: &'r str) -> Reader<'r, E> {
        Reader::new(self.tables, Self::NAME, partition, self.position.began)
    }

    /// Visits all partitions, or those up to the one that completes the batch.
    async fn of_all(&self) -> Result<ChangeBatch<E>, Error> {
        let (mut position, mut changes, mut is_end) = (self.position.clone(), Vec::new(), true);
        let mut is_unread = false;
        let partitions = self.partitions(&Self::NAME.table()?).await?;
        Self::check_listed(&position, &partitions)?;
        let resume = position.resume.take();
        is_end &= resume.is_none();
        let left =
            partitions.iter().filter(|partition| resume.as_ref().is_none_or(|resume| *partition > resume));
        let left: Vec<&String> = left.collect();
        let mut error = None;
        let unknown = position.began.is_none().then_some(Mark::START);
        for some in left.chunks(READS_AT_ONCE) {
            let reads = some.iter().map(|partition| {
                let mark = position.marks.get(*partition).copied().or(unknown);
                async move { self.reader(partition).read(mark, self.batch).await }
            });
            let reads: Vec<_> = reads.collect();
            let parts: Vec<Part<E>> = stream::iter(reads).buffered(READS_AT_ONCE).try_collect().await?;
            for (partition, part) in some.iter().zip(parts) {
                is_end &= part.is_end;
                let blocked = take(part, partition, &mut changes, &mut position);
                // Its first record has no known number before it was read.
                is_unread |= blocked.is_some() && !position.marks.contains_key(*partition);
                error = error.or(blocked);
                if changes.len() >= self.batch {
                    let is_last = left.last() == Some(partition);
                    position.resume = (!is_last).then(|| (*partition).clone());
                    position.began = position.began.filter(|_| !is_last || is_unread);
                    return Ok(ChangeBatch { changes, position, is_end: is_end && is_last, blocked: error });
                }
            }
        }
        position.began = position.began.filter(|_| is_unread);
        match error {
            Some(error) if changes.is_empty() => Err(error),
            blocked => Ok(ChangeBatch { changes, position, is_end, blocked }),
        }
    }

    /// Fails if a partition with a mark after a record is not listed. A partition is listed before its first record and
    /// remains in the list, also after its records were removed.
    fn check_listed(position: &ChangePosition, partitions: &[String]) -> Result<(), Error> {
        let is_lost = |(partition, mark): &(&String, &Mark)| {
            mark.sequence > 0 && partitions.binary_search(partition).is_err()
        };
        match position.marks.iter().find(is_lost) {
            None => Ok(()),
            Some((partition, mark)) => Err(mark.unknown(Self::NAME, partition)),
        }
    }

    /// Returns all partitions that have records, sorted.
    async fn partitions(&self, table: &TableName) -> Result<Vec<String>, Error> {
        let mut partitions = Vec::new();
        let mut query = Query { filter: Some(partition_eq(Self::NAME.list())), ..Query::default() };
        loop {
            let Some(segment) = ahead(self.tables.service().query(table, query.clone()).await)? else {
                break;
            };
            for row in &segment.rows {
                if let Some(ValueRef::String(partition)) = row.properties.get(PARTITION) {
                    partitions.push(partition.to_owned());
                }
            }
            query.continuation = segment.continuation;
            if query.continuation.is_none() {
                break;
            }
        }
        partitions.sort_unstable();
        Ok(partitions)
    }
}

/// Adds the changes of a partition. Returns the error of its next record, if that cannot be decoded.
fn take<E: TableEntity>(
    mut part: Part<E>,
    partition: &str,
    changes: &mut Vec<ChangeEvent<E>>,
    position: &mut ChangePosition,
) -> Option<Error> {
    if let Some(mark) = part.last {
        position.marks.insert(partition.to_owned(), mark);
    }
    changes.append(&mut part.changes);
    part.error
}

impl<E> fmt::Debug for ChangeFeed<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeFeed").field("position", &self.position).finish_non_exhaustive()
    }
}
