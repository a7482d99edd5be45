//! Execution of one query segment: a scan of the plan's key ranges in one snapshot.

mod collect;
mod lend;

use std::ops::ControlFlow;

use table_model::{
    Continuation, Plan, Query, Result, Segment, SegmentStats, StorageFault, TableName, Timestamp,
    filter::RowFilter,
    limits::SEGMENT_BYTES,
    pauses::Pauses,
    service::{VisitRow, VisitedSegment},
    token::Scope,
};

use self::{collect::Collect, lend::Lend};
use crate::{
    accesses::Accesses,
    checksum::unseal,
    core::Core,
    engine::{self, Read},
    keys::TableId,
    record::Record,
};

/// Number of entities between two checks of the time limit, and minimum number of entities read per segment.
const TIME_CHECK: u64 = 64;

/// Executes a query up to 1,000 entities, or up to the byte or time limit of a segment.
pub(crate) fn segment(core: &Core, table: &TableName, query: &Query) -> Result<Segment> {
    let request = Request::check(core, table, query)?;
    engine::view(&*core.engine, |read| {
        let mut rows = Collect::new(query.select.as_deref(), request.top);
        let walked = request.walk(read, &mut rows)?;
        let VisitedSegment { continuation, previous, stats } = walked;
        Ok(Segment { rows: rows.into_rows(), continuation, previous, stats })
    })
}

/// Executes a query like [`segment`], and passes the rows to `visit` in place, without copying them.
pub(crate) fn visit(
    core: &Core,
    table: &TableName,
    query: &Query,
    visit: VisitRow<'_>,
) -> Result<VisitedSegment> {
    let request = Request::check(core, table, query)?;
    let lend = Lend::new(visit);
    let walked = engine::view(&*core.engine, |read| request.walk(read, &mut &lend));
    lend.resume_panic();
    walked
}

/// A query that was checked.
struct Request<'q> {
    core: &'q Core,
    table: &'q TableName,
    query: &'q Query,
    plan: Plan,
    top: usize,
}

/// Destination of the matching records of a segment.
trait Sink {
    /// Returns the number of rows so far.
    fn len(&self) -> usize;

    /// Returns the key after which the walk starts, if the sink has received a row before.
    fn last(&self) -> Option<Vec<u8>>;

    /// Receives a record. `Break` ends the segment without a continuation.
    fn take(&mut self, key: &[u8], record: &Record<'_>) -> Result<ControlFlow<()>, StorageFault>;
}

impl<'q> Request<'q> {
    fn check(core: &'q Core, table: &'q TableName, query: &'q Query) -> Result<Self> {
        let top = query.check()?;
        Ok(Self { core, table, query, plan: Plan::of(query.filter.as_ref()), top })
    }

    fn walk<S: Sink>(&self, read: &dyn Read, sink: &mut S) -> Result<VisitedSegment> {
        let Self { core, query, plan, top, .. } = self;
        let table = core.names.find(self.table)?;
        let scope = Scope { table: table.0, filter: query.filter.as_ref(), descending: query.descending };
        let token = query.continuation.as_ref();
        let position = token.map(|token| scope.open(core.token_key, token)).transpose()?;
        let mut start = position.as_ref().map(|position| table.key(position));
        // The engine repeats a read that it could not complete. Rows are passed on only once.
        if let Some(last) = sink.last() {
            start = Some(boundary(last, query.descending));
        }
        let mut walk = Walk {
            core,
            plan,
            descending: query.descending,
            residual: plan.residual.as_ref().map(RowFilter::new),
            top: *top,
            begun: core.options.clock.now(),
            sink,
            bytes: 0,
            unread_bytes: query.read_bytes.unwrap_or(usize::MAX).max(1),
            read: 0,
            accesses: Accesses::of(core, self.table),
            pauses: Pauses::default(),
            next: None,
            is_ended: false,
            fault: None,
        };
        walk.run(read, table, start.as_deref())?;
        let next = walk.next.as_deref().and_then(|key| key.get(table.prefix().len()..));
        let continuation: Option<Continuation> =
            next.map(|position| scope.seal(core.token_key, position)).transpose()?;
        let opposite = Scope { descending: !query.descending, ..scope };
        let previous = position.map(|position| opposite.seal(core.token_key, &position)).transpose()?;
        let stats = SegmentStats {
            class: plan.class,
            ranges: plan.ranges.len(),
            read: walk.read,
            returned: walk.sink.len() as u64,
        };
        Ok(VisitedSegment { continuation, previous, stats })
    }
}

struct Walk<'w, S> {
    core: &'w Core,
    plan: &'w Plan,
    descending: bool,
    /// The condition to check on each entity.
    residual: Option<RowFilter<'w>>,
    top: usize,
    begun: Timestamp,
    sink: &'w mut S,
    /// Stored bytes of the entities that the sink received.
    bytes: usize,
    /// Stored bytes that the segment may still read, by the limit of the caller. At least one entity is read.
    unread_bytes: usize,
    read: u64,
    accesses: Option<Accesses<'w>>,
    pauses: Pauses,
    /// Boundary before the first entity beyond the limits of the segment.
    next: Option<Vec<u8>>,
    /// `true` if the sink ended the segment.
    is_ended: bool,
    fault: Option<StorageFault>,
}

impl<S: Sink> Walk<'_, S> {
    /// Scans the ranges in the order of the query, from the boundary `start` on.
    fn run(&mut self, read: &dyn Read, table: TableId, start: Option<&[u8]>) -> Result<()> {
        // An empty segment without a token: with a token the caller would never make progress.
        if self.top == 0 {
            return Ok(());
        }
        let mut ranges = self.plan.ranges.iter();
        while let Some(range) = if self.descending { ranges.next_back() } else { ranges.next() } {
            if let Some((partition_key, row_key)) = range.point() {
                let key = table.entity_key(partition_key, row_key);
                if start.is_none_or(|start| (key.as_slice() < start) == self.descending) {
                    read.get_whole(&key, &mut |record| {
                        let _ = self.visit(&key, record);
                    })?;
                }
            } else {
                let (lower, upper) = table.range(range);
                if self.descending {
                    let upper = start.map_or(&*upper, |start| start.min(&upper));
                    read.scan_back(&lower, upper, &mut |key, record| self.visit(key, record))?;
                } else {
                    let lower = start.map_or(&*lower, |start| start.max(&lower));
                    read.scan_whole(lower, &upper, &mut |key, record| self.visit(key, record))?;
                }
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault.into());
            }
            if self.next.is_some() || self.is_ended {
                break;
            }
        }
        Ok(())
    }

    fn visit(&mut self, key: &[u8], record: &[u8]) -> ControlFlow<()> {
        if self.sink.len() >= self.top
            || self.bytes >= SEGMENT_BYTES
            || self.unread_bytes == 0
            || self.out_of_time()
        {
            return self.stop_before(key, record);
        }
        self.read += 1;
        if let Some(accesses) = &mut self.accesses {
            accesses.read(key);
        }
        self.unread_bytes = self.unread_bytes.saturating_sub(record.len());
        self.pauses.after(record.len());
        match self.take(key, record) {
            Ok(flow) => {
                self.is_ended = flow.is_break();
                flow
            }
            Err(fault) => {
                self.fault = Some(fault);
                ControlFlow::Break(())
            }
        }
    }

    /// Ends the segment before a row, which begins the next segment.
    #[cold]
    fn stop_before(&mut self, key: &[u8], record: &[u8]) -> ControlFlow<()> {
        // A damaged key would start the next segment at a wrong position.
        match unseal(key, record) {
            Ok(_) => self.next = Some(boundary(key.to_vec(), !self.descending)),
            Err(fault) => self.fault = Some(fault),
        }
        ControlFlow::Break(())
    }

    #[inline]
    fn take(&mut self, key: &[u8], bytes: &[u8]) -> Result<ControlFlow<()>, StorageFault> {
        let record = Record::new(key, bytes)?;
        if self.residual.as_mut().is_none_or(|filter| filter.matches(&record, record.properties())) {
            self.bytes = self.bytes.saturating_add(bytes.len());
            return self.sink.take(key, &record);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn out_of_time(&self) -> bool {
        self.read > 0
            && self.read.is_multiple_of(TIME_CHECK)
            && self.core.options.clock.now().duration_since(self.begun) >= self.core.options.segment_time
    }
}

/// Returns the boundary before a key, or after it.
fn boundary(mut key: Vec<u8>, is_before: bool) -> Vec<u8> {
    if !is_before {
        key.push(0);
    }
    key
}
