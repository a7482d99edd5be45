use std::marker::PhantomData;

use table_model::{Filter, TableName};
use table_schema::bounds::{Bounds, End, KeyRange};

use super::{
    PartitionScan, Spec,
    shape::query_type,
    spec::{Target, keys_eq, partition_eq},
};
use crate::{FromRow, Predicate, TableEntity};

/// Query for a RowKey range of one partition, in key order. It reads only the rows that it returns.
pub struct RangeQuery<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(RangeQuery<E, R>, RowRange);

impl<E: TableEntity, R: FromRow> RangeQuery<E, R> {
    /// Reads the range and returns the rows that satisfy a condition: a partition scan within the range. The cost
    /// depends on the size of the range.
    pub fn scan(self, condition: impl FnOnce(&E::Fields) -> Predicate) -> PartitionScan<E, R> {
        PartitionScan::<E, R>::inside(self.spec).filter(condition)
    }

    /// Not available: a range has no `filter`.
    #[doc(hidden)]
    #[must_use]
    pub fn filter<F>(self, _condition: F) -> Self
    where
        Self: SupportsFilter,
    {
        self
    }
}

/// Never implemented. It exists for its diagnostic.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`filter` on a range reads rows that it does not return",
    label = "not supported on a range",
    note = "use `.scan(..)` for a partition scan within the range"
)]
pub trait SupportsFilter {}

/// Returns the target of a range query for the given bounds.
pub(super) fn target(table: TableName, partition_key: String, bounds: Bounds) -> Target {
    match bounds {
        Bounds::Empty => Target::Nothing(table),
        Bounds::Point(row_key) => Target::Keys(table, Some(keys_eq(partition_key, row_key))),
        Bounds::Range(range) => Target::Keys(table, Some(keys(partition_key, range))),
    }
}

/// Returns the filter for the rows of a partition with RowKeys in a range.
pub(crate) fn keys(partition_key: String, range: KeyRange) -> Filter {
    let lower = range.lower.map(
        |End { key, included }| {
            if included { Filter::ge("RowKey", key) } else { Filter::gt("RowKey", key) }
        },
    );
    let upper = range.upper.map(
        |End { key, included }| {
            if included { Filter::le("RowKey", key) } else { Filter::lt("RowKey", key) }
        },
    );
    lower.into_iter().chain(upper).fold(partition_eq(partition_key), Filter::and)
}
