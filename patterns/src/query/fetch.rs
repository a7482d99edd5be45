use std::{cmp::Ordering, sync::Arc};

use table_store::{
    Continuation, ErrorCode, Name, Query, RowRef, Rows, TableError, TableName, TableService, key::compare,
    rows::TooLarge,
};

use super::{RunStats, Spec, batch::Batch, list::List, members::Members, spec::Target};
use crate::{Address, Cursor, Error, Path, Receipt, Source, Tables, cursor::Place, follow};

/// Most rows of one request.
const MOST: u32 = 1000;

/// One run of a query: asks the service for rows, request by request. It owns all it needs, so its futures borrow
/// nothing of the caller.
#[derive(Debug)]
pub(super) struct Fetch {
    tables: Tables,
    service: Arc<dyn TableService>,
    /// Writes that must be seen, until they were followed.
    after: Vec<Receipt>,
    plan: Result<Plan, Error>,
    select: Option<Vec<Name>>,
    path: Path,
    page_size: u32,
    take: Option<u64>,
    pub(super) skips_foreign: bool,
    /// Where the next request begins; none at the end.
    next: Option<Place>,
    /// Where the last request began.
    token: Option<Continuation>,
    /// The row to go on at, until it or rows behind it come: with other page sizes that may take several segments.
    goal: Option<(String, String)>,
    /// The list that is being read, once it is.
    members: Option<Members>,
    pub(super) given: u64,
    pub(super) stats: RunStats,
}

/// What is asked for, once it is known to be askable.
#[derive(Debug)]
struct Plan {
    table: TableName,
    query: Query,
    points: Option<Vec<Address>>,
    list: Option<List>,
    digest: u64,
}

impl Fetch {
    pub(super) fn new(tables: &Tables, spec: &Spec, select: Option<Vec<Name>>) -> Self {
        let (plan, cursor) = match Plan::of(spec).and_then(|plan| spec.resumed().map(|cursor| (plan, cursor)))
        {
            Ok((plan, cursor)) => (Ok(plan), cursor),
            Err(error) => (Err(error), None),
        };
        let nowhere = matches!(spec.target, Ok(Target::Nothing(_)));
        let (given, place) = cursor.map_or((0, Place::Start), |cursor| (cursor.given, cursor.place));
        let spent = spec.take.is_some_and(|take| given >= take);
        Self {
            tables: tables.clone(),
            service: Arc::clone(tables.service()),
            after: spec.after.clone(),
            plan,
            select: spec.selected(select),
            path: spec.path,
            page_size: spec.page_size.unwrap_or(MOST),
            take: spec.take,
            skips_foreign: spec.skips_foreign,
            next: if nowhere || spent { None } else { Some(place) },
            token: None,
            goal: None,
            members: None,
            given,
            stats: RunStats::new(spec.class),
        }
    }

    /// What is read, and by which key.
    pub(super) fn source(&self) -> Result<Source<'_>, Error> {
        let plan = self.plan.as_ref().map_err(Clone::clone)?;
        Ok(Source { table: &plan.table, path: self.path })
    }

    /// Whether all was read.
    pub(super) const fn is_done(&self) -> bool {
        self.next.is_none()
    }

    /// Notes that an item was given; whether it was the last that `take` allows.
    pub(super) fn give(&mut self) -> bool {
        self.given += 1;
        self.stats.returned += 1;
        let spent = self.take.is_some_and(|take| self.given >= take);
        if spent {
            self.next = None;
        }
        spent
    }

    /// Where the next request would begin; none at the end.
    pub(super) fn cursor(&self) -> Option<Cursor> {
        self.cursor_at(self.next.clone()?)
    }

    /// Where to go on at a row of the last request.
    pub(super) fn cursor_at_row(&self, row: RowRef<'_>) -> Option<Cursor> {
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

    /// Sends one request. No rows at the end, or where the service stopped early.
    pub(super) async fn rows(&mut self) -> Result<Batch, Error> {
        while let Some(receipt) = self.after.last() {
            follow::help(&self.tables, receipt).await?;
            self.after.pop();
        }
        let Some(place) = self.next.take() else { return self.refusal().map_or(Ok(Batch::default()), Err) };
        let plan = self.plan.as_ref().map_err(Clone::clone)?;
        if let Some(points) = &plan.points {
            let start = match &place {
                Place::Point(index) => *index,
                Place::At { partition_key, row_key, .. } => index_of(points, partition_key, row_key),
                Place::Start | Place::Token(_) => 0,
            };
            let (rows, next) =
                points_from(&*self.service, points, start, self.size(), self.select.as_deref()).await?;
            self.stats.requests += next.unwrap_or(points.len()).saturating_sub(start) as u64;
            self.stats.read += rows.len() as u64;
            self.stats.ranges = points.len();
            self.next = next.map(Place::Point);
            return Ok(Batch::new(rows));
        }
        if let Some(list) = &plan.list {
            let size = self.size() as usize;
            let members = self.members.get_or_insert_with(|| Members::new(list.clone(), &place));
            let rows = members.read(&*self.service, size, self.select.as_deref(), &mut self.stats).await?;
            self.next = members.place();
            return Ok(Batch::new(rows));
        }
        let token = match place {
            Place::Token(token) => Some(token),
            Place::At { token, partition_key, row_key } => {
                self.goal = Some((partition_key, row_key));
                token
            }
            Place::Start | Place::Point(_) => None,
        };
        self.token.clone_from(&token);
        let mut query = plan.query.clone();
        query.select.clone_from(&self.select);
        // Inside a segment, the rows before the place come again and are dropped: ask for whole pages.
        query.top = Some(if self.goal.is_some() { self.page_size } else { self.size() });
        query.continuation = token;
        self.stats.requests += 1;
        let segment = match self.service.query(&plan.table, query).await {
            Err(error) if error.code() == ErrorCode::TableNotFound => return Ok(Batch::default()),
            other => other?,
        };
        self.stats.read += segment.stats.read;
        self.stats.ranges = segment.stats.ranges;
        let mut rows = Batch::new(segment.rows);
        if let Some((partition_key, row_key)) = &self.goal {
            // Rows come in the order of their keys.
            rows.skip_while(|row| is_before(row, partition_key, row_key));
            if !rows.is_empty() {
                self.goal = None;
            }
        }
        self.next = segment.continuation.map(|token| match self.goal.take() {
            None => Place::Token(token),
            Some((partition_key, row_key)) => Place::At { token: Some(token), partition_key, row_key },
        });
        Ok(rows)
    }

    /// Why nothing can be asked.
    fn refusal(&self) -> Option<Error> {
        self.plan.as_ref().err().cloned()
    }

    /// How many rows the next request asks for.
    fn size(&self) -> u32 {
        let left = self.take.map_or(u64::MAX, |take| take.saturating_sub(self.given));
        u32::try_from(left).map_or(self.page_size, |left| left.min(self.page_size))
    }

    /// The run as far as it got; what is left behind gives nothing more.
    pub(super) fn finish(&mut self) -> RunStats {
        self.next = None;
        self.stats
    }
}

impl Plan {
    fn of(spec: &Spec) -> Result<Self, Error> {
        let digest = spec.digest()?;
        if let Ok(Target::Points(points)) = &spec.target
            && let Some(first) = points.first()
        {
            let (table, points) = (first.table().clone(), Some(points.clone()));
            return Ok(Self { table, query: Query::default(), points, list: None, digest });
        }
        let (table, filter) = spec.filter()?;
        let list = spec.list().cloned();
        Ok(Self { table, query: Query { filter, ..Query::default() }, points: None, list, digest })
    }
}

/// Reads points from `start` on, until `most` were found; and where to go on.
async fn points_from(
    service: &dyn TableService,
    points: &[Address],
    start: usize,
    most: u32,
    select: Option<&[Name]>,
) -> Result<(Rows, Option<usize>), Error> {
    let mut rows = Rows::new();
    for (index, point) in points.iter().enumerate().skip(start) {
        if rows.len() >= most as usize {
            return Ok((rows, Some(index)));
        }
        match service.find(&point.table, &point.partition_key, &point.row_key, select).await {
            Ok(found) => rows.append(found).map_err(too_large)?,
            Err(error) if error.code() == ErrorCode::TableNotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((rows, None))
}

pub(super) fn too_large(error: TooLarge) -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, format!("{error}; ask for fewer rows at once"))
}

/// Where a point stands; points are all different. The end, if it is none of them.
fn index_of(points: &[Address], partition_key: &str, row_key: &str) -> usize {
    let is_it = |point: &Address| point.partition_key == partition_key && point.row_key == row_key;
    points.iter().position(is_it).unwrap_or(points.len())
}

/// Whether a row comes before a key.
fn is_before(row: RowRef<'_>, partition_key: &str, row_key: &str) -> bool {
    let key = |key: Option<&str>, other: &str| key.map_or(Ordering::Greater, |key| compare(key, other));
    key(row.partition_key, partition_key).then_with(|| key(row.row_key, row_key)) == Ordering::Less
}
