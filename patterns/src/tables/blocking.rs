use table_store::TableName;

use super::{PerPeriod, Tables};
use crate::{
    DeleteTarget, Error, FromRow, IntoMerge, OnePoint, Page, Query, Report, Stored, TableEntity, Written,
    entity::Writable,
};

/// The verbs and queries of [`Tables`] without futures: each waits for its result on this thread. Not for use inside of
/// an async task, which it would block.
#[derive(Clone, Copy, Debug)]
pub struct Blocking<'t> {
    tables: &'t Tables,
}

impl<'t> Blocking<'t> {
    pub(super) const fn new(tables: &'t Tables) -> Self {
        Self { tables }
    }

    /// See [`PointQuery::get`](crate::PointQuery::get) and [`WidePoint::get`](crate::WidePoint::get).
    pub fn get<P: OnePoint>(self, point: &P) -> Result<Option<P::Out>, Error> {
        pollster::block_on(point.find(self.tables))
    }

    /// See [`Query::page`].
    pub fn page<Q: Query>(self, query: &Q) -> Result<Page<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.page(self.tables))
    }

    /// See [`Query::all`].
    pub fn all<Q: Query>(self, query: &Q) -> Result<Vec<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.all(self.tables))
    }

    /// See [`Query::report`].
    pub fn report<Q: Query>(self, query: &Q) -> Result<Report<<Q::Row as FromRow>::Out>, Error> {
        pollster::block_on(query.report(self.tables))
    }

    /// See [`Query::stream`].
    pub fn iter<Q: Query>(
        self,
        query: &Q,
    ) -> impl Iterator<Item = Result<<Q::Row as FromRow>::Out, Error>> + use<Q> {
        let mut stream = query.stream(self.tables);
        std::iter::from_fn(move || pollster::block_on(stream.try_next()).transpose())
    }

    /// See [`Sweep::run`](crate::Sweep::run).
    pub fn sweep<J: crate::Job>(self, sweep: crate::Sweep<J>) -> Result<J::Report, Error> {
        pollster::block_on(sweep.run())
    }

    /// See [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Result<Written, Error> {
        pollster::block_on(self.tables.insert(entity))
    }

    /// See [`Tables::replace`].
    pub fn replace<E: Writable>(self, stored: &Stored<E>) -> Result<Written, Error> {
        pollster::block_on(self.tables.replace(stored))
    }

    /// See [`Tables::replace_any`].
    pub fn replace_any<E: Writable>(self, entity: &E) -> Result<Written, Error> {
        pollster::block_on(self.tables.replace_any(entity))
    }

    /// See [`Tables::upsert`].
    pub fn upsert<E: Writable>(self, entity: &E) -> Result<Written, Error> {
        pollster::block_on(self.tables.upsert(entity))
    }

    /// See [`Tables::merge`].
    pub fn merge(self, patch: impl IntoMerge) -> Result<Written, Error> {
        pollster::block_on(self.tables.merge(patch))
    }

    /// See [`Tables::upsert_merge`].
    pub fn upsert_merge(self, patch: impl IntoMerge) -> Result<Written, Error> {
        pollster::block_on(self.tables.upsert_merge(patch))
    }

    /// See [`Tables::update`].
    pub fn update<E: TableEntity>(
        self,
        point: impl OnePoint<Out = Stored<E>>,
        change: impl FnMut(&mut E) + Send,
    ) -> Result<Stored<E>, Error> {
        pollster::block_on(self.tables.update(point, change))
    }

    /// See [`Tables::rekey`].
    pub fn rekey<E: Writable>(self, stored: &Stored<E>) -> Result<Written, Error> {
        pollster::block_on(self.tables.rekey(stored))
    }

    /// See [`Tables::delete`].
    pub fn delete<E: Writable>(self, stored: &Stored<E>) -> Result<(), Error> {
        pollster::block_on(self.tables.delete(stored))
    }

    /// See [`Tables::delete_at`].
    pub fn delete_at(self, point: impl OnePoint + DeleteTarget) -> Result<(), Error> {
        pollster::block_on(self.tables.delete_at(point))
    }

    /// See [`Tables::delete_if_exists`].
    pub fn delete_if_exists(self, target: impl DeleteTarget) -> Result<bool, Error> {
        pollster::block_on(self.tables.delete_if_exists(target))
    }

    /// See [`Tables::create`].
    pub fn create<E: TableEntity>(self) -> Result<(), Error> {
        pollster::block_on(self.tables.create::<E>())
    }

    /// See [`Tables::delete_table`].
    pub fn delete_table<E: TableEntity>(self) -> Result<bool, Error> {
        pollster::block_on(self.tables.delete_table::<E>())
    }

    /// See [`Tables::periods`].
    pub fn periods<E: PerPeriod>(self) -> Result<Vec<TableName>, Error> {
        pollster::block_on(self.tables.periods::<E>())
    }

    /// See [`Tables::drop_before`].
    pub fn drop_before<E: PerPeriod>(self, cutoff: E::Time) -> Result<Vec<TableName>, Error> {
        pollster::block_on(self.tables.drop_before::<E>(cutoff))
    }

    /// Commits a transaction; see [`Transaction`](crate::Transaction).
    pub fn commit(self, transaction: crate::Transaction<'_>) -> Result<Vec<Option<Written>>, Error> {
        pollster::block_on(transaction.commit())
    }

    /// Runs a bulk; see [`Bulk`](crate::Bulk).
    pub fn run(self, bulk: crate::Bulk<'_>) -> Result<crate::BulkReport, Error> {
        pollster::block_on(bulk.run())
    }
}
