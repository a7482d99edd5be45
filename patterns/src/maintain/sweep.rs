//! Long-running maintenance jobs. A sweep processes all rows of some tables, page by page, during concurrent writes.

mod list_blobs;
mod patience;
mod periods;
mod sort;
mod walk;

pub(crate) use list_blobs::ListBlobs;
pub(crate) use patience::Patience;
pub(crate) use periods::Periods;
pub(crate) use sort::{Sort, address_of};
pub(crate) use walk::{Walk, WalkPage, keep_pace};

use std::time::Instant;

use table_model::Filter;

use crate::{
    Cursor, Error, Pending, Tables,
    core::{entity_types::of_types, reserved::ENTITY_TYPE},
    design::Design,
};

/// Maximum number of retries of one page. Each retry halves the page size, down to a single row.
const RETRIES: u32 = 10;

/// A long-running job during concurrent writes: [`verify`](Tables::verify), [`reindex`](Tables::reindex) and others. It
/// processes all rows of some tables, page by page.
///
/// [`run`](Self::run) processes all pages, and retries a page after a transient failure. [`step`](Self::step) processes
/// one page. [`cursor`](Self::cursor) returns the position to [resume](Self::resume) from, also in another process. A
/// page that fails or is interrupted is processed again; all jobs are idempotent.
#[derive(Debug)]
#[must_use = "a sweep does nothing until it is run"]
pub struct Sweep<J: Job> {
    tables: Tables,
    job: J,
    walk: Result<Walk, Error>,
    report: J::Report,
}

/// A job that a [`Sweep`] runs on each page.
pub trait Job: Send + Sync + 'static {
    /// Result of the job.
    type Report: Default + Send + Sync + 'static;

    /// Processes a page.
    #[doc(hidden)]
    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, Self::Report>;

    /// Adds the result of a page to the report.
    #[doc(hidden)]
    fn add(report: &mut Self::Report, page: Self::Report);
}

impl<J: Job> Sweep<J> {
    pub(crate) fn new(tables: &Tables, job: J, walk: Result<Walk, Error>) -> Self {
        Self { tables: tables.clone(), job, walk, report: J::Report::default() }
    }

    pub(crate) const fn job(&mut self) -> &mut J {
        &mut self.job
    }

    /// Resumes at the cursor of another sweep with the same job and the same entity type.
    ///
    /// A cursor of a different sweep is reported by the first step.
    pub fn resume(mut self, cursor: Cursor) -> Self {
        self.walk = self.walk.and_then(|mut walk| walk.resume(cursor).map(|()| walk));
        self
    }

    pub(crate) fn resume_at(&mut self, cursor: Cursor) -> Result<(), Error> {
        self.walk.as_mut().map_err(|error| error.clone())?.resume(cursor)
    }

    /// Sets the number of rows per page, from 1 to 1,000. The default is 200.
    pub fn page_size(mut self, rows: u32) -> Self {
        self.walk.iter_mut().for_each(|walk| walk.page_size(rows));
        self
    }

    /// Limits the rate: [`run`](Self::run) and [`paced_step`](Self::paced_step) wait between pages, so that at most
    /// `per_second` rows of the tables are processed per second.
    pub fn max_rows_per_second(mut self, per_second: u32) -> Self {
        self.walk.iter_mut().for_each(|walk| walk.max_rows_per_second(per_second));
        self
    }

    /// Returns the cursor of the next page, or `None` at the end. The cursor does not contain the report. For an entity with
    /// a table for each period, also `None` before the first page.
    pub fn cursor(&self) -> Option<Cursor> {
        self.walk.as_ref().ok().and_then(Walk::cursor)
    }

    /// Returns the number of table rows that were processed, including those before the cursor that the sweep was
    /// resumed at.
    pub fn rows(&self) -> u64 {
        self.walk.as_ref().map_or(0, Walk::read)
    }

    /// Returns the result so far.
    pub const fn report(&self) -> &J::Report {
        &self.report
    }

    /// Processes one page. Returns `false` after the last page.
    ///
    /// # Errors
    /// Returns the first failure of the page, without a retry. The next call processes the same page again.
    pub fn step(&mut self) -> Pending<'_, bool> {
        Box::pin(async move {
            let walk = self.walk.as_mut().map_err(|error| error.clone())?;
            let Some(page) = walk.page(&self.tables).await? else {
                walk.finish();
                return Ok(false);
            };
            let done = self.job.page(&self.tables, &page).await?;
            // The report is updated last. An earlier failure repeats the page, which must not be counted twice.
            J::add(&mut self.report, done);
            walk.done(page);
            Ok(walk.cursor().is_some())
        })
    }

    /// Processes one page as [`run`](Self::run) does, and waits as specified with
    /// [`max_rows_per_second`](Self::max_rows_per_second). Returns whether there may be more pages.
    ///
    /// # Errors
    /// Returns a failure that is not transient, or the last failure after 10 retries: a busy service, a lost response,
    /// concurrent writers. The next call processes the same page.
    pub fn paced_step(&mut self) -> Pending<'_, bool> {
        Box::pin(async move {
            let (began, before) = (Instant::now(), self.rows());
            let is_more = self.patient_step().await?;
            let rows = self.rows() - before;
            if let Some(walk) = self.walk.as_ref().ok().filter(|_| is_more) {
                walk.keep_pace(began, rows).await;
            }
            Ok(is_more)
        })
    }

    /// Processes one page. After a transient failure, it is retried with half as many rows.
    async fn patient_step(&mut self) -> Result<bool, Error> {
        let mut patience = Patience::new(RETRIES);
        loop {
            match self.step().await {
                Ok(is_more) => {
                    self.walk.iter_mut().for_each(Walk::grow);
                    return Ok(is_more);
                }
                Err(error) if patience.is_to_retry(&self.tables, &error).await => {
                    self.walk.iter_mut().for_each(Walk::shrink);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Processes all pages and returns the report.
    ///
    /// # Errors
    /// Returns the errors of [`paced_step`](Self::paced_step). To resume after an error, call `paced_step` and keep the
    /// [`cursor`](Self::cursor).
    pub fn run(mut self) -> Pending<'static, J::Report> {
        Box::pin(async move {
            while self.paced_step().await? {}
            Ok(self.report)
        })
    }
}

/// Returns a filter for the rows of all versions of a design, also of those that it does not read, if the design stores
/// the entity type.
pub(crate) fn of_all_versions(design: &'static Design) -> Option<Filter> {
    let [first, from, to] = design.version_range()?;
    let later = Filter::ge(ENTITY_TYPE, from).and(Filter::lt(ENTITY_TYPE, to));
    Some(of_types(design.entity_types())?.or(Filter::eq(ENTITY_TYPE, first)).or(later))
}

/// Returns a filter for the rows of a design, if the design stores the entity type.
pub(crate) fn of_design(design: &'static Design) -> Option<Filter> {
    of_types(design.entity_types()).filter(|_| design.entity_type.is_some())
}
