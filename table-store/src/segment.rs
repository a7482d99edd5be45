//! Execution of one query segment: a scan of the plan's key ranges in one snapshot.

use std::ops::ControlFlow;

use table_model::{
    Plan, Query, Result, Rows, Segment, SegmentStats, StorageFault, TableName, Timestamp,
    limits::SEGMENT_BYTES,
};

use crate::{
    checksum::unseal,
    core::Core,
    engine::{self, Read},
    keys::TableId,
    read::{check_filter, check_select, check_top},
    record::{Record, Selection},
    token::Scope,
};

/// Number of entities between two checks of the time limit, and minimum number of entities read per segment.
const TIME_CHECK: u64 = 64;

/// Executes a query up to 1,000 entities, or up to the byte or time limit of a segment.
pub(crate) fn segment(core: &Core, table: &TableName, query: &Query) -> Result<Segment> {
    let top = check_top(query.top)?;
    check_select(query.select.as_deref())?;
    check_filter(query.filter.as_ref())?;
    let plan = Plan::of(query.filter.as_ref());
    engine::view(&*core.engine, |read| {
        let table = core.names.find(table)?;
        let scope = Scope { table, filter: query.filter.as_ref() };
        let start = match &query.continuation {
            Some(token) => table.key(&scope.open(core.token_key, token)?),
            None => Vec::new(),
        };
        let mut walk = Walk {
            core,
            plan: &plan,
            select: Selection::new(query.select.as_deref()),
            top,
            begun: core.options.clock.now(),
            rows: if top > 1 { Rows::with_room() } else { Rows::new() },
            bytes: 0,
            read: 0,
            next: None,
            fault: None,
        };
        walk.run(read, table, &start)?;
        let position = walk.next.as_deref().and_then(|key| key.get(table.prefix().len()..));
        let continuation = position.map(|position| scope.seal(core.token_key, position)).transpose()?;
        let stats = SegmentStats {
            class: plan.class,
            ranges: plan.ranges.len(),
            read: walk.read,
            returned: walk.rows.len() as u64,
        };
        Ok(Segment { rows: walk.rows, continuation, stats })
    })
}

struct Walk<'w> {
    core: &'w Core,
    plan: &'w Plan,
    select: Selection<'w>,
    top: usize,
    begun: Timestamp,
    rows: Rows,
    /// Stored bytes of the entities in `rows`.
    bytes: usize,
    read: u64,
    /// First entity beyond the limits of the segment.
    next: Option<Vec<u8>>,
    fault: Option<StorageFault>,
}

impl Walk<'_> {
    /// Scans the ranges from `start`, or from their start if that is later.
    fn run(&mut self, read: &dyn Read, table: TableId, start: &[u8]) -> Result<()> {
        // An empty segment without a token: with a token the caller would never make progress.
        if self.top == 0 {
            return Ok(());
        }
        for range in &self.plan.ranges {
            if let Some((partition_key, row_key)) = range.point() {
                let key = table.entity_key(partition_key, row_key);
                if start <= key.as_slice() {
                    read.get_whole(&key, &mut |record| {
                        let _ = self.visit(&key, record);
                    })?;
                }
            } else {
                let (lower, upper) = table.range(range);
                let lower = start.max(&lower);
                read.scan_whole(lower, &upper, &mut |key, record| self.visit(key, record))?;
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault.into());
            }
            if self.next.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn visit(&mut self, key: &[u8], record: &[u8]) -> ControlFlow<()> {
        if self.rows.len() >= self.top || self.bytes >= SEGMENT_BYTES || self.out_of_time() {
            // A damaged key would start the next segment at a wrong position.
            match unseal(key, record) {
                Ok(_) => self.next = Some(key.to_vec()),
                Err(fault) => self.fault = Some(fault),
            }
            return ControlFlow::Break(());
        }
        self.read += 1;
        match self.take(key, record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                self.fault = Some(fault);
                ControlFlow::Break(())
            }
        }
    }

    fn take(&mut self, key: &[u8], bytes: &[u8]) -> Result<(), StorageFault> {
        let record = Record::new(key, bytes)?;
        if self.plan.residual.as_ref().is_none_or(|filter| filter.matches(&record)) {
            record.push_to(&mut self.rows, &mut self.select)?;
            self.bytes = self.bytes.saturating_add(bytes.len());
        }
        Ok(())
    }

    fn out_of_time(&self) -> bool {
        self.read > 0
            && self.read.is_multiple_of(TIME_CHECK)
            && self.core.options.clock.now().duration_since(self.begun) >= self.core.options.segment_time
    }
}
