use std::marker::PhantomData;

use table_model::TableName;
use table_schema::bounds::Bounds;

use super::{PartitionScan, shape::query_type};
use crate::{
    FromRow, Predicate, TableEntity,
    core::spec::{
        Spec, Target,
        filter::{keys, keys_eq},
    },
};

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
