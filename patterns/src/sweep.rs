//! Long jobs on live data: they go through all rows of some tables, page by page, while others write.

mod list_blobs;
mod patience;
mod sort;
mod walk;

pub(crate) use list_blobs::ListBlobs;
pub(crate) use patience::Patience;
pub(crate) use sort::{Sort, address_of};
pub(crate) use walk::{Walk, WalkPage, keep_pace};

use std::time::Instant;

use table_store::Filter;

use crate::{Cursor, Error, Pending, Tables, design::Design, entity::ENTITY_TYPE};

/// How often one page is retried. Each retry reads half as many rows, so that a page of one row is reached.
const RETRIES: u32 = 10;

/// A long job on live data: [`verify`](Tables::verify), [`reindex`](Tables::reindex) and others. It goes through the rows of
/// some tables, page by page, while others write.
///
/// [`run`](Self::run) does all of it, and retries a page whose failure may pass. [`step`](Self::step) does one page, and [`cursor`](Self::cursor) says where to
/// [resume](Self::resume), also in another process. A page that fails, or is dropped or killed in the middle, is done again;
/// no job minds that.
#[derive(Debug)]
#[must_use = "it does nothing until it is run"]
pub struct Sweep<J: Job> {
    tables: Tables,
    job: J,
    walk: Result<Walk, Error>,
    report: J::Report,
}

/// What a [`Sweep`] does with each page.
pub trait Job: Send + Sync + 'static {
    /// What it comes to.
    type Report: Default + Send + Sync + 'static;

    /// Does a page.
    #[doc(hidden)]
    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, Self::Report>;

    /// Adds what a page came to.
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

    /// Goes on where another one was: of the same job on the same entity.
    pub fn resume(mut self, cursor: Cursor) -> Self {
        self.walk = self.walk.and_then(|mut walk| walk.resume(cursor).map(|()| walk));
        self
    }

    pub(crate) fn resume_at(&mut self, cursor: Cursor) -> Result<(), Error> {
        self.walk.as_mut().map_err(|error| error.clone())?.resume(cursor)
    }

    /// How many rows are read at once: 1 to 1,000, without this 200.
    pub fn page_size(mut self, rows: u32) -> Self {
        self.walk.iter_mut().for_each(|walk| walk.page_size(rows));
        self
    }

    /// Has [`run`](Self::run) wait between pages, so that it goes through at most so many rows of the tables in a second.
    pub fn at_most(mut self, per_second: u32) -> Self {
        self.walk.iter_mut().for_each(|walk| walk.at_most(per_second));
        self
    }

    /// Where to go on; none at the end. What it came to so far is not in it.
    pub fn cursor(&self) -> Option<Cursor> {
        self.walk.as_ref().ok().and_then(Walk::cursor)
    }

    /// How many rows of the tables it went through, those before the cursor that it began at among them.
    pub fn rows(&self) -> u64 {
        self.walk.as_ref().map_or(0, Walk::read)
    }

    /// What it came to so far.
    pub const fn report(&self) -> &J::Report {
        &self.report
    }

    /// Does one page; whether there may be more. After an error the same page is done again.
    pub fn step(&mut self) -> Pending<'_, bool> {
        Box::pin(async move {
            let walk = self.walk.as_mut().map_err(|error| error.clone())?;
            let Some(page) = walk.page(&self.tables).await? else {
                walk.finish();
                return Ok(false);
            };
            let done = self.job.page(&self.tables, &page).await?;
            // Only now: what comes before may be done again, and must not be counted twice.
            J::add(&mut self.report, done);
            walk.done(page);
            Ok(walk.cursor().is_some())
        })
    }

    /// Processes one page as [`run`](Self::run) does, and waits as [`at_most`](Self::at_most) specifies. Returns whether there
    /// may be more.
    ///
    /// # Errors
    /// A failure that does not pass by itself, or the last of 10 retries: a busy service, a lost response, concurrent
    /// writers. The next call processes the same page.
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

    /// Processes one page. A failure that may pass is retried, each time with half as many rows.
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

    /// Does all of it.
    ///
    /// # Errors
    /// As [`paced_step`](Self::paced_step). To resume after an error, call `paced_step` and keep the
    /// [`cursor`](Self::cursor).
    pub fn run(mut self) -> Pending<'static, J::Report> {
        Box::pin(async move {
            while self.paced_step().await? {}
            Ok(self.report)
        })
    }
}

/// The rows whose `EntityType` is one of these; all rows where none is written.
pub(crate) fn of_types(types: impl Iterator<Item = &'static str>) -> Option<Filter> {
    types.map(|name| Filter::eq(ENTITY_TYPE, name)).reduce(Filter::or)
}

/// The rows of a design, where they say of which type they are.
pub(crate) fn of_design(design: &'static Design) -> Option<Filter> {
    of_types(design.entity_types()).filter(|_| design.entity_type.is_some())
}
