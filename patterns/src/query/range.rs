use std::marker::PhantomData;

use table_model::TableName;
use table_schema::bounds::Bounds;

use super::{PartitionScan, shape::query_type};
use crate::{
    FromRow, Predicate, TableEntity,
    core::spec::{PartitionRange, Spec, Target},
};

/// Query for a RowKey range of one partition, in key order. It reads only the rows that it returns.
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
/// let found = Employee::rows("Sales").between(2..).all(&tables).await?;
/// assert_eq!(found.iter().map(|employee| employee.id).collect::<Vec<_>>(), [2, 3]);
/// // A condition on other fields reads the whole range.
/// let older = Employee::rows("Sales").between(2..).scan(|employee| employee.age.ge(40));
/// assert!(older.all(&tables).await?.is_empty());
/// # Ok(())
/// # })
/// # }
/// ```
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

/// Returns the target of a range query for the given bounds. `open` is the first field of the RowKey that is not fixed.
pub(crate) fn target(
    table: TableName,
    partition_key: String,
    keys: Bounds,
    open: Option<&'static str>,
) -> Target {
    match keys {
        Bounds::Empty => Target::Nothing(table),
        keys => Target::Range(PartitionRange { table, partition_key, keys, open }),
    }
}
