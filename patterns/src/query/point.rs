use std::marker::PhantomData;

use table_model::QueryClass;

use super::{RunStats, batch::Batch, clause, shape::query_type};
use crate::{
    AccessPath, Address, DynamicEntity, EntityKey, Error, FromRow, Pending, Source, TableEntity, Tables,
    core::spec::{Spec, Target, row_policy::Handling},
    handle::span,
};

/// Query for one row by PartitionKey and RowKey. It is the fastest query, and its cost does not depend on the size of
/// the table.
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
/// let employee = Employee::point("Sales", 1).get(&tables).await?;
/// assert_eq!(employee.map(|employee| employee.id), Some(1));
/// # Ok(())
/// # })
/// # }
/// ```
pub struct PointQuery<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(PointQuery<E, R>, Point);

impl<E, R> PointQuery<E, R> {
    /// Returns the access path: the entity's own key or an index.
    pub(crate) const fn path(&self) -> AccessPath {
        self.spec.subject.path
    }

    /// Returns `true` if a consistency requirement was specified, which a cached result does not meet.
    pub(crate) const fn requires_read(&self) -> bool {
        self.spec.clauses.fresh.is_required()
    }

    /// Returns the address of the row.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of the key, and [`Error::Service`] if the table name of an
    /// untyped entity is invalid.
    pub fn address(&self) -> Result<Address, Error> {
        match &self.spec.target {
            Ok(Target::Points(points)) => {
                points.first().cloned().ok_or_else(|| unreachable(self.spec.subject.name))
            }
            Ok(_) => Err(unreachable(self.spec.subject.name)),
            Err(error) => Err(error.clone()),
        }
    }
}

/// Returns what was found, or the error of a point query for an entity that must exist.
pub(crate) fn required<'t, T: Send + 't>(
    found: Pending<'t, Option<T>>,
    address: Result<Address, Error>,
) -> Pending<'t, T> {
    Box::pin(async move {
        match found.await? {
            Some(found) => Ok(found),
            None => Err(Error::NotFound(Box::new(address?))),
        }
    })
}

fn unreachable(entity: &str) -> Error {
    use table_model::{ErrorCode, TableError};
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!("A point query on `{entity}` requires a point."),
    )
    .into()
}

impl<E> PointQuery<E> {
    /// Creates a query for an untyped entity at an address.
    pub(crate) fn at(address: Result<Address, Error>, entity: &'static str) -> Self {
        let target = address.map(|address| Target::Points(vec![address]));
        Self::from_spec(Spec::new(entity, ("", ""), QueryClass::Point, target))
    }
}

impl DynamicEntity {
    /// Creates a point query for one row. An invalid table name is reported when the query runs.
    pub fn point(
        table: impl Into<String>,
        partition_key: impl Into<String>,
        row_key: impl Into<String>,
    ) -> PointQuery<Self> {
        PointQuery::at(Self::new(table, partition_key, row_key).map(|bag| bag.address().clone()), "Entity")
    }
}

impl<E: TableEntity> PointQuery<E> {
    /// Creates a query for the row at an address.
    #[doc(hidden)]
    pub fn at_address(address: Result<Address, Error>) -> Self {
        Self::by(AccessPath::Own, address)
    }

    /// Creates a query for the row of a key.
    #[doc(hidden)]
    pub fn of_key(key: &E::Key) -> Self {
        Self::at_address(key.address())
    }
}

impl<E: TableEntity, R> PointQuery<E, R> {
    /// Creates a query for the row at an address, by one access path of the entity.
    #[doc(hidden)]
    pub fn by(path: AccessPath, address: Result<Address, Error>) -> Self {
        let target = address.map(|address| Target::Points(vec![address]));
        Self::from_spec(Spec::by::<E>(path, QueryClass::Point, target))
    }
}

impl<E: 'static, R: FromRow> PointQuery<E, R> {
    /// Reads a row that must exist.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let error = Employee::point("Sales", 9).require(&tables).await.unwrap_err();
    /// assert_eq!((error.is_not_found(), error.http_status()), (true, 404));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the row does not exist, and the errors of [`get`](Self::get).
    pub fn require<'t>(&self, tables: &'t Tables) -> Pending<'t, R::Out> {
        required(self.get(tables), self.address())
    }

    /// Reads the row. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the address is invalid, [`Error::Decode`] if the row cannot be decoded, and
    /// [`Error::Service`] if the request fails.
    pub fn get<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<R::Out>> {
        let (address, subject, policies) = (self.address(), self.spec.subject, self.spec.policies);
        let (mut clauses, request) = clause::clauses(&self.spec, R::select(), Some(tables));
        Box::pin(async move {
            // A span belongs to the caller that polls first.
            let span = span::query((subject.name, subject.table), QueryClass::Point);
            let address = address.as_ref().map_err(Clone::clone)?;
            let request = request.as_ref().map_err(Clone::clone)?;
            if !clauses.is_empty() {
                clause::prepare(&mut clauses, tables).await?;
            }
            let found = span::within(&span, tables.read(address, request.select.as_deref())).await?;
            let (rows, batch);
            let row = if clause::validates(&clauses) {
                let (found, mut stats) =
                    (Batch::new(address.table.clone(), found), RunStats::new(QueryClass::Point));
                batch = clause::validate(&clauses, tables, request, found, &mut stats).await?;
                batch.peek().map(|(_, row)| row)
            } else {
                rows = found;
                rows.get(0)
            };
            let source = Source { path: subject.path, ..tables.source(&address.table) };
            let kept = row.map_or(Ok(false), |row| clause::keep(&clauses, source, row));
            span.record("tables.returned", u64::from(!matches!(kept, Ok(false))));
            let decoded = match (kept, row) {
                (Ok(true), Some(row)) => R::from_row(source, row).map(Some),
                (kept, _) => kept.map(|_| None),
            };
            match decoded {
                Err(error) if policies.handling(&error) == Handling::Fail => {
                    span.record("error.type", span::OTHER_ERROR);
                    Err(error.into())
                }
                decoded => Ok(decoded.ok().flatten()),
            }
        })
    }
}
