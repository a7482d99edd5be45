//! Queries: values that describe a read. The type of a query is its class.

pub(crate) mod batch;
pub(crate) mod clause;
pub(crate) mod consistency;
mod count;
mod deletion;
mod explain;
pub(crate) mod fan_out;
mod fetch;
mod lookup_members;
mod merge_scan;
mod multi_point;
mod page;
mod point;
pub(crate) mod range;
mod resolve;
mod rows;
mod scan;
pub(crate) mod scanned;
mod shape;
mod stats;
mod stream;
pub(crate) mod union;

pub(crate) use batch::too_large;
pub use explain::Explain;
pub use fan_out::{FanOut, FanOutScan};
pub(crate) use merge_scan::list;
pub use multi_point::MultiPoint;
pub use page::{Page, Report};
pub use point::PointQuery;
pub(crate) use point::required;
pub use range::RangeQuery;
pub use resolve::Resolved;
pub use rows::{FanOutRows, Many, One, OpenParts, Reach, Rows};
pub use scan::PartitionScan;
pub use stats::RunStats;
pub use stream::Stream;

use std::ops::ControlFlow;

use table_model::QueryClass;

use crate::{
    BorrowRow, Cursor, Error, FromRow, InPartition, Pending, RowPolicy, Tables, WriteResult, core::spec::Spec,
};
use fetch::Fetch;

/// Common interface of all queries. A query is a value: it borrows nothing, and can be stored, cloned and run
/// repeatedly. Each run starts from the beginning unless it is [resumed](Query::resume).
///
/// A key that cannot be encoded, or a filter with an invalid value, is recorded in the query. The error is returned
/// when the query runs or is explained, so that call chains need no `?` in the middle.
///
/// A table that does not exist is read as an empty table.
pub trait Query: Clone + Send + Sync + 'static {
    /// Type that each row is decoded into.
    type Row: FromRow;

    /// Cost class of the query, determined by its shape.
    const CLASS: QueryClass;

    /// Returns the untyped form of the query.
    #[doc(hidden)]
    fn spec(&self) -> &Spec;

    /// Returns the untyped form of the query, mutably.
    #[doc(hidden)]
    fn spec_mut(&mut self) -> &mut Spec;

    /// Limits the run to at most `count` items in total, including resumed runs.
    #[must_use]
    fn take(mut self, count: u64) -> Self {
        self.spec_mut().paging.take = Some(count);
        self
    }

    /// Limits each request to at most `count` rows, from 1 to 1,000. The default is 1,000.
    #[must_use]
    fn page_size(mut self, count: u32) -> Self {
        self.spec_mut().paging.page_size = Some(count.clamp(1, 1000));
        self
    }

    /// Returns the items in descending order of their keys. The cost is that of the ascending order: `take(10)` reads the last
    /// ten rows.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// let last = Employee::rows("Sales").descending().take(2).all(&tables).await?;
    /// assert_eq!(last.iter().map(|employee| employee.id).collect::<Vec<_>>(), [3, 2]);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// The embedded store and `tables serve` read backward. On other backends, and for a query of several points, the run fails
    /// with [`Error::Order`]. A key in descending order, such as `{id:inverted_06}`, works on all backends.
    #[must_use]
    fn descending(mut self) -> Self {
        self.spec_mut().paging.descending = true;
        self
    }

    /// Resumes a run of the same query at its cursor.
    #[must_use]
    fn resume(mut self, cursor: Cursor) -> Self {
        self.spec_mut().paging.resume = Some(cursor);
        self
    }

    /// Makes a write visible: the query finds the written entity by each of its indexes in other partitions. Before the
    /// first request, the query applies all pending commit records that name a row of this entity, including those of
    /// earlier writes and dead-lettered ones. A write of an entity without rows in other partitions has no effect.
    ///
    /// The cost is one range read of the commit records of the entity's partition, plus the records that must be
    /// applied.
    ///
    /// The run fails with [`Error::DeadLettered`] if a dead-lettered commit record of the entity still cannot be
    /// applied. If another record cannot be applied, it fails with the cause.
    #[must_use]
    fn after(mut self, written: &WriteResult) -> Self {
        self.spec_mut().clauses.fresh.see(written);
        self
    }

    /// Makes all writes to a partition visible that were committed before the first request, by any process. Before the
    /// first request, the query applies their pending commit records to rows in other partitions. Can be called for
    /// several partitions.
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
    /// tables.with_deferred_updates().insert(&jo).await?;
    /// let card = Employee::by_badge_rows(4711);
    /// assert!(card.all(&tables).await?.is_empty());
    /// assert_eq!(card.caught_up(&Employee::rows("Sales")).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// The cost is one request for each partition, plus the commit records that must be applied.
    ///
    /// The run fails with the cause if a record cannot be applied, or with [`Error::DeadLettered`] if the record was
    /// [dead-lettered](Tables::retry_dead_letters) before and still cannot be applied.
    #[must_use]
    fn caught_up(mut self, partition: &impl InPartition) -> Self {
        self.spec_mut().clauses.fresh.settled.push(partition.partition());
        self
    }

    /// Validates each index row in another partition against its entity. A row that no longer matches the entity is
    /// omitted. A row with an older state of the entity is updated first. Rows that are not written yet are not found;
    /// use [`after`](Self::after) or [`caught_up`](Self::caught_up) to find them.
    ///
    /// The cost is one point read for each row, plus some more requests for each stale row. Rows in the entity's own
    /// partition are always consistent: for them, this has no effect.
    #[must_use]
    fn validated(mut self) -> Self {
        self.spec_mut().clauses.fresh.checked = true;
        self
    }

    /// Sets the handling of rows of a newer version of the type, which this program cannot read. By default, they are
    /// errors. A point query that skips its row returns `None`.
    ///
    /// See [`RowPolicy`] for an example.
    #[must_use]
    fn newer(mut self, policy: RowPolicy) -> Self {
        self.spec_mut().policies.newer = policy.into();
        self
    }

    /// Sets the handling of rows of other entity types in a range. By default, a [page](Self::page) leaves out and lists the
    /// rows with the `EntityType` of another type; the other methods, which list nothing, fail. A union has its own default
    /// (`unknown`).
    ///
    /// A scan requests only the rows of its type. There, the policy applies to rows without `EntityType`.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// use table_patterns::RowPolicy;
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Company", partition = "{department}", row = "{id:06}")]
    /// struct Employee { department: String, id: u32 }
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Company", partition = "{department}", row = "{number:06}")]
    /// struct Robot { department: String, number: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// tables.insert(&Robot { department: "Sales".into(), number: 2 }).await?;
    ///
    /// assert!(Employee::rows("Sales").all(&tables).await.is_err());
    /// assert_eq!(Employee::rows("Sales").foreign(RowPolicy::Skip).all(&tables).await?.len(), 1);
    /// let page = Employee::rows("Sales").page(&tables).await?;
    /// assert_eq!((page.items.len(), page.skipped.len()), (1, 1));
    /// assert!(Employee::rows("Sales").foreign(RowPolicy::Fail).page(&tables).await.is_err());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    #[must_use]
    fn foreign(mut self, policy: RowPolicy) -> Self {
        self.spec_mut().policies.foreign = policy.into();
        self
    }

    /// Includes [soft-deleted](crate::SoftDelete) entities. An index does not contain them: a query by an index
    /// never returns any.
    #[must_use]
    fn with_deleted(mut self) -> Self {
        self.spec_mut().include_deleted();
        self
    }

    /// Returns the requests and reads that the query will need. No store is required.
    ///
    /// # Errors
    /// Returns the error that was recorded while the query was built, such as [`Error::Key`].
    fn explain(&self) -> Result<Explain, Error> {
        Explain::of(self.spec(), Self::Row::select())
    }

    /// Reads the items of one request, and a cursor to continue. A page can contain fewer items than requested, or
    /// none, and still have a cursor, because the service may stop at any row.
    ///
    /// Rows of other entity types are left out and listed in [`Page::skipped`], unless [`foreign`](Self::foreign) says
    /// otherwise.
    ///
    /// # Errors
    /// Returns the error that was recorded while the query was built, [`Error::Cursor`] if the resumed cursor belongs
    /// to another query, [`Error::Order`] if the order is not supported, [`Error::Decode`] if a row cannot be decoded, and the errors of [`after`](Self::after) and
    /// [`caught_up`](Self::caught_up).
    fn page(&self, tables: &Tables) -> Pending<'static, Page<<Self::Row as FromRow>::Out>> {
        page::page(Fetch::new(tables, self.spec(), Self::Row::select()).for_page(), Self::Row::from_row)
    }

    /// Reads all items, page by page.
    ///
    /// # Errors
    /// Returns the errors of [`page`](Self::page).
    fn all(&self, tables: &Tables) -> Pending<'static, Vec<<Self::Row as FromRow>::Out>> {
        let report = self.report(tables);
        Box::pin(async move { report.await.map(|report| report.items) })
    }

    /// Reads all items, and returns them with the statistics of the run.
    ///
    /// # Errors
    /// Returns the errors of [`page`](Self::page).
    fn report(&self, tables: &Tables) -> Pending<'static, Report<<Self::Row as FromRow>::Out>> {
        page::report(Fetch::new(tables, self.spec(), Self::Row::select()), Self::Row::from_row)
    }

    /// Returns the number of items that [`all`](Self::all) would return.
    ///
    /// Only the keys and the type of each row are requested and checked, so a row with an invalid property is counted.
    /// The cost is that of [`all`](Self::all): one request for up to 1,000 rows, or for each point. The service
    /// cannot count, so to count often, declare an [aggregate](crate::TableEntity). A lookup reads its members completely,
    /// because their fields determine whether they are still members.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// assert_eq!(Employee::rows("Sales").count(&tables).await?, 3);
    /// assert_eq!(Employee::rows("Sales").take(2).count(&tables).await?, 2);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`page`](Self::page), except for those of properties.
    fn count(&self, tables: &Tables) -> Pending<'static, u64> {
        count::count::<Self::Row>(tables, self.spec())
    }

    /// Returns whether the query has an item.
    ///
    /// The cost is one request for one row; on several partitions or tables, one request to each. More requests follow
    /// only if the row is left out: by [`newer`](Self::newer) or [`foreign`](Self::foreign), or because the service
    /// returned no row yet in a scan.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// assert!(Employee::point("Sales", 1).exists(&tables).await?);
    /// assert!(!Employee::rows("Sales").between(4..).exists(&tables).await?);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count).
    fn exists(&self, tables: &Tables) -> Pending<'static, bool> {
        count::exists::<Self::Row>(tables, self.spec())
    }

    /// Reads all rows in place and passes each one to `visit`, in the order of [`all`](Self::all) and with the same result
    /// for every row.
    ///
    /// An entity declares its borrowed form with `#[table(borrowed)]`: a struct with the suffix `Ref`, whose strings and
    /// bytes are borrowed from the row. A projection is passed by value.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", borrowed)]
    /// struct Employee { department: String, id: u32, name: String, age: i32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # let employee = |id, name: &str, age| Employee { department: "Sales".into(), id, name: name.into(), age };
    /// # tables.bulk().insert_all(&[employee(1, "Ann", 30), employee(2, "Jo", 34)]).run().await?.into_result()?;
    /// let (mut longest, mut total) = (0, 0);
    /// let stats = Employee::rows("Sales").for_each(&tables, |employee| {
    ///     longest = longest.max(employee.name.len()); // a `&str`
    ///     total += employee.age;
    /// });
    /// assert_eq!(stats.await?.returned, 2);
    /// assert_eq!((longest, total), (3, 64));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// On the embedded store, a query of one key range or scan copies no row. Rows of older versions, rows that an index
    /// contains, and rows from several partitions are decoded first and then borrowed. Other backends decode pages. The
    /// store keeps a snapshot while it passes a page to `visit`, so `visit` should be short.
    ///
    /// # Errors
    /// Returns the errors of [`page`](Self::page). `visit` may have received rows before.
    fn for_each<'v, F>(&self, tables: &Tables, mut visit: F) -> Pending<'v, RunStats>
    where
        Self::Row: BorrowRow,
        F: for<'r> FnMut(<Self::Row as BorrowRow>::Ref<'r>) + Send + 'v,
    {
        self.try_for_each(tables, move |item| {
            visit(item);
            ControlFlow::Continue(())
        })
    }

    /// Reads rows in place like [`for_each`](Self::for_each), until `visit` breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// # use table_patterns::prelude::*;
    ///
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", borrowed)]
    /// # struct Employee { department: String, id: u32, name: String }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # let employee = |id, name: &str| Employee { department: "Sales".into(), id, name: name.into() };
    /// # tables.bulk().insert_all(&[employee(1, "Ann"), employee(2, "Jo")]).run().await?.into_result()?;
    /// let mut found = None;
    /// let search = Employee::rows("Sales").try_for_each(&tables, |employee| {
    ///     if employee.name.starts_with('A') {
    ///         found = Some(employee.id);
    ///         return ControlFlow::Break(());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// search.await?;
    /// assert_eq!(found, Some(1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`for_each`](Self::for_each).
    fn try_for_each<'v, F>(&self, tables: &Tables, visit: F) -> Pending<'v, RunStats>
    where
        Self::Row: BorrowRow,
        F: for<'r> FnMut(<Self::Row as BorrowRow>::Ref<'r>) -> ControlFlow<()> + Send + 'v,
    {
        page::each::<Self::Row>(Fetch::new(tables, self.spec(), Self::Row::select()), visit)
    }

    /// Returns a stream of the items. The next request is sent when the items of the previous one are consumed.
    fn stream(&self, tables: &Tables) -> Stream<<Self::Row as FromRow>::Out> {
        Stream::new(Fetch::new(tables, self.spec(), Self::Row::select()), Box::new(Self::Row::from_row))
    }
}
