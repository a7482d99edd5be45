pub(crate) mod periods;

use std::{marker::PhantomData, ops::RangeBounds};

use table_model::QueryClass;

use super::{Query, RangeQuery, scan, shape::query_type};
use crate::{
    FromRow, Predicate, TableEntity,
    core::{
        key::{Time, hole::Named},
        placement::Known,
        spec::{Spec, Target},
        table::table_of,
    },
};

/// Query for a RowKey range in several partitions or tables, in RowKey order. It reads only the rows that it returns,
/// and sends at least one request to each partition or table.
///
/// If the RowKey starts with the field that determines the table, the tables are read one after the other. Otherwise
/// all partitions and tables are read concurrently and merged by RowKey. Up to one page of each is then read, even if
/// `take` is smaller.
///
/// ```
/// # use table_patterns::prelude::*;
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
/// #[table(shard(of = device, count = 16))]
/// struct Event { at: Timestamp, device: u32, level: i32 }
///
/// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # let noon: Timestamp = "2014-08-01T12:00:00Z".parse()?;
/// # for device in 0..50 {
/// #     tables.insert(&Event { at: noon, device, level: i32::try_from(device)? }).await?;
/// # }
/// // All 16 partitions, merged in the order of the time.
/// let newest = Event::rows().between(noon..).take(10).all(&tables).await?;
/// assert_eq!(newest.len(), 10);
/// # Ok(())
/// # })
/// # }
/// ```
pub struct FanOut<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

/// Scan of several partitions or tables, or of a range in each, for entities that satisfy a condition.
///
/// ```
/// # use table_patterns::prelude::*;
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
/// #[table(shard(of = device, count = 16))]
/// struct Event { at: Timestamp, device: u32, level: i32 }
///
/// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # let noon: Timestamp = "2014-08-01T12:00:00Z".parse()?;
/// # for device in 0..50 {
/// #     tables.insert(&Event { at: noon, device, level: i32::try_from(device)? }).await?;
/// # }
/// let severe = Event::rows().between(noon..).scan(|event| event.level.ge(40));
/// assert_eq!(severe.all(&tables).await?.len(), 10);
/// # Ok(())
/// # })
/// # }
/// ```
pub struct FanOutScan<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(FanOut<E, R>, FanOut);
query_type!(FanOutScan<E, R>, FanOutScan);

impl<E: TableEntity, R: FromRow> FanOut<E, R> {
    /// Creates a query over the partitions of the periods in a range of times, for a PartitionKey with a period, such as
    /// `{at:%Y%m%d}`. `rows` returns the query of one partition for a time of its period. At most 10,000 periods are
    /// read.
    ///
    /// If the RowKey continues with the same field in ticks, the partitions are read one after the other, as
    /// `take` requires. Otherwise all partitions are read, and merged by RowKey.
    ///
    /// ```
    /// use table_patterns::FanOut;
    /// # use table_patterns::prelude::*;
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Readings", partition = "{device:05}_{at:%Y%m%d}", row = "{at:inverted_ticks}")]
    /// struct Reading { device: u32, at: Timestamp, celsius: f64 }
    ///
    /// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # for (day, celsius) in [("2014-07-30", 19.0), ("2014-07-31", 20.0), ("2014-08-01", 21.0)] {
    /// #     tables.insert(&Reading { device: 7, at: format!("{day}T12:00:00Z").parse()?, celsius }).await?;
    /// # }
    /// let times = "2014-07-30T18:00:00Z".parse::<Timestamp>()?.."2014-08-02T00:00:00Z".parse()?;
    /// let readings = FanOut::within(times.clone(), |day| Reading::rows(7, day).between(times.clone()));
    /// assert_eq!(readings.all(&tables).await?.len(), 2);
    /// // The newest day has a reading: the other days are not read.
    /// let newest = readings.take(1).report(&tables).await?;
    /// assert_eq!((newest.items[0].celsius, newest.stats.requests), (21.0, 1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// The run fails with `InvalidInput` if the range has no start or no end or contains more periods, if the PartitionKey
    /// contains no period or periods of several fields, or if the queries differ in more than their partition.
    pub fn within<T: Time>(times: impl RangeBounds<T>, rows: impl Fn(T) -> RangeQuery<E, R>) -> Self {
        let queries = periods::queries::<E, T>(&times, |time| rows(time).spec().clone());
        Self::from_spec(queries.unwrap_or_else(|error| Spec::of::<E>(QueryClass::FanOut, Err(error))))
    }

    /// Reads the ranges and returns the rows that satisfy a condition. The cost depends on the size of the ranges.
    pub fn scan(self, condition: impl FnOnce(&E::Fields) -> Predicate) -> FanOutScan<E, R> {
        FanOutScan::<E, R>::inside(self.spec).filter(condition)
    }

    /// Not available: a range has no `filter`.
    #[doc(hidden)]
    #[must_use]
    pub fn filter<F>(self, _condition: F) -> Self
    where
        Self: crate::query::range::SupportsFilter,
    {
        self
    }
}

/// Combines ranges of several partitions of one table into one query. The ranges have the same bounds; the rows are merged
/// by RowKey.
///
/// ```
/// use table_patterns::FanOut;
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32 }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # for (department, id) in [("Sales", 3), ("Lab", 2), ("Board", 1)] {
/// #     tables.insert(&Employee { department: department.into(), id }).await?;
/// # }
/// let some: FanOut<_> = ["Sales", "Lab"].into_iter().map(|name| Employee::rows(name).between(..)).collect();
/// let found = some.all(&tables).await?;
/// assert_eq!(found.iter().map(|employee| employee.id).collect::<Vec<_>>(), [2, 3]);
/// # Ok(())
/// # })
/// # }
/// ```
impl<E: TableEntity, R: FromRow> FromIterator<RangeQuery<E, R>> for FanOut<E, R> {
    fn from_iter<I: IntoIterator<Item = RangeQuery<E, R>>>(ranges: I) -> Self {
        let ranges = ranges.into_iter().map(|range| range.spec().clone());
        let nothing = || Spec::of::<E>(QueryClass::FanOut, table_of(E::DESIGN).map(Target::Nothing));
        Self::from_spec(periods::combined(ranges, None).unwrap_or_else(nothing))
    }
}

impl<E: TableEntity> FanOutScan<E> {
    /// Creates a scan of the entities with these values in the PartitionKey.
    #[doc(hidden)]
    pub fn of(partition: &[Named<'_>]) -> Self {
        let row = &E::DESIGN.row.form;
        let target = Known::of(E::DESIGN, partition)
            .and_then(|known| known.spread(row.all(), row.open().field(), None))
            .map(|spread| Target::Spread(Box::new(spread)));
        Self::inside(Spec::of::<E>(QueryClass::FanOutScan, target))
    }
}

impl<E: TableEntity, R: FromRow> FanOutScan<E, R> {
    fn inside(mut spec: Spec) -> Self {
        spec.class = QueryClass::FanOutScan;
        Self::from_spec(scan::of_type::<E>(spec))
    }

    /// Keeps only rows that satisfy a condition. Several conditions are combined with `and`.
    #[must_use]
    pub fn filter(mut self, condition: impl FnOnce(&E::Fields) -> Predicate) -> Self {
        self.spec.and(scan::filter_of::<E>(condition));
        self
    }
}
