//! Execution of one segment of a query: the ranges of its plan, in one snapshot.

use std::time::Instant;

use table_model::{
    ErrorCode, Plan, Query, Result, RowRef, Rows, Segment, SegmentStats, TableError, TableName,
    filter::RowFilter,
    key::ordered_text,
    limits::SEGMENT_BYTES,
    packed,
    plan::KeyRange,
    rows::{RowHead, Selection},
    token::Scope,
};
use tokio_postgres::{Row, types::ToSql};

use crate::{
    bounds::{self, Bound},
    catalogue::Known,
    client::{Client, Session},
    connections::take,
    failure::Failure,
    postgres::Inner,
    read::{Tries, timestamp},
    record::{damaged, decode},
};

/// Number of entities that one statement reads at most, if they have to be filtered.
const CHUNK: usize = 1000;
/// The same, of each further statement, if the database applies a part of the filter.
const FURTHER: usize = 10_000;
/// Number of single keys that one statement reads at most.
const POINTS: usize = 64;

impl Inner {
    /// Reads a segment. Also returns the numbers of entities that were read in each partition, if they are observed.
    pub(crate) async fn query(
        &self,
        table: &TableName,
        query: &Query,
    ) -> Result<(Segment, Vec<(String, usize)>), Failure> {
        let top = query.check()?;
        let mut tries = Tries::default();
        loop {
            let known = self.table(table).await?;
            match self.segment(&known, query, top).await {
                Ok(segment) => return Ok(segment),
                Err(failure) => tries.after(failure, self, table)?,
            }
        }
    }

    async fn segment(
        &self,
        known: &Known,
        query: &Query,
        top: usize,
    ) -> Result<(Segment, Vec<(String, usize)>), Failure> {
        let plan = Plan::of(query.filter.as_ref());
        let scope = Scope { table: known.id, filter: query.filter.as_ref(), descending: query.descending };
        let start = query.continuation.as_ref().map(|token| scope.open(self.token_key, token)).transpose()?;
        let invalid = || TableError::new(ErrorCode::InvalidInput);
        let start = start.map(|position| bounds::from_position(&position).ok_or_else(invalid)).transpose()?;
        let mut walk = Walk {
            known,
            descending: query.descending,
            residual: plan.residual.as_ref().map(RowFilter::new),
            needle: plan.residual.as_ref().and_then(packed::needle),
            select: Selection::new(query.select.as_deref()),
            rows: Rows::new(),
            top,
            begun: Instant::now(),
            inner: self,
            bytes: 0,
            unread_bytes: query.read_bytes.unwrap_or(usize::MAX).max(1),
            read: 0,
            accesses: Vec::new(),
            next: None,
        };
        let parts = parts(&plan.ranges, start.as_ref(), query.descending);
        if top > 0 && !parts.is_empty() {
            walk.run(&parts).await?;
        }
        let seal = |scope: Scope<'_>, bound: &Bound| scope.seal(self.token_key, &bounds::to_position(bound));
        let continuation = walk.next.as_ref().map(|next| seal(scope, next)).transpose()?;
        let opposite = Scope { descending: !query.descending, ..scope };
        let previous = start.as_ref().map(|start| seal(opposite, start)).transpose()?;
        let stats = SegmentStats {
            class: plan.class,
            ranges: plan.ranges.len(),
            read: walk.read,
            returned: walk.rows.len() as u64,
        };
        Ok((Segment { rows: walk.rows, continuation, previous, stats }, walk.accesses))
    }
}

/// What one statement reads.
enum Part {
    /// A range: inclusive, exclusive.
    Range(Bound, Bound),
    /// Single keys, in the order of the query.
    Points(Vec<Bound>),
}

/// Returns the parts of a query from a bound on, in its order.
fn parts(ranges: &[KeyRange], start: Option<&Bound>, descending: bool) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |range: &KeyRange| {
        let (mut lower, mut upper) = bounds::of_range(range);
        match start {
            Some(start) if descending => upper = upper.min(start.clone()),
            Some(start) => lower = lower.max(start.clone()),
            None => {}
        }
        if lower >= upper {
            return;
        }
        match (range.point(), parts.last_mut()) {
            (Some(_), Some(Part::Points(points))) if points.len() < POINTS => points.push(lower),
            (Some(_), _) => parts.push(Part::Points(vec![lower])),
            (None, _) => parts.push(Part::Range(lower, upper)),
        }
    };
    if descending {
        ranges.iter().rev().for_each(&mut add);
    } else {
        ranges.iter().for_each(add);
    }
    parts
}

struct Walk<'w> {
    inner: &'w Inner,
    known: &'w Known,
    descending: bool,
    /// The condition to check on each entity.
    residual: Option<RowFilter<'w>>,
    /// Bytes that each matching record contains.
    needle: Option<Vec<u8>>,
    select: Selection<'w>,
    rows: Rows,
    top: usize,
    begun: Instant,
    /// Stored bytes of the returned entities.
    bytes: usize,
    /// Stored bytes that the segment may still read.
    unread_bytes: usize,
    read: u64,
    /// Entities read in each run of one partition, if they are observed.
    accesses: Vec<(String, usize)>,
    /// Bound at which the next segment starts.
    next: Option<Bound>,
}

impl Walk<'_> {
    async fn run(&mut self, parts: &[Part]) -> Result<(), Failure> {
        let client = take(&self.inner.pool).await?;
        // One statement has one snapshot. A range is then one statement: what does not fit is another segment.
        if let ([part], None) = (parts, &self.residual) {
            return self.part(&client, part, false).await.map(drop);
        }
        let session = Session::new(client);
        session.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        for part in parts {
            if !self.part(&session, part, true).await? {
                break;
            }
        }
        session.batch_execute("COMMIT").await?;
        session.finish();
        Ok(())
    }

    /// Reads a part. Returns whether the segment continues with the next one.
    async fn part(&mut self, client: &Client, part: &Part, repeats: bool) -> Result<bool, Failure> {
        let (lower, upper) = match part {
            Part::Points(points) => {
                let statement = client.prepare_cached(&self.known.statements.points).await?;
                let keys: (Vec<&[u8]>, Vec<&[u8]>) = points.iter().map(|(p, r)| (&**p, &**r)).unzip();
                let mut found = client.query(&statement, &[&keys.0, &keys.1]).await?;
                if self.descending {
                    found.reverse();
                }
                return self.take_all(&found, false).map(|passed| passed.is_ok());
            }
            Part::Range(lower, upper) => (lower, upper),
        };
        let (mut lower, mut upper) = (lower.clone(), upper.clone());
        let needle = self.needle.clone();
        let statements = &self.known.statements;
        let statement = client
            .prepare_cached(match (&needle, self.descending) {
                (None, false) => &statements.ascending,
                (None, true) => &statements.descending,
                (Some(_), false) => &statements.matching_ascending,
                (Some(_), true) => &statements.matching_descending,
            })
            .await?;
        let mut chunk = CHUNK;
        loop {
            let most = if self.residual.is_some() { chunk } else { self.top - self.rows.len() + 1 };
            let budget = SEGMENT_BYTES.min(self.unread_bytes);
            let limits = (i64::try_from(most).unwrap_or(i64::MAX), i64::try_from(budget).unwrap_or(i64::MAX));
            let mut values: Vec<&(dyn ToSql + Sync)> =
                vec![&lower.0, &lower.1, &upper.0, &upper.1, &limits.0, &limits.1];
            values.extend(needle.as_ref().map(|needle| needle as &(dyn ToSql + Sync)));
            let found = client.query(&statement, &values).await?;
            let Ok(passed) = self.take_all(&found, needle.is_some())? else { return Ok(false) };
            let is_cut = passed.rows >= limits.0 || passed.bytes >= limits.1;
            let Some(last) = passed.last.filter(|_| is_cut) else { return Ok(true) };
            let bound = bounds::beside(last, self.descending);
            let is_over = self.bytes >= SEGMENT_BYTES
                || self.unread_bytes == 0
                || self.begun.elapsed() >= self.inner.options.segment_time;
            if is_over || !repeats {
                self.next = Some(bound);
                return Ok(false);
            }
            if self.descending {
                upper = bound;
            } else {
                lower = bound;
            }
            if needle.is_some() {
                chunk = FURTHER;
            }
        }
    }

    /// Takes the rows of a statement, which may have counted others. Returns what it has read, or an error if the segment is
    /// complete.
    fn take_all<'f>(
        &mut self,
        found: &'f [Row],
        counted: bool,
    ) -> Result<std::result::Result<Passed<'f>, Complete>, Failure> {
        let mut passed = Passed::default();
        for row in found {
            let (p, r): (&[u8], &[u8]) = (row.get(0), row.get(1));
            if self.rows.len() >= self.top {
                // Rows that were skipped before this one can be written before the next segment.
                let after = passed.last.map(|last| bounds::beside(last, self.descending));
                self.next = Some(after.unwrap_or_else(|| bounds::beside((p, r), !self.descending)));
                return Ok(Err(Complete));
            }
            let record: Option<&[u8]> = row.get(3);
            let size = record.map_or(0, |record| i64::try_from(record.len()).unwrap_or(i64::MAX));
            let (rows, bytes) =
                if counted { (row.get(4), row.get(5)) } else { (passed.rows + 1, passed.bytes + size) };
            self.count(p, rows - passed.rows, bytes - passed.bytes)?;
            if let Some(record) = record {
                self.take(p, r, row.get(2), record)?;
            }
            passed = Passed { rows, bytes, last: Some((p, r)) };
        }
        Ok(Ok(passed))
    }

    /// Counts rows of one partition that were read.
    fn count(&mut self, p: &[u8], rows: i64, bytes: i64) -> Result<(), Failure> {
        let rows = usize::try_from(rows).unwrap_or_default();
        self.read += rows as u64;
        self.unread_bytes = self.unread_bytes.saturating_sub(usize::try_from(bytes).unwrap_or_default());
        if self.inner.options.observer.is_some() {
            let partition = ordered_text(p).ok_or_else(|| damaged((p, b""), "its key is invalid"))?;
            match self.accesses.last_mut() {
                Some((last, entities)) if *last == *partition => *entities += rows,
                _ => self.accesses.push((partition.into_owned(), rows)),
            }
        }
        Ok(())
    }

    fn take(&mut self, p: &[u8], r: &[u8], ticks: i64, record: &[u8]) -> Result<(), Failure> {
        let (properties, packed) = decode((p, r), record)?;
        let timestamp = timestamp((p, r), ticks)?;
        let keys = ordered_text(p).zip(ordered_text(r));
        let (partition_key, row_key) = keys.ok_or_else(|| damaged((p, r), "its key is invalid"))?;
        let head = RowHead::whole(&partition_key, &row_key, timestamp);
        let row = RowRef {
            etag: &head.etag,
            partition_key: head.partition_key,
            row_key: head.row_key,
            timestamp: head.timestamp,
            properties,
        };
        if self.residual.as_mut().is_none_or(|filter| filter.matches(&row, properties)) {
            self.bytes = self.bytes.saturating_add(record.len());
            let pushed = self.rows.push_selected(head, properties, packed, &mut self.select);
            pushed.map_err(|error| damaged((p, r), &error.to_string()))?;
        }
        Ok(())
    }
}

/// What a statement has read.
#[derive(Default)]
struct Passed<'f> {
    rows: i64,
    bytes: i64,
    /// Keys of the last row.
    last: Option<(&'f [u8], &'f [u8])>,
}

/// The segment has all its rows, and there are more.
struct Complete;
