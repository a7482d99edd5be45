use std::{collections::BTreeMap, sync::Arc};

use table_model::StorageFault;

use crate::{
    blobs,
    catalog::{self, TableRow, TableState},
    core::{Core, count},
    engine::{self, Persist, Verdict, Write},
    keys::TableId,
    leftovers::{self, Swept},
    outbox_index,
    request::Reply,
    spans,
    swept_ranges::{self, SweptRanges},
    write_batch::lower,
};

/// Number of records read and removed by one step while no request is pending.
pub(super) const STEP_WHEN_IDLE: usize = 2_000;
/// Number of records read and removed by one step between two groups.
pub(super) const STEP_BETWEEN_GROUPS: usize = 200;

/// Background removal of deleted data in steps with separate commits: entities of deleted tables, then other leftovers,
/// then leftovers of blobs. If the store is closed earlier, the sweep continues when it is opened again: the catalog
/// still contains the record of the table, and all other leftovers are records themselves.
pub(super) struct Sweep {
    /// The records of the deleted tables, under their current names.
    tables: BTreeMap<TableId, TableRow>,
    /// Key from which leftovers may exist.
    leftovers: Option<Vec<u8>>,
    blobs: blobs::Sweep,
    /// Positions in the tables and leftovers.
    ranges: SweptRanges,
    waiting: Vec<Reply<()>>,
    /// A step failed. The next step waits for a successful commit.
    resting: bool,
}

impl Sweep {
    pub(super) fn new(core: &Core) -> Self {
        let blobs = blobs::Sweep::new(Arc::clone(&core.pins));
        Self {
            tables: BTreeMap::new(),
            leftovers: None,
            blobs,
            ranges: SweptRanges::default(),
            waiting: Vec::new(),
            resting: false,
        }
    }

    /// Replaces the pending work by the deleted tables among `rows`, and by leftovers if they exist.
    pub(super) fn replace(&mut self, rows: Vec<TableRow>, leftovers: bool) {
        self.tables.clear();
        self.ranges.clear();
        for row in rows {
            self.take_up(row);
        }
        self.leftovers = leftovers.then(leftovers::start);
        if leftovers {
            self.blobs.restart();
        }
        self.tell(None);
    }

    /// Adds a table of the catalog if it is deleted. Replaces its record if it has another name now.
    pub(super) fn take_up(&mut self, row: TableRow) {
        if row.state == TableState::Deleted {
            self.tables.insert(row.id, row);
        }
    }

    /// Adds leftovers, of which `key` is the lowest key.
    pub(super) fn take_up_leftovers(&mut self, key: &[u8]) {
        lower(&mut self.leftovers, key);
    }

    /// Adds garbage of blobs, of which `key` is the lowest key.
    pub(super) fn take_up_garbage(&mut self, key: &[u8]) {
        self.blobs.wake(key);
    }

    /// Returns whether a step is due.
    pub(super) fn has_work(&self) -> bool {
        !self.resting && !self.is_over()
    }

    fn is_over(&self) -> bool {
        self.tables.is_empty() && self.leftovers.is_none() && !self.blobs.has_work()
    }

    /// Resumes after a failure.
    pub(super) fn resume(&mut self) {
        self.resting = false;
    }

    /// Sends a result to `reply` when the sweep is complete.
    pub(super) fn wait(&mut self, reply: Reply<()>) {
        self.resting = false;
        // Expired blocks, which are older than a week, are only detected by a scan.
        self.blobs.search();
        self.waiting.push(reply);
        self.tell(None);
    }

    /// Reads and removes approximately `most` records. The record of a table is removed with its last entity.
    pub(super) fn step(&mut self, core: &Core, most: usize) {
        if !self.has_work() {
            return;
        }
        let span = spans::sweep(self.data());
        let removed = span.in_scope(|| self.remove_some(core, most));
        spans::settled(&span, removed.as_ref().map(|verdict| super::outcome(*verdict)));
        match removed {
            Ok(verdict) => {
                count(&core.counters.commits, usize::from(verdict != Verdict::Discard));
                self.tell(None);
            }
            Err(fault) => {
                self.resting = true;
                self.ranges.clear();
                self.leftovers = self.leftovers.take().map(|_| leftovers::start());
                self.tell(Some(&fault));
            }
        }
    }

    /// Returns what the next step removes.
    fn data(&self) -> &'static str {
        match (self.tables.is_empty(), &self.leftovers) {
            (false, _) => "table",
            (true, Some(_)) => "leftovers",
            (true, None) => "blobs",
        }
    }

    fn remove_some(&mut self, core: &Core, most: usize) -> Result<Verdict, StorageFault> {
        let Some(row) = self.tables.values().next() else {
            let Some(from) = &mut self.leftovers else { return self.remove_some_of_blobs(core, most) };
            let ranges = &mut self.ranges;
            let verdict = engine::commit(&*core.engine, |write| {
                match leftovers::remove_some(write, from, ranges, most)? {
                    Swept::Nothing => Ok(Verdict::Discard),
                    Swept::Some => Ok(Verdict::Commit(Persist::Now)),
                }
            })?;
            if verdict == Verdict::Discard {
                self.leftovers = None;
            }
            return Ok(verdict);
        };
        let (mut ended, ranges) = (false, &mut self.ranges);
        let verdict = engine::commit(&*core.engine, |write| {
            ended = remove_some(write, row, ranges, most)?;
            Ok(Verdict::Commit(Persist::Now))
        })?;
        if ended {
            self.tables.pop_first();
        }
        Ok(verdict)
    }

    fn remove_some_of_blobs(&mut self, core: &Core, most: usize) -> Result<Verdict, StorageFault> {
        let now = core.options.clock.now();
        let committed = engine::commit(&*core.engine, |write| {
            let changed = self.blobs.step(write, most, now)?;
            Ok(if changed { Verdict::Commit(Persist::Now) } else { Verdict::Discard })
        });
        if committed.is_err() {
            self.blobs.restart();
        }
        committed
    }

    /// Notifies waiting callers if the sweep is complete or has failed.
    fn tell(&mut self, fault: Option<&StorageFault>) {
        if fault.is_some() || self.is_over() {
            for reply in self.waiting.drain(..) {
                super::answer(reply, fault.map_or(Ok(()), |fault| Err(fault.clone().into())));
            }
        }
    }
}

fn remove_some(
    write: &mut dyn Write,
    row: &TableRow,
    ranges: &mut SweptRanges,
    most: usize,
) -> Result<bool, StorageFault> {
    let (from, to) = (row.id.prefix(), row.id.end());
    // Each entity is read and removed.
    let most = most / 2;
    let keys = swept_ranges::keys(write, &ranges.position(&from), &to, most)?;
    for key in &keys {
        write.remove(key)?;
        outbox_index::remove(write, key)?;
    }
    match keys.last() {
        Some(last) if keys.len() >= most => {
            ranges.advance(&from, last);
            Ok(false)
        }
        _ => {
            ranges.forget(&from);
            catalog::remove_deleted(write, row)?;
            Ok(true)
        }
    }
}
