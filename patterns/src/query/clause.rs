//! What a pattern does in the run of a query.

use std::{fmt, future::ready};

use table_model::{Filter, Name, RowRef, TableName};

use super::{RunStats, batch::Batch};
use crate::{
    Error, Pending, Source, Tables,
    core::{error::DecodeError, spec::Spec},
    write::Patterns,
};

/// A pattern of a query: the index that is read, consistency requirements, visible rows, the type of a scan.
///
/// `crate::pattern` contains the list. A run asks only the clauses that its query has; a plain query has none.
pub(crate) trait Clause: fmt::Debug + Send + Sync {
    /// Adds conditions and properties to the requests of the query.
    fn request(&mut self, _spec: &Spec, _request: &mut Request) {}

    /// Returns what must be done before a request, if anything.
    fn prepare<'a>(&'a mut self, _tables: &'a Tables) -> Option<Pending<'a, ()>> {
        None
    }

    /// Returns whether the rows of a response are compared with other rows before they are returned.
    fn validates(&self) -> bool {
        false
    }

    /// Compares the rows of a response with other rows: drops rows, or reads them again.
    fn validate<'a>(
        &'a self,
        _tables: &'a Tables,
        _request: &'a Request,
        rows: Batch,
        _stats: &'a mut RunStats,
    ) -> Pending<'a, Batch> {
        Box::pin(ready(Ok(rows)))
    }

    /// Returns whether `keeps` can leave out rows, so that the number of rows to request is unknown.
    fn excludes(&self) -> bool {
        false
    }

    /// Returns whether a row is returned.
    ///
    /// # Errors
    /// Returns an error for a row that the program cannot read.
    fn keeps(&self, _source: Source<'_>, _row: RowRef<'_>) -> Result<bool, DecodeError> {
        Ok(true)
    }
}

/// The clauses of a run, in the order in which they are asked.
pub(crate) type RunClauses = Vec<Box<dyn Clause>>;

/// What the requests of a query contain besides the keys.
#[derive(Debug)]
pub(crate) struct Request {
    /// Condition of the caller, as far as the service evaluates it.
    pub(crate) filter: Option<Filter>,
    /// Condition that selects the visible rows.
    pub(crate) visible: Option<Filter>,
    pub(crate) select: Option<Vec<Name>>,
    /// Versions of the entity whose rows are filtered after they are read.
    pub(crate) residual: Vec<u32>,
}

impl Request {
    /// Returns the filter of the rows with certain keys.
    pub(crate) fn within(&self, keys: Option<Filter>) -> Option<Filter> {
        keys.into_iter().chain(self.filter.clone()).chain(self.visible.clone()).reduce(Filter::and)
    }
}

impl Spec {
    /// Returns what the requests contain besides the keys.
    ///
    /// # Errors
    /// Returns the error of an invalid condition.
    pub(crate) fn request(&self, select: Option<Vec<Name>>) -> Result<Request, Error> {
        clauses(self, select, None).1
    }

    /// Returns the table and the complete filter.
    ///
    /// # Errors
    /// Returns the error of an invalid key or condition.
    pub(crate) fn filter(&self) -> Result<(TableName, Option<Filter>), Error> {
        let (table, keys) = self.keys()?;
        Ok((table, self.request(None)?.within(keys)))
    }
}

/// Returns the clauses of a query that selects properties, and what its requests contain, or the error of an invalid
/// condition. `tables` is absent if the query does not run.
pub(super) fn clauses(
    spec: &Spec,
    select: Option<Vec<Name>>,
    tables: Option<&Tables>,
) -> (RunClauses, Result<Request, Error>) {
    let mut clauses = Patterns::clauses(spec, select.as_deref(), tables);
    let request = spec.filter.clone().transpose().map(|filter| {
        let mut request = Request { filter, visible: None, select, residual: Vec::new() };
        for clause in &mut clauses {
            clause.request(spec, &mut request);
        }
        request
    });
    (clauses, request)
}

/// Does what the clauses require before a request.
pub(super) async fn prepare(clauses: &mut [Box<dyn Clause>], tables: &Tables) -> Result<(), Error> {
    for clause in clauses {
        if let Some(work) = clause.prepare(tables) {
            work.await?;
        }
    }
    Ok(())
}

/// Returns whether a clause compares the rows of responses with other rows.
pub(super) fn validates(clauses: &[Box<dyn Clause>]) -> bool {
    clauses.iter().any(|clause| clause.validates())
}

/// Compares the rows of a response with other rows, if a clause requires it.
pub(super) async fn validate(
    clauses: &[Box<dyn Clause>],
    tables: &Tables,
    request: &Request,
    mut rows: Batch,
    stats: &mut RunStats,
) -> Result<Batch, Error> {
    for clause in clauses.iter().filter(|clause| clause.validates()) {
        rows = clause.validate(tables, request, rows, stats).await?;
    }
    Ok(rows)
}

/// Returns whether all clauses keep a row.
pub(super) fn keep(
    clauses: &[Box<dyn Clause>],
    source: Source<'_>,
    row: RowRef<'_>,
) -> Result<bool, DecodeError> {
    for clause in clauses {
        if !clause.keeps(source, row)? {
            return Ok(false);
        }
    }
    Ok(true)
}
