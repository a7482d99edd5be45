use std::marker::PhantomData;

use table_model::{Filter, QueryClass};

use super::{range, shape::query_type};
use crate::{
    AccessPath, Error, FromRow, Predicate, TableEntity,
    core::{
        error::PropertyValueError,
        key::value::FieldValue,
        placement,
        reserved::ENTITY_TYPE,
        row,
        spec::{Spec, Target, row_policy::Handling, scan::TableScan, scanned_type::ScannedType},
        table::table_of,
    },
    design::Design,
};

/// Scan of one partition, or of a range in it, for entities that satisfy a condition. The cost depends on the rows that
/// are read, not on the rows that are returned.
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
/// tables.merge(Employee::patch("Sales", 2).age(65)).await?;
/// let scan = Employee::scan_partition("Sales").filter(|e| e.age.ge(60) | e.age.lt(18));
/// let report = scan.report(&tables).await?;
/// assert_eq!((report.stats.read, report.stats.returned), (3, 1));
/// # Ok(())
/// # })
/// # }
/// ```
pub struct PartitionScan<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(PartitionScan<E, R>, PartitionScan);
query_type!(TableScan<E, R>, TableScan);

impl<E: TableEntity> PartitionScan<E> {
    /// Creates a scan of the entities in a partition.
    #[doc(hidden)]
    pub fn of(partition: &[(&'static str, FieldValue<'_>)]) -> Self {
        let target = row::partition::<E>(AccessPath::Own, partition).map(|(table, partition_key)| {
            range::target(table, partition_key, E::DESIGN.row.form.all(), None)
        });
        Self::inside(Spec::of::<E>(QueryClass::PartitionScan, target))
    }
}

impl<E: TableEntity> TableScan<E> {
    pub(crate) fn of_entity() -> Self {
        let target = match &E::DESIGN.tables {
            None => table_of(E::DESIGN).map(|table| Target::Keys(table, None)),
            Some(template) => Ok(Target::Spread(Box::new(placement::everywhere(template)))),
        };
        Self::from_spec(of_type::<E>(Spec::of::<E>(QueryClass::TableScan, target)))
    }
}

/// Checks that a condition on index rows uses only properties stored in these rows. A filter on a property that is only
/// part of the key would match no rows.
fn held_by(path: AccessPath, design: &'static Design, filter: Filter) -> Result<Filter, Error> {
    let Some(index) = path.index(design) else { return Ok(filter) };
    let is_held = |name: &str| index.holds(name) || RESERVED.contains(&name);
    match filter.properties().into_iter().find(|name| !is_held(name)) {
        None => Ok(filter),
        Some(property) => {
            let (entity, index) = (design.name, index.name);
            Err(Error::NotInIndex { entity, index, property: property.to_owned() })
        }
    }
}

/// Properties of every row.
const RESERVED: [&str; 4] = ["PartitionKey", "RowKey", "Timestamp", ENTITY_TYPE];

impl<E: TableEntity, R: FromRow> PartitionScan<E, R> {
    /// Creates a scan of the range that a query reads.
    pub(super) fn inside(mut spec: Spec) -> Self {
        spec.class = QueryClass::PartitionScan;
        Self::from_spec(of_type::<E>(spec))
    }

    /// Keeps only rows that satisfy a condition. Several conditions are combined with `and`.
    #[must_use]
    pub fn filter(mut self, condition: impl FnOnce(&E::Fields) -> Predicate) -> Self {
        let path = self.spec.subject.path;
        self.spec.and(filter_of::<E>(condition).and_then(|filter| held_by(path, E::DESIGN, filter)));
        self
    }
}

impl<E: TableEntity, R: FromRow> TableScan<E, R> {
    /// Keeps only rows that satisfy a condition. Several conditions are combined with `and`.
    #[must_use]
    pub fn filter(mut self, condition: impl FnOnce(&E::Fields) -> Predicate) -> Self {
        self.spec.and(filter_of::<E>(condition));
        self
    }
}

pub(super) fn filter_of<E: TableEntity>(
    condition: impl FnOnce(&E::Fields) -> Predicate,
) -> Result<Filter, Error> {
    condition(E::FIELDS).into_filter().map_err(|error| PropertyValueError::new(E::DESIGN.name, error).into())
}

/// Restricts a query to rows of an entity type.
pub(super) fn of_type<E: TableEntity>(mut spec: Spec) -> Spec {
    spec.clauses.scanned = Some(ScannedType::of::<E>());
    spec.policies.foreign = Handling::Ignore;
    spec
}
