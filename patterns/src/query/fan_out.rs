use std::marker::PhantomData;

use table_model::QueryClass;

use super::{scan, shape::query_type};
use crate::{
    FromRow, Predicate, TableEntity,
    core::{
        key::hole::Named,
        placement::Known,
        spec::{Spec, Target},
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
