mod account;
mod in_place;
mod plan;
mod points;
mod position;

use std::sync::Arc;

use table_model::{
    Continuation, ErrorCode, Filter, Name, Query, RowRef, SegmentStats, TableError, TableName,
};

use points::{index_of, is_before, points_from};

use super::{
    batch::Batch,
    clause::{self, Request, RunClauses},
    lookup_members::Members,
    merge_scan::{self, Lanes},
};
use crate::{
    Address, Cursor, Error, RunStats, SkippedRow, Source, Tables,
    core::{
        cursor::{CursorError, Place},
        decode_cache::DecodeCache,
        error::{DecodeError, OrderError},
        spec::{Spec, Target, row_policy::Handling},
    },
    handle::span,
};
use account::Account;
pub(super) use account::MOST_SKIPPED;
use position::Position;
pub(super) use position::Start;

/// Maximum number of rows of one request.
const MOST: u32 = 1000;

/// A run of a query, which reads rows from the service request by request. It owns all its data, so its futures do not
/// borrow from the caller.
#[derive(Debug)]
pub(super) struct Fetch {
    tables: Tables,
    spec: Arc<Spec>,
    clauses: RunClauses,
    /// The requests, or the error that makes the query invalid.
    plan: Result<Plan, Error>,
    position: Position,
    account: Account,
    /// State that decoding carries from row to row.
    cache: DecodeCache,
}

/// Requests of a valid query.
#[derive(Debug)]
struct Plan {
    ask: Ask,
    request: Request,
}

#[derive(Debug)]
enum Ask {
    /// Segments of one query.
    Segments { table: TableName, filter: Option<Filter> },
    /// Point reads.
    Points,
    /// Members of a lookup list.
    Members(Box<Members>),
    /// Several queries whose rows are merged.
    Lanes(Box<Lanes>),
}

impl Fetch {
    pub(super) fn new(tables: &Tables, spec: &Spec, select: Option<Vec<Name>>) -> Self {
        let (clauses, request) = clause::clauses(spec, select, Some(tables));
        let in_order = spec.check_order(tables.service().capabilities());
        let planned = in_order.and_then(|()| spec.resumed()).and_then(|cursor| {
            spec.target.as_ref().map_err(Clone::clone)?;
            let request = request?;
            let ask = Ask::of(spec, &request, cursor.as_ref())?;
            Ok((Plan { ask, request }, cursor))
        });
        let (plan, cursor) = match planned {
            Ok((plan, cursor)) => (Ok(plan), cursor),
            Err(error) => (Err(error), None),
        };
        Self {
            tables: tables.clone(),
            position: Position::of(spec, cursor),
            account: Account::new(spec),
            spec: Arc::new(spec.clone()),
            clauses,
            plan,
            cache: DecodeCache::default(),
        }
    }

    /// Prepares a run that reads a page: it lists the rows that were left out, and may start at the cursor of a previous page.
    pub(super) fn for_page(mut self) -> Self {
        let policies = &mut Arc::make_mut(&mut self.spec).policies;
        policies.foreign = policies.foreign.listed();
        self.position.allow_previous();
        self
    }

    /// Returns the source description of a row of this table.
    pub(super) fn source<'s>(&'s self, table: &'s TableName) -> Source<'s> {
        Source { path: self.spec.subject.path, cache: Some(&self.cache), ..self.tables.source(table) }
    }

    /// Decodes a row with `read`. Returns `None` if it is left out.
    ///
    /// # Errors
    /// Returns an error for a row that cannot be decoded. The next rows can be read.
    pub(super) fn item<T>(
        &mut self,
        table: &TableName,
        row: RowRef<'_>,
        read: &mut impl FnMut(Source<'_>, RowRef<'_>) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, Error> {
        let source = self.source(table);
        let error = match clause::keep(&self.clauses, source, row) {
            Ok(true) => match read(source, row) {
                Ok(item) => return Ok(Some(item)),
                Err(error) => error,
            },
            Ok(false) => return Ok(None),
            Err(error) => error,
        };
        self.judge(table, error).map(|()| None)
    }

    /// Leaves out a row that cannot be decoded, or returns its error.
    #[cold]
    fn judge(&mut self, table: &TableName, error: DecodeError) -> Result<(), Error> {
        match self.spec.policies.handling(&error) {
            Handling::Fail | Handling::Unset | Handling::SkipTypes => return Err(error.into()),
            Handling::Ignore => {}
            Handling::Skip => self.account.skip(table, error),
        }
        Ok(())
    }

    /// Returns whether the items are projections, which read their properties by name.
    pub(super) fn is_projection(&self) -> bool {
        self.plan.as_ref().is_ok_and(|plan| plan.request.select.is_some())
    }

    /// Returns `true` if all rows were read.
    pub(super) const fn is_done(&self) -> bool {
        self.position.next.is_none()
    }

    /// Counts a returned item. Returns `true` if it was the last item that `take` allows.
    pub(super) fn give(&mut self) -> bool {
        self.account.stats.returned += 1;
        self.position.give(self.spec.paging.take)
    }

    /// Returns the number of items that were returned.
    pub(super) const fn given(&self) -> u64 {
        self.position.given
    }

    /// Returns the statistics of the run so far.
    pub(super) const fn stats(&self) -> RunStats {
        self.account.stats
    }

    /// Returns the rows that were left out since the last call.
    pub(super) fn take_skipped(&mut self) -> Vec<SkippedRow> {
        std::mem::take(&mut self.account.skipped)
    }

    /// Returns the start of the next request, or `None` at the end.
    pub(super) fn start(&self) -> Option<Start> {
        self.start_at(self.position.next.clone()?, self.position.given)
    }

    /// Returns the position of a row of the last request.
    pub(super) fn start_at_row(&self, table: &TableName, row: RowRef<'_>) -> Option<Start> {
        let place = if matches!(&self.plan, Ok(Plan { ask: Ask::Lanes(_), .. })) {
            Place::Row(merge_scan::place_of(table, row, false)?)
        } else {
            let token = self.position.token.clone();
            Place::At {
                token,
                partition_key: row.partition_key?.to_owned(),
                row_key: row.row_key?.to_owned(),
            }
        };
        self.start_at(place, self.position.given)
    }

    fn start_at(&self, place: Place, given: u64) -> Option<Start> {
        self.plan.is_ok().then(|| Start { spec: Arc::clone(&self.spec), given, place })
    }

    /// Returns the cursors to the next page and to the previous page. `start` is the number of items that were returned when
    /// the run started.
    pub(super) fn cursors(&self, start: u64) -> (Option<Cursor>, Option<Cursor>) {
        let Position { next, previous, given, .. } = &self.position;
        let (before, after) = (start.min(*given), start.max(*given));
        let at = |place, given| self.start_at(place, given)?.cursor();
        let next = next.clone().and_then(|place| at(place, after));
        let previous = previous.clone().and_then(|token| at(Place::Back(token), before));
        (next, previous)
    }

    /// Sends the next request, or one request to each lane of a merge. Returns no rows at the end, or if the service
    /// stopped early.
    pub(super) async fn rows(&mut self) -> Result<Batch, Error> {
        span::within(&self.account.span(), self.next_rows()).await
    }

    async fn next_rows(&mut self) -> Result<Batch, Error> {
        self.prepare().await?;
        self.validated().await
    }

    async fn prepare(&mut self) -> Result<(), Error> {
        self.position.check_page()?;
        if self.clauses.is_empty() {
            return Ok(());
        }
        clause::prepare(&mut self.clauses, &self.tables).await
    }

    async fn validated(&mut self) -> Result<Batch, Error> {
        let rows = self.ask().await?;
        let Ok(Plan { request, .. }) = &self.plan else { return Ok(rows) };
        clause::validate(&self.clauses, &self.tables, request, rows, &mut self.account.stats).await
    }

    async fn ask(&mut self) -> Result<Batch, Error> {
        let Some(place) = self.position.next.take() else {
            return self.plan.as_ref().err().map_or_else(|| Ok(Batch::default()), |error| Err(error.clone()));
        };
        let size = self.size();
        let (service, stats) = (&**self.tables.service(), &mut self.account.stats);
        let Plan { ask, request } = self.plan.as_mut().map_err(|error| error.clone())?;
        match ask {
            Ask::Lanes(lanes) => {
                let rows = lanes.rows(service, request.select.as_deref(), size, stats).await?;
                self.position.next = lanes.place();
                Ok(rows)
            }
            Ask::Points => {
                let Ok(Target::Points(points)) = &self.spec.target else { return Ok(Batch::default()) };
                let start = first_of(points, &place);
                let Some(first) = points.get(start) else { return Ok(Batch::default()) };
                let (rows, next) =
                    points_from(service, points, start, size, request.select.as_deref()).await?;
                stats.requests += next.unwrap_or(points.len()).saturating_sub(start) as u64;
                stats.read += rows.len() as u64;
                stats.ranges = points.len();
                self.position.next = next.map(Place::Point);
                Ok(Batch::new(first.table.clone(), rows))
            }
            Ask::Segments { .. } => self.segment(place, size).await,
            Ask::Members(members) => {
                let table = members.entities().clone();
                let select = request.select.as_deref();
                let rows = members.read(&self.tables, size as usize, select, stats).await?;
                self.position.next = members.place();
                Ok(Batch::new(table, rows))
            }
        }
    }

    /// Returns the table and the query of a segment that starts at `place`, if the requests are segments.
    fn segment_at(&mut self, place: Place, size: u32) -> Option<(TableName, Query)> {
        let Ok(Plan { ask: Ask::Segments { table, filter }, request }) = &self.plan else { return None };
        let continuation = self.position.enter(place);
        self.account.stats.requests += 1;
        // When a run resumes inside a segment, earlier rows are read again and dropped, so request complete pages.
        let top = if self.position.goal.is_some() { self.page_size() } else { size };
        let query = Query {
            filter: filter.clone(),
            select: request.select.clone(),
            top: Some(top),
            continuation,
            descending: self.spec.paging.descending != self.position.is_back(),
            ..Query::default()
        };
        Some((table.clone(), query))
    }

    async fn segment(&mut self, place: Place, size: u32) -> Result<Batch, Error> {
        let Some((table, query)) = self.segment_at(place, size) else { return Ok(Batch::default()) };
        let descending = query.descending;
        let segment = match self.tables.service().query(&table, query).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(Batch::default()),
            other => self.accepted(&table, descending, other)?,
        };
        let mut rows = Batch::new(table, segment.rows);
        let is_inside = self.position.goal.is_some();
        if let Some((partition_key, row_key)) = &self.position.goal {
            // Rows are in the order of the query.
            rows.skip_while(|row| is_before(row, partition_key, row_key, descending));
            if !rows.is_empty() {
                self.position.goal = None;
            }
        }
        if self.position.is_back() {
            rows.reverse();
        }
        self.passed(segment.stats, segment.continuation, segment.previous.filter(|_| !is_inside));
        Ok(rows)
    }

    /// Returns a response. If the run has just been resumed, the backend may have rejected the token of the cursor.
    fn accepted<T>(
        &mut self,
        table: &TableName,
        descending: bool,
        response: Result<T, TableError>,
    ) -> Result<T, Error> {
        match response {
            // Other invalid parts of the query failed before it returned the cursor.
            Err(error) if error.code() == ErrorCode::InvalidInput && self.position.is_resumed => {
                Err(CursorError::Rejected { table: table.to_string(), reason: error.to_string() }.into())
            }
            other => {
                self.position.is_resumed = false;
                other.map_err(|error| OrderError::of_query(&**self.tables.service(), descending, error))
            }
        }
    }

    /// Moves the run behind a segment.
    fn passed(
        &mut self,
        stats: SegmentStats,
        continuation: Option<Continuation>,
        previous: Option<Continuation>,
    ) {
        self.account.stats.read += stats.read;
        self.account.stats.ranges = stats.ranges;
        self.position.leave(continuation, previous);
    }

    /// Sets whether the next requests return at most one row each.
    pub(super) const fn set_single(&mut self, is_single: bool) {
        self.position.set_single(is_single);
    }

    fn page_size(&self) -> u32 {
        self.spec.paging.page_size.unwrap_or(MOST)
    }

    /// Returns the number of rows that the next request should return.
    fn size(&self) -> u32 {
        if self.position.is_single() {
            return 1;
        }
        // The number of rows that are filtered here is unknown.
        if self.position.is_back() || self.clauses.iter().any(|clause| clause.excludes()) {
            return self.page_size();
        }
        let take = self.spec.paging.take;
        let left = take.map_or(u64::MAX, |take| take.saturating_sub(self.position.given));
        u32::try_from(left).map_or(self.page_size(), |left| left.min(self.page_size()))
    }

    /// Ends the run and returns its statistics.
    pub(super) fn finish(&mut self) -> RunStats {
        self.position.next = None;
        self.account.stats
    }
}

/// Returns the index of the point at which a request starts.
fn first_of(points: &[Address], place: &Place) -> usize {
    match place {
        Place::Point(index) => *index,
        Place::At { partition_key, row_key, .. } => index_of(points, partition_key, row_key),
        Place::Start | Place::Token(_) | Place::Back(_) | Place::Row(_) => 0,
    }
}
