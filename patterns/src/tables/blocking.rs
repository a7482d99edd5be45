use table_model::TableName;

use crate::{
    BorrowRow, DeleteTarget, Error, FromRow, IntoMerge, OnePoint, Page, PerPeriod, PointQuery, Query, Report,
    RunStats, SoftDelete, Stored, TableEntity, WriteResult, core::entity::Writable, handle::Tables,
};

/// Blocking versions of the operations and queries of [`Tables`]. Each call blocks the current thread until the result
/// is available, so do not call them in an async task.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// let tables = Tables::in_memory()?;
/// let tables = tables.blocking();
/// tables.insert(&employee(1))?;
/// tables.update(Employee::point("Sales", 1), |employee| employee.age += 1)?;
/// for employee in tables.iter(&Employee::rows("Sales")) {
///     assert_eq!(employee?.age, 31);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Blocking<'t> {
    tables: &'t Tables,
}

impl<'t> Blocking<'t> {
    pub(super) const fn new(tables: &'t Tables) -> Self {
        Self { tables }
    }

    /// Reads one entity; see [`PointQuery::get`](crate::PointQuery::get) and [`WidePoint::get`](crate::WidePoint::get).
    ///
    /// # Errors
    /// Returns the errors of [`PointQuery::get`](crate::PointQuery::get).
    pub fn get<P: OnePoint>(self, point: &P) -> Result<Option<P::Out>, Error> {
        pollster::block_on(point.find(self.tables))
    }

    /// Reads one page; see [`Query::page`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::page`].
    pub fn page<Q: Query>(self, query: &Q) -> Result<Page<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.page(self.tables))
    }

    /// Reads all items; see [`Query::all`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::all`].
    pub fn all<Q: Query>(self, query: &Q) -> Result<Vec<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.all(self.tables))
    }

    /// Reads all items with statistics; see [`Query::report`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::report`].
    pub fn report<Q: Query>(self, query: &Q) -> Result<Report<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.report(self.tables))
    }

    /// Counts the items; see [`Query::count`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::count`].
    pub fn count<Q: Query>(self, query: &Q) -> Result<u64, Error> {
        pollster::block_on(query.count(self.tables))
    }

    /// Returns whether there is an item; see [`Query::exists`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::exists`].
    pub fn exists<Q: Query>(self, query: &Q) -> Result<bool, Error> {
        pollster::block_on(query.exists(self.tables))
    }

    /// Reads all rows in place; see [`Query::for_each`].
    ///
    /// # Errors
    /// Returns the errors of [`Query::for_each`].
    pub fn for_each<Q: Query, F>(self, query: &Q, visit: F) -> Result<RunStats, Error>
    where
        Q::Row: BorrowRow,
        F: for<'r> FnMut(<Q::Row as BorrowRow>::Ref<'r>) + Send,
    {
        pollster::block_on(query.for_each(self.tables, visit))
    }

    /// Iterates over the items; see [`Query::stream`].
    pub fn iter<Q: Query>(
        self,
        query: &Q,
    ) -> impl Iterator<Item = Result<<Q::Row as FromRow>::Out, Error>> + use<Q> {
        let mut stream = query.stream(self.tables);
        std::iter::from_fn(move || pollster::block_on(stream.try_next()).transpose())
    }

    /// Runs a sweep; see [`Sweep::run`](crate::Sweep::run).
    ///
    /// # Errors
    /// Returns the errors of [`Sweep::run`](crate::Sweep::run).
    pub fn sweep<J: crate::Job>(self, sweep: crate::Sweep<J>) -> Result<J::Report, Error> {
        pollster::block_on(sweep.run())
    }

    /// Inserts an entity; see [`Tables::insert`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.insert(entity))
    }

    /// Replaces an entity that was read; see [`Tables::replace`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::replace`].
    pub fn replace<E: Writable>(self, stored: &Stored<E>) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.replace(stored))
    }

    /// Replaces an entity regardless of its version; see [`Tables::replace_any`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::replace_any`].
    pub fn replace_any<E: Writable>(self, entity: &E) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.replace_any(entity))
    }

    /// Inserts or replaces an entity; see [`Tables::upsert`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::upsert`].
    pub fn upsert<E: Writable>(self, entity: &E) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.upsert(entity))
    }

    /// Writes an entity without reading the stored row; see [`Tables::overwrite`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::overwrite`].
    pub fn overwrite<E: Writable>(self, entity: &E) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.overwrite(entity))
    }

    /// Merges a patch; see [`Tables::merge`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::merge`].
    pub fn merge(self, patch: impl IntoMerge) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.merge(patch))
    }

    /// Inserts or merges a patch; see [`Tables::upsert_merge`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::upsert_merge`].
    pub fn upsert_merge(self, patch: impl IntoMerge) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.upsert_merge(patch))
    }

    /// Updates an entity with a closure; see [`Tables::update`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::update`].
    pub fn update<E: TableEntity>(
        self,
        point: impl OnePoint<Out = Stored<E>>,
        change: impl FnMut(&mut E) + Send,
    ) -> Result<Stored<E>, Error> {
        pollster::block_on(self.tables.update(point, change))
    }

    /// Updates an entity with a closure that can fail; see [`Tables::try_update`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::try_update`].
    pub fn try_update<E: TableEntity, X: From<Error> + Send>(
        self,
        point: impl OnePoint<Out = Stored<E>>,
        change: impl FnMut(&mut E) -> Result<(), X> + Send,
    ) -> Result<Stored<E>, X> {
        pollster::block_on(self.tables.try_update(point, change))
    }

    /// Moves an entity to another key; see [`Tables::rekey`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::rekey`].
    pub fn rekey<E: Writable>(self, stored: &Stored<E>) -> Result<WriteResult, Error> {
        pollster::block_on(self.tables.rekey(stored))
    }

    /// Deletes an entity that was read, or the entity of a point query; see [`Tables::delete`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::delete`].
    pub fn delete(self, target: impl DeleteTarget) -> Result<(), Error> {
        pollster::block_on(self.tables.delete(target))
    }

    /// Marks an entity as deleted; see [`Tables::soft_delete`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::soft_delete`].
    pub fn soft_delete<E: SoftDelete>(self, point: PointQuery<E>) -> Result<Stored<E>, Error> {
        pollster::block_on(self.tables.soft_delete(point))
    }

    /// Restores a soft-deleted entity; see [`Tables::undelete`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::undelete`].
    pub fn undelete<E: SoftDelete>(self, point: PointQuery<E>) -> Result<Stored<E>, Error> {
        pollster::block_on(self.tables.undelete(point))
    }

    /// Deletes an entity by key; see [`Tables::delete_at`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::delete_at`].
    pub fn delete_at(self, point: impl OnePoint + DeleteTarget) -> Result<(), Error> {
        pollster::block_on(self.tables.delete_at(point))
    }

    /// Deletes an entity if it exists; see [`Tables::delete_if_exists`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::delete_if_exists`].
    pub fn delete_if_exists(self, target: impl DeleteTarget) -> Result<bool, Error> {
        pollster::block_on(self.tables.delete_if_exists(target))
    }

    /// Creates the table of an entity; see [`Tables::create`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::create`].
    pub fn create<E: TableEntity>(self) -> Result<(), Error> {
        pollster::block_on(self.tables.create::<E>())
    }

    /// Deletes the table of an entity; see [`Tables::delete_table`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::delete_table`].
    pub fn delete_table<E: TableEntity>(self) -> Result<bool, Error> {
        pollster::block_on(self.tables.delete_table::<E>())
    }

    /// Lists the tables of an entity; see [`Tables::periods`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::periods`].
    pub fn periods<E: PerPeriod>(self) -> Result<Vec<TableName>, Error> {
        pollster::block_on(self.tables.periods::<E>())
    }

    /// Deletes the tables of past periods; see [`Tables::drop_before`].
    ///
    /// # Errors
    /// Returns the errors of [`Tables::drop_before`].
    pub fn drop_before<E: PerPeriod>(self, cutoff: E::Time) -> Result<Vec<TableName>, Error> {
        pollster::block_on(self.tables.drop_before::<E>(cutoff))
    }

    /// Commits a transaction; see [`Transaction`](crate::Transaction).
    ///
    /// # Errors
    /// Returns the errors of [`Transaction::commit`](crate::Transaction::commit).
    pub fn commit(self, transaction: crate::Transaction<'_>) -> Result<Vec<Option<WriteResult>>, Error> {
        pollster::block_on(transaction.commit())
    }

    /// Runs a bulk; see [`Bulk`](crate::Bulk).
    ///
    /// # Errors
    /// Returns the errors of [`Bulk::run`](crate::Bulk::run).
    pub fn run(self, bulk: crate::Bulk<'_>) -> Result<crate::BulkReport, Error> {
        pollster::block_on(bulk.run())
    }
}
