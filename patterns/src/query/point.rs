use std::marker::PhantomData;

use table_model::QueryClass;

use super::{
    RunStats,
    batch::Batch,
    checked::{Again, checked},
    shape::query_type,
};
use crate::{
    AccessPath, Address, DynamicEntity, EntityKey, Error, FromRow, Pending, Source, TableEntity, Tables,
    core::spec::{Spec, Target, handling, row_policy::Handling},
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
        self.spec.path
    }

    /// Returns `true` if a consistency requirement was specified, which a cached result does not meet.
    pub(crate) const fn requires_read(&self) -> bool {
        self.spec.fresh.is_required()
    }

    /// Returns the address of the row.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of the key, and [`Error::Service`] if the table name of an
    /// untyped entity is invalid.
    pub fn address(&self) -> Result<Address, Error> {
        match &self.spec.target {
            Ok(Target::Points(points)) => {
                points.first().cloned().ok_or_else(|| unreachable(self.spec.entity))
            }
            Ok(_) => Err(unreachable(self.spec.entity)),
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
        let (address, path, selected) = (self.address(), self.spec.path, self.spec.selected(R::select()));
        let (newer, foreign) = (self.spec.newer, self.spec.foreign);
        let (mut fresh, by, far) = (self.spec.fresh.clone(), self.spec.by, self.spec.far);
        let again = Again::of(&self.spec, selected.as_ref());
        let shown = self.spec.shown();
        let names = (self.spec.entity, self.spec.table);
        Box::pin(async move {
            // A span belongs to the caller that polls first.
            let span = span::query(names, QueryClass::Point);
            let address = address?;
            // Box these rarely used steps, so that they do not enlarge the future of every query.
            if by.is_some() && tables.registry().is_some() {
                Box::pin(tables.may_read(by)).await?;
            }
            if far.is_some() || fresh.asks() {
                Box::pin(fresh.prepare(tables, far)).await?;
            }
            let found = span::within(&span, tables.read(&address, selected.as_deref())).await?;
            let (rows, batch);
            let row = match again.zip(far) {
                None => {
                    rows = found;
                    rows.get(0)
                }
                Some((again, far)) => {
                    let found = Batch::new(address.table.clone(), found);
                    let mut stats = RunStats::new(QueryClass::Point);
                    batch = Box::pin(checked(tables, far, &again, found, &mut stats)).await?;
                    batch.peek().map(|(_, row)| row)
                }
            };
            let row = row.filter(|row| shown.is_none_or(|shown| shown.matches(*row)));
            span.record("tables.returned", u64::from(row.is_some()));
            let Some(row) = row else { return Ok(None) };
            match R::from_row(Source { path, ..tables.source(&address.table) }, row) {
                Ok(found) => Ok(Some(found)),
                Err(error) if handling(newer, foreign, &error) == Handling::Fail => {
                    span.record("error.type", span::OTHER_ERROR);
                    Err(error.into())
                }
                Err(_) => Ok(None),
            }
        })
    }
}
