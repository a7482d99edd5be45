//! Queries: values that say what to read, whose type is their class.

mod batch;
mod checked;
mod explain;
mod fan_out;
mod fetch;
mod fresh;
mod lanes;
mod list;
mod members;
mod multi_point;
mod page;
mod point;
mod range;
mod resolve;
mod rows;
mod scan;
mod shape;
mod spec;
mod spread;
mod stats;
mod stream;

pub use explain::Explain;
pub use fan_out::{FanOut, FanOutScan};
pub(crate) use fetch::too_large;
pub(crate) use fresh::Fresh;
pub use fresh::InPartition;
pub(crate) use lanes::list;
pub use multi_point::MultiPoint;
pub use page::{Page, Report};
pub use point::PointQuery;
pub use range::RangeQuery;
pub(crate) use range::keys as range_of;
pub use resolve::Resolved;
pub use rows::{FanOutRows, Many, One, OpenParts, Reach, Rows};
pub use scan::{PartitionScan, TableScan};
pub use spec::Spec;
pub(crate) use spec::{Target, digest, keys_between, keys_eq, partition_eq};
pub(crate) use spread::{Order, Spread, TableSet, listing};
pub use stats::RunStats;
pub use stream::Stream;

use table_store::QueryClass;

use crate::{Cursor, Error, FromRow, Pending, Tables, Written};
use fetch::Fetch;

/// What all queries can do. A query is a value: it borrows nothing, can be kept, cloned and run often, and each run
/// begins anew unless it is [resumed](Query::resume).
///
/// A key that could not be encoded, or a filter with an impossible value, is kept in the query and reported when it
/// runs or explains, so that chains need no `?` in the middle.
///
/// A table that is not there reads as empty.
pub trait Query: Clone + Send + Sync + 'static {
    /// The shape of its rows.
    type Row: FromRow;

    /// What it costs by its shape.
    const CLASS: QueryClass;

    /// The query without its types.
    #[doc(hidden)]
    fn spec(&self) -> &Spec;

    /// The query without its types.
    #[doc(hidden)]
    fn spec_mut(&mut self) -> &mut Spec;

    /// At most `count` items in the whole run, resumed runs included.
    #[must_use]
    fn take(mut self, count: u64) -> Self {
        self.spec_mut().take = Some(count);
        self
    }

    /// At most `count` rows with each request: 1 to 1,000, which is also the default.
    #[must_use]
    fn page_size(mut self, count: u32) -> Self {
        self.spec_mut().page_size = Some(count.clamp(1, 1000));
        self
    }

    /// Goes on where a run of the same query stopped.
    #[must_use]
    fn resume(mut self, cursor: Cursor) -> Self {
        self.spec_mut().resume = Some(cursor);
        self
    }

    /// Reads the written entity by every index that it has in other partitions. Before the first request it applies all
    /// pending commits that name a row of this entity, those of earlier writes and the parked ones too. A write of an
    /// entity without rows in other partitions changes nothing.
    ///
    /// It costs one range read of the commit records of the entity's partition, and what must be applied then. The run fails
    /// with [`Error::Parked`] if a parked commit of the entity still cannot be applied, and with the cause if another one
    /// cannot.
    #[must_use]
    fn after(mut self, written: &Written) -> Self {
        self.spec_mut().fresh.see(written);
        self
    }

    /// Sees all writes to a partition that were committed before the first request, whoever made them: rows elsewhere are
    /// made to follow them first, unless they have been already. May be said of several partitions.
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
    /// let jo = Employee { department: "Sales".into(), id: 1, badge: 4711 };
    /// tables.leaving_to_workers().insert(&jo).await?;
    /// let card = Employee::by_badge_rows(4711);
    /// assert!(card.all(&tables).await?.is_empty());
    /// assert_eq!(card.settled(&Employee::rows("Sales")).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// It costs one request for each partition, and what must follow then. What cannot be followed is the error; of a commit
    /// that was [parked](Tables::retry_parked) before and still cannot be applied it is [`Error::Parked`].
    #[must_use]
    fn settled(mut self, partition: &impl InPartition) -> Self {
        self.spec_mut().fresh.settled.push(partition.partition());
        self
    }

    /// Compares each row of an index in another partition with its entity. One that the entity does not say any more is
    /// left out; one that shows an older state is made to show the present one first. What has not come yet is not found:
    /// for that see [`after`](Self::after) and [`settled`](Self::settled).
    ///
    /// It costs a point read for each row, and some more for each that was wrong. Rows of the entity's own partition are
    /// always right: for them it does nothing.
    #[must_use]
    fn checked(mut self) -> Self {
        self.spec_mut().fresh.checked = true;
        self
    }

    /// What will be asked and read. It needs no store.
    fn explain(&self) -> Result<Explain, Error> {
        Explain::of(self.spec(), Self::Row::select())
    }

    /// One request's worth of items, and where to go on. A page can hold fewer items than asked for, even none, and
    /// still have a cursor: the service may stop at any row.
    fn page(&self, tables: &Tables) -> Pending<'static, Page<<Self::Row as FromRow>::Out>> {
        page::page(Fetch::new(tables, self.spec(), Self::Row::select()), Self::Row::from_row)
    }

    /// All items, page after page.
    fn all(&self, tables: &Tables) -> Pending<'static, Vec<<Self::Row as FromRow>::Out>> {
        let report = self.report(tables);
        Box::pin(async move { report.await.map(|report| report.items) })
    }

    /// All items, with what the run took.
    fn report(&self, tables: &Tables) -> Pending<'static, Report<<Self::Row as FromRow>::Out>> {
        page::report(Fetch::new(tables, self.spec(), Self::Row::select()), Self::Row::from_row)
    }

    /// The items one by one; the next request is sent when they are used up.
    fn stream(&self, tables: &Tables) -> Stream<<Self::Row as FromRow>::Out> {
        Stream::new(Fetch::new(tables, self.spec(), Self::Row::select()), Box::new(Self::Row::from_row))
    }
}
