use std::{fmt, sync::Arc};

use table_model::{Name, RowRef};

use super::{Explain, Page, Report, Stream, count, fetch::Fetch, page};
use crate::{
    DynamicEntity, Error, FromRow, Pending, Source, Stored, Tables,
    core::{error::DecodeError, spec::Spec},
};

/// Query whose rows are converted by a closure (`G-HET-2`).
#[derive(Clone)]
pub struct Resolved<T> {
    spec: Spec,
    /// Properties that are requested. `None` for all.
    select: Option<Vec<Name>>,
    resolver: Arc<dyn Fn(Stored<DynamicEntity>) -> T + Send + Sync>,
}

impl<T: Send + 'static> Resolved<T> {
    pub(crate) fn new(
        spec: Spec,
        resolver: impl Fn(Stored<DynamicEntity>) -> T + Send + Sync + 'static,
    ) -> Self {
        Self { spec, select: None, resolver: Arc::new(resolver) }
    }

    /// Requests only some properties.
    pub(crate) fn selecting(self, select: Option<Vec<Name>>) -> Self {
        Self { select, ..self }
    }

    fn read(&self) -> impl Fn(Source<'_>, RowRef<'_>) -> Result<T, DecodeError> + Send + Sync + 'static {
        let resolver = Arc::clone(&self.resolver);
        move |source, row| DynamicEntity::from_row(source, row).map(|bag| resolver(bag))
    }

    /// Returns the plan of the query; see [`Query::explain`](crate::Query::explain).
    ///
    /// # Errors
    /// Returns the errors of [`Query::explain`](crate::Query::explain).
    pub fn explain(&self) -> Result<Explain, Error> {
        Explain::of(&self.spec, self.select.clone())
    }

    /// Reads one page; see [`Query::page`](crate::Query::page).
    ///
    /// # Errors
    /// Returns the errors of [`Query::page`](crate::Query::page).
    pub fn page(&self, tables: &Tables) -> Pending<'static, Page<T>> {
        page::page(Fetch::new(tables, &self.spec, self.select.clone()), self.read())
    }

    /// Reads all items; see [`Query::all`](crate::Query::all).
    ///
    /// # Errors
    /// Returns the errors of [`Query::all`](crate::Query::all).
    pub fn all(&self, tables: &Tables) -> Pending<'static, Vec<T>> {
        let report = self.report(tables);
        Box::pin(async move { report.await.map(|report| report.items) })
    }

    /// Reads all items with statistics; see [`Query::report`](crate::Query::report).
    ///
    /// # Errors
    /// Returns the errors of [`Query::report`](crate::Query::report).
    pub fn report(&self, tables: &Tables) -> Pending<'static, Report<T>> {
        page::report(Fetch::new(tables, &self.spec, self.select.clone()), self.read())
    }

    /// Counts the items; see [`Query::count`](crate::Query::count).
    ///
    /// # Errors
    /// Returns the errors of [`Query::count`](crate::Query::count).
    pub fn count(&self, tables: &Tables) -> Pending<'static, u64> {
        count::count::<DynamicEntity>(tables, &self.spec)
    }

    /// Returns whether there is an item; see [`Query::exists`](crate::Query::exists).
    ///
    /// # Errors
    /// Returns the errors of [`Query::exists`](crate::Query::exists).
    pub fn exists(&self, tables: &Tables) -> Pending<'static, bool> {
        count::exists::<DynamicEntity>(tables, &self.spec)
    }

    /// Returns a stream of the items; see [`Query::stream`](crate::Query::stream).
    pub fn stream(&self, tables: &Tables) -> Stream<T> {
        Stream::new(Fetch::new(tables, &self.spec, self.select.clone()), Box::new(self.read()))
    }
}

impl<T> fmt::Debug for Resolved<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Resolved").field(&self.spec).finish()
    }
}
