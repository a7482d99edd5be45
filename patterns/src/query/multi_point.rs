use std::{collections::HashSet, marker::PhantomData};

use table_model::QueryClass;

use super::{PointQuery, Query, shape::query_type};
use crate::{
    FromRow, TableEntity,
    core::{
        entity_types::EntityInfo,
        key::value::FieldValue,
        spec::{QueriedIndex, Spec, Target, list::List},
        table::table_of,
    },
};

/// Query for several rows by PartitionKey and RowKey, with one request for each, up to 16 concurrently. Rows are returned
/// once, in the order of the points. Missing rows are skipped.
///
/// The points are specified by the caller or by a lookup, whose list is read first.
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
/// let points: MultiPoint<_> = [3, 1].into_iter().map(|id| Employee::point("Sales", id)).collect();
/// let found = points.all(&tables).await?;
/// assert_eq!(found.iter().map(|employee| employee.id).collect::<Vec<_>>(), [3, 1]);
/// # Ok(())
/// # })
/// # }
/// ```
pub struct MultiPoint<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(MultiPoint<E, R>, MultiPoint);

/// Combines several points into one query. All points are of the same entity type, so they are in the same table.
impl<E: TableEntity, R: FromRow> FromIterator<PointQuery<E, R>> for MultiPoint<E, R> {
    fn from_iter<I: IntoIterator<Item = PointQuery<E, R>>>(points: I) -> Self {
        let mut seen = HashSet::new();
        let addresses = points.into_iter().map(|point| point.address());
        let target = addresses.collect::<Result<Vec<_>, _>>().and_then(|mut addresses| {
            addresses.retain(|address| seen.insert(address.clone()));
            if addresses.is_empty() {
                return table_of(E::DESIGN).map(Target::Nothing);
            }
            Ok(Target::Points(addresses))
        });
        Self::from_spec(Spec::of::<E>(QueryClass::MultiPoint, target))
    }
}

impl<E: TableEntity> MultiPoint<E> {
    /// Creates a query for the members of a list: of the lookup with this number in the design, for the given key
    /// values.
    #[doc(hidden)]
    pub fn of_list(
        number: usize,
        partition: &[(&'static str, FieldValue<'_>)],
        list: &[(&'static str, FieldValue<'_>)],
    ) -> Self {
        let target = List::of::<E>(number, partition, list).map(|list| Target::Members(Box::new(list)));
        let mut spec = Spec::of::<E>(QueryClass::MultiPoint, target);
        spec.clauses.index = Some(QueriedIndex { kind: EntityInfo::of::<E>(), number });
        Self::from_spec(spec)
    }
}

impl<E: TableEntity, R: FromRow> From<PointQuery<E, R>> for MultiPoint<E, R> {
    fn from(point: PointQuery<E, R>) -> Self {
        let mut spec = point.spec().clone();
        spec.class = QueryClass::MultiPoint;
        Self::from_spec(spec)
    }
}
