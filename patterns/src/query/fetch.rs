mod in_place;
mod plan;
mod points;
mod previous;
mod traced;

use std::sync::Arc;

use table_model::{
    Continuation, ErrorCode, Name, Query, RowRef, SegmentStats, TableError, TableName, TableService,
};

use points::{index_of, is_before, points_from};
use previous::Direction;
use tracing::Span;

use super::{
    RunStats,
    batch::Batch,
    checked::{Again, checked},
    lookup_members::Members,
    merge_scan::{self, Lanes},
};
use crate::{
    AccessPath, Address, Cursor, Error, Source, Tables,
    core::{
        cursor::{CursorError, Place},
        decode_cache::DecodeCache,
        entity_types::EntityInfo,
        error::{DecodeError, OrderError},
        spec::{
            Spec,
            consistency::Fresh,
            handling,
            row_policy::{Handling, SkippedRow},
            scanned_type::{Residual, ScannedType},
            visible::Shown,
        },
    },
    design::Design,
    handle::span,
};

/// Maximum number of rows of one request.
const MOST: u32 = 1000;

/// Maximum number of rows in the report of rows that were left out.
pub(super) const MOST_SKIPPED: usize = 1000;

/// A run of a query, which reads rows from the service request by request. It owns all its data, so its futures do not
/// borrow from the caller.
#[derive(Debug)]
pub(super) struct Fetch {
    tables: Tables,
    service: Arc<dyn TableService>,
    /// Pending commits that must be applied before the first request.
    fresh: Fresh,
    /// The cross-partition index that is queried.
    far: Option<(EntityInfo, usize)>,
    /// Settings for reading stale rows again, if rows are validated.
    again: Option<Box<Again>>,
    /// The index that the query uses, until the registry has allowed it.
    by: Option<(&'static Design, usize)>,
    plan: Result<Plan, Error>,
    select: Option<Vec<Name>>,
    path: AccessPath,
    page_size: u32,
    take: Option<u64>,
    direction: Direction,
    /// Start of the page, if it started at a token.
    previous: Option<Continuation>,
    /// Requests one row only.
    is_single: bool,
    /// The entity type of a scan, and the filter that is evaluated here.
    scanned: Option<(&'static ScannedType, Option<Residual>)>,
    /// Condition that is evaluated after rows are read.
    shown: Option<Shown>,
    newer: Handling,
    foreign: Handling,
    /// Rows that were left out.
    pub(super) skipped: Vec<SkippedRow>,
    /// Start of the next request. `None` at the end.
    next: Option<Place>,
    /// Start of the last request.
    token: Option<Continuation>,
    /// `true` until the first response to a token of the cursor at which the run resumes.
    is_resumed: bool,
    /// Key of the row at which the run resumes. It is kept until this row or a later row is read, which can take
    /// several segments if the page size differs.
    goal: Option<(String, String)>,
    pub(super) given: u64,
    pub(super) stats: RunStats,
    /// State that decoding carries from row to row.
    cache: DecodeCache,
    /// Names of the entity and the table.
    names: (&'static str, &'static str),
    /// Span from the first request on.
    span: Option<Span>,
}

/// Requests of a valid query.
#[derive(Debug)]
struct Plan {
    ask: Ask,
    digest: u64,
}

#[derive(Debug)]
enum Ask {
    /// Segments of one query.
    Segments { table: TableName, query: Query },
    /// Point reads.
    Points(Vec<Address>),
    /// Members of a lookup list.
    Members(Box<Members>),
    /// Several queries whose rows are merged.
    Lanes(Box<Lanes>),
}

impl Fetch {
    pub(super) fn new(tables: &Tables, spec: &Spec, select: Option<Vec<Name>>) -> Self {
        let in_order = spec.check_order(tables.service().capabilities());
        let planned = in_order
            .and_then(|()| spec.resumed())
            .and_then(|cursor| Ok((Plan::of(spec, cursor.as_ref())?, cursor)));
        let (plan, cursor) = match planned {
            Ok((plan, cursor)) => (Ok(plan), cursor),
            Err(error) => (Err(error), None),
        };
        let (nowhere, select) = (spec.is_nowhere(), spec.selected(select));
        let (given, place) = cursor.map_or((0, Place::Start), |cursor| (cursor.given, cursor.place));
        let is_resumed =
            matches!(&place, Place::Token(_) | Place::Back(_) | Place::At { token: Some(_), .. });
        let direction = Direction::of(&place);
        let spent = spec.take.is_some_and(|take| given >= take);
        Self {
            tables: tables.clone(),
            service: Arc::clone(tables.service()),
            fresh: spec.fresh.clone(),
            far: spec.far,
            again: Again::of(spec, select.as_ref()),
            by: spec.by,
            plan,
            select,
            path: spec.path,
            page_size: spec.page_size.unwrap_or(MOST),
            take: spec.take,
            direction,
            previous: None,
            is_single: false,
            scanned: spec.scanned.map(|scanned| (scanned, spec.residual())),
            shown: spec.shown(),
            newer: spec.newer,
            foreign: spec.foreign,
            skipped: Vec::new(),
            next: if nowhere || spent { None } else { Some(place) },
            token: None,
            is_resumed,
            goal: None,
            given,
            stats: RunStats::new(spec.class),
            cache: DecodeCache::default(),
            names: (spec.entity, spec.table),
            span: None,
        }
    }

    /// Returns the source description of a row of this table.
    pub(super) fn source<'s>(&'s self, table: &'s TableName) -> Source<'s> {
        Source { path: self.path, cache: Some(&self.cache), ..self.tables.source(table) }
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
        if self.shown.as_ref().is_some_and(|shown| !shown.matches(row)) {
            return Ok(None);
        }
        let source = self.source(table);
        let admitted = match &self.scanned {
            None => Ok(true),
            Some((scanned, residual)) => scanned.admits(source, row, residual.as_ref()),
        };
        let error = match admitted {
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
        match handling(self.newer, self.foreign, &error) {
            Handling::Fail | Handling::Unset | Handling::SkipTypes => return Err(error.into()),
            Handling::Ignore => {}
            Handling::Skip => {
                self.stats.skipped += 1;
                if self.skipped.len() < MOST_SKIPPED {
                    self.skipped.push(SkippedRow::new(table, error));
                }
            }
        }
        Ok(())
    }

    /// Returns whether the items are projections, which read their properties by name.
    pub(super) const fn is_projection(&self) -> bool {
        self.select.is_some()
    }

    /// Returns `true` if all rows were read.
    pub(super) const fn is_done(&self) -> bool {
        self.next.is_none()
    }

    /// Counts a returned item. Returns `true` if it was the last item that `take` allows.
    pub(super) fn give(&mut self) -> bool {
        self.stats.returned += 1;
        if self.direction.is_back() {
            self.given = self.given.saturating_sub(1);
            return false;
        }
        self.given += 1;
        let spent = self.take.is_some_and(|take| self.given >= take);
        if spent {
            self.next = None;
        }
        spent
    }

    /// Returns a cursor to the next request, or `None` at the end.
    pub(super) fn cursor(&self) -> Option<Cursor> {
        self.cursor_at(self.next.clone()?)
    }

    /// Returns a cursor to a row of the last request.
    pub(super) fn cursor_at_row(&self, table: &TableName, row: RowRef<'_>) -> Option<Cursor> {
        if matches!(&self.plan, Ok(Plan { ask: Ask::Lanes(_), .. })) {
            return self.cursor_at(Place::Row(merge_scan::place_of(table, row, false)?));
        }
        self.cursor_at(Place::At {
            token: self.token.clone(),
            partition_key: row.partition_key?.to_owned(),
            row_key: row.row_key?.to_owned(),
        })
    }

    fn cursor_at(&self, place: Place) -> Option<Cursor> {
        let query = self.plan.as_ref().ok()?.digest;
        Some(Cursor { query, given: self.given, place })
    }

    /// Sends the next request, or one request to each lane of a merge. Returns no rows at the end, or if the service
    /// stopped early.
    pub(super) async fn rows(&mut self) -> Result<Batch, Error> {
        span::within(&self.span(), self.next_rows()).await
    }

    async fn next_rows(&mut self) -> Result<Batch, Error> {
        self.prepare().await?;
        self.checked().await
    }

    async fn prepare(&mut self) -> Result<(), Error> {
        self.check_page()?;
        // Box these rarely used steps, so that they do not enlarge the future of every query.
        if self.by.is_some() && self.tables.registry().is_some() {
            Box::pin(self.tables.may_read(self.by)).await?;
        }
        if self.far.is_some() || self.fresh.asks() {
            Box::pin(self.fresh.prepare(&self.tables, self.far)).await?;
        }
        Ok(())
    }

    async fn checked(&mut self) -> Result<Batch, Error> {
        let rows = self.ask().await?;
        match (&self.again, self.far) {
            (Some(again), Some(far)) => {
                Box::pin(checked(&self.tables, far, again, rows, &mut self.stats)).await
            }
            _ => Ok(rows),
        }
    }

    async fn ask(&mut self) -> Result<Batch, Error> {
        let Some(place) = self.next.take() else { return self.refusal().map_or(Ok(Batch::default()), Err) };
        let size = self.size();
        match &mut self.plan.as_mut().map_err(|error| error.clone())?.ask {
            Ask::Lanes(lanes) => {
                let rows = lanes.rows(&*self.service, self.select.as_deref(), size, &mut self.stats).await?;
                self.next = lanes.place();
                Ok(rows)
            }
            Ask::Points(points) => {
                let start = match &place {
                    Place::Point(index) => *index,
                    Place::At { partition_key, row_key, .. } => index_of(points, partition_key, row_key),
                    Place::Start | Place::Token(_) | Place::Back(_) | Place::Row(_) => 0,
                };
                let Some(first) = points.get(start) else { return Ok(Batch::default()) };
                let (rows, next) =
                    points_from(&*self.service, points, start, size, self.select.as_deref()).await?;
                self.stats.requests += next.unwrap_or(points.len()).saturating_sub(start) as u64;
                self.stats.read += rows.len() as u64;
                self.stats.ranges = points.len();
                self.next = next.map(Place::Point);
                Ok(Batch::new(first.table.clone(), rows))
            }
            Ask::Segments { table, query } => {
                let (table, query) = (table.clone(), query.clone());
                let query = self.at(query, place, size);
                self.segment(table, query).await
            }
            Ask::Members(members) => {
                let (size, select) = (size as usize, self.select.as_deref());
                let table = members.entities().clone();
                let rows = members.read(&self.tables, size, select, &mut self.stats).await?;
                self.next = members.place();
                Ok(Batch::new(table, rows))
            }
        }
    }

    /// Returns the query of a segment that starts at `place`.
    fn at(&mut self, query: Query, place: Place, size: u32) -> Query {
        let token = match place {
            Place::Token(token) | Place::Back(token) => Some(token),
            Place::At { token, partition_key, row_key } => {
                self.goal = Some((partition_key, row_key));
                token
            }
            Place::Start | Place::Point(_) | Place::Row(_) => None,
        };
        self.token.clone_from(&token);
        self.stats.requests += 1;
        Query {
            select: self.select.clone(),
            // When a run resumes inside a segment, earlier rows are read again and dropped, so request complete pages.
            top: Some(if self.goal.is_some() { self.page_size } else { size }),
            continuation: token,
            descending: query.descending != self.direction.is_back(),
            ..query
        }
    }

    async fn segment(&mut self, table: TableName, query: Query) -> Result<Batch, Error> {
        let descending = query.descending;
        let segment = match self.service.query(&table, query).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(Batch::default()),
            other => self.accepted(&table, descending, other)?,
        };
        let mut rows = Batch::new(table, segment.rows);
        let is_inside = self.goal.is_some();
        if let Some((partition_key, row_key)) = &self.goal {
            // Rows are in the order of the query.
            rows.skip_while(|row| is_before(row, partition_key, row_key, descending));
            if !rows.is_empty() {
                self.goal = None;
            }
        }
        if self.direction.is_back() {
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
            Err(error) if error.code() == ErrorCode::InvalidInput && self.is_resumed => {
                Err(CursorError::Rejected { table: table.to_string(), reason: error.to_string() }.into())
            }
            other => {
                self.is_resumed = false;
                other.map_err(|error| OrderError::of_query(&*self.service, descending, error))
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
        self.stats.read += stats.read;
        self.stats.ranges = stats.ranges;
        let (next, previous) =
            if self.direction.is_back() { (previous, continuation) } else { (continuation, previous) };
        self.previous = previous;
        self.next = next.map(|token| match self.goal.take() {
            None => Place::Token(token),
            Some((partition_key, row_key)) => Place::At { token: Some(token), partition_key, row_key },
        });
    }

    /// Returns the error that makes the query invalid.
    fn refusal(&self) -> Option<Error> {
        self.plan.as_ref().err().cloned()
    }

    /// Sets whether the next requests return at most one row each.
    pub(super) const fn set_single(&mut self, is_single: bool) {
        self.is_single = is_single;
    }

    /// Returns the number of rows that the next request should return.
    fn size(&self) -> u32 {
        if self.is_single {
            return 1;
        }
        if self.direction.is_back() {
            return self.page_size;
        }
        // The number of rows that are filtered here is unknown.
        let is_filtered = matches!(&self.scanned, Some((_, Some(_)))) || self.shown.is_some();
        let take = self.take.filter(|_| !is_filtered);
        let left = take.map_or(u64::MAX, |take| take.saturating_sub(self.given));
        u32::try_from(left).map_or(self.page_size, |left| left.min(self.page_size))
    }

    /// Ends the run and returns its statistics.
    pub(super) fn finish(&mut self) -> RunStats {
        self.next = None;
        self.stats
    }
}
