use std::{collections::BTreeSet, sync::Arc};

use table_model::{StorageFault, Timestamp};

use super::{
    chunks::{blocks_from, listed},
    garbage::{Garbage, What},
    pins::Pins,
    place::{self, BLOBS, CHUNKS, GARBAGE, Id, LISTS, STAGED, STAGES},
    record::Blob,
    shares::Shared,
    snapshots, stages,
};
use crate::{
    checksum::{damaged, unseal},
    engine::{Read, Write},
    keys::TableId,
    swept_ranges::{self, SweptRanges, after},
    write_batch::{Edits, lower},
};

/// Weight of a chunk in records: its pages are read when it is removed.
const CHUNK_WEIGHT: usize = 8;
/// Maximum number of records that one scan reads before their data is removed.
const BATCH: usize = 64;

/// Removes garbage without pins, in steps. All state is in the file, so no garbage is lost when the store is closed.
#[derive(Debug)]
pub(crate) struct Sweep {
    pins: Arc<Pins>,
    /// Key from which the current pass continues; `None` if there is no work.
    from: Option<Vec<u8>>,
    /// The next step starts a pass.
    starts: bool,
    /// Lowest key of the garbage that was recorded before `from`, from which another pass starts.
    again: Option<Vec<u8>>,
    /// Number of released pins at the start of the last pass over all garbage.
    released: u64,
    ranges: SweptRanges,
}

impl Sweep {
    /// Creates a sweep without work.
    pub(crate) fn new(pins: Arc<Pins>) -> Self {
        let ranges = SweptRanges::default();
        Self { pins, from: None, starts: false, again: None, released: 0, ranges }
    }

    /// Schedules the removal of new garbage, of which `key` is the lowest key. The current pass continues.
    pub(crate) fn wake(&mut self, key: &[u8]) {
        match &self.from {
            None => (self.from, self.starts) = (Some(key.to_vec()), true),
            Some(from) if key < from.as_slice() => lower(&mut self.again, key),
            Some(_) => {}
        }
    }

    /// Starts a pass over all garbage.
    pub(crate) fn search(&mut self) {
        (self.from, self.starts, self.again) = (Some(Vec::new()), true, None);
    }

    /// Starts a pass over all garbage without positions, because the outcome of earlier steps is unknown.
    pub(crate) fn restart(&mut self) {
        self.search();
        self.ranges.clear();
    }

    /// Returns whether a step is due.
    pub(crate) fn has_work(&self) -> bool {
        self.from.is_some() || self.released != self.pins.released()
    }

    /// Reads and removes approximately `most` records. The result is valid if `write` is committed; otherwise call
    /// [`restart`](Self::restart). Returns whether anything was changed.
    pub(crate) fn step(
        &mut self,
        write: &mut dyn Write,
        most: usize,
        now: Timestamp,
    ) -> Result<bool, StorageFault> {
        if self.from.is_none() {
            self.search();
        }
        let mut from = self.from.take().unwrap_or_default();
        let mut step = Step { left: most, ranges: &mut self.ranges, garbage: None };
        if from.is_empty() {
            self.released = self.pins.released();
            from = GARBAGE.prefix().to_vec();
        }
        if std::mem::take(&mut self.starts) {
            step.garbage = stages::expire(write, now, most)?;
        }
        let mut changed = step.garbage.is_some();
        step.note_garbage(&from, &mut self.again);
        while !step.is_spent() {
            let Some((key, garbage)) = Garbage::first(write, &from)? else {
                self.from = self.again.take();
                self.starts = self.from.is_some();
                return Ok(changed);
            };
            step.spend(1);
            // The data that a damaged record refers to is never swept; a scrub reports the record.
            if let Some(garbage) = garbage.filter(|garbage| !self.pins.awaits(garbage.lineage)) {
                changed = true;
                let ended = remove_some(write, &garbage, &mut step)?;
                step.note_garbage(&key, &mut self.again);
                if !ended {
                    from = key;
                    break;
                }
                write.remove(&key)?;
                step.spend(1);
            }
            from = after(&key);
        }
        self.from = Some(from);
        Ok(changed)
    }
}

/// Returns whether garbage or uncommitted blocks exist.
pub(crate) fn leave(read: &dyn Read) -> Result<bool, StorageFault> {
    Ok(has_garbage(read)? || exists(read, STAGES)?)
}

/// Returns whether garbage exists.
pub(crate) fn has_garbage(read: &dyn Read) -> Result<bool, StorageFault> {
    exists(read, GARBAGE)
}

fn exists(read: &dyn Read, space: TableId) -> Result<bool, StorageFault> {
    Ok(!swept_ranges::keys(read, &space.prefix(), &space.end(), 1)?.is_empty())
}

/// A step of the sweep.
struct Step<'s> {
    /// Number of records that may still be read or removed.
    left: usize,
    ranges: &'s mut SweptRanges,
    /// Lowest key of the garbage that the step recorded.
    garbage: Option<Vec<u8>>,
}

impl Step<'_> {
    fn is_spent(&self) -> bool {
        self.left == 0
    }

    fn spend(&mut self, weight: usize) {
        self.left = self.left.saturating_sub(weight);
    }

    fn apply(&mut self, edits: &Edits, write: &mut dyn Write) -> Result<(), StorageFault> {
        if let Some(key) = edits.garbage() {
            lower(&mut self.garbage, key);
        }
        edits.apply(write)
    }

    /// Adds the recorded garbage to the work of the next pass, if the current pass at `from` does not reach it.
    fn note_garbage(&mut self, from: &[u8], again: &mut Option<Vec<u8>>) {
        if let Some(key) = self.garbage.take().filter(|key| key.as_slice() < from) {
            lower(again, &key);
        }
    }
}

/// Removes the records of garbage within the budget of the step. Returns whether no records remain.
fn remove_some(write: &mut dyn Write, garbage: &Garbage, step: &mut Step<'_>) -> Result<bool, StorageFault> {
    let of = |space| (garbage.id.prefix(space), garbage.id.end(space));
    match &garbage.what {
        What::Chunks { .. } => remove_chunks(write, garbage.id, step),
        What::List => remove_all(write, &of(LISTS), step, |_, _, _, _| Ok(true)),
        What::ListAndContents => {
            remove_all(write, &of(LISTS), step, |write, key, record, step| {
                match listed(key, record) {
                    Ok(block) => remove_chunks(write, block.contents, step),
                    // The data that a damaged record refers to is never swept; the other records are.
                    Err(_) => Ok(true),
                }
            })
        }
        What::SharingList => {
            remove_all(write, &of(LISTS), step, |write, key, record, step| match listed(key, record) {
                Ok(block) => release_block(write, garbage.id, block.contents, step),
                Err(_) => Ok(true),
            })
        }
        What::Tail { from } => remove_tail(write, garbage, *from, step).map(|()| true),
        What::Stage => {
            remove_all(write, &of(STAGED), step, |write, key, record, step| {
                match staged_contents(key, record) {
                    Ok(contents) => remove_chunks(write, contents, step),
                    Err(_) => Ok(true),
                }
            })
        }
        What::Container(name) => {
            let (blobs, snapshots) = (of(BLOBS), snapshots::of_container(garbage.id));
            let empty = remove_each(write, &blobs, step, remove_blob)?
                && remove_each(write, &snapshots, step, remove_blob)?;
            if empty {
                step.ranges.forget(&blobs.0);
                step.ranges.forget(&snapshots.0);
                write.remove(&place::container(name))?;
            }
            Ok(empty)
        }
    }
}

/// Turns the content and stage of a blob or snapshot of a deleted container into garbage.
fn remove_blob(
    write: &mut dyn Write,
    key: &[u8],
    record: &[u8],
    step: &mut Step<'_>,
) -> Result<bool, StorageFault> {
    if let Some(blob) = unseal(key, record).ok().and_then(Blob::decode) {
        let mut edits = Edits::new();
        edits.discard_all_of(write, &blob)?;
        step.apply(&edits, write)?;
    }
    Ok(true)
}

/// Removes the last blocks of a list in one step, so that the rest of the list is never incomplete. The contents become
/// garbage of their own.
fn remove_tail(
    write: &mut dyn Write,
    garbage: &Garbage,
    from: u64,
    step: &mut Step<'_>,
) -> Result<(), StorageFault> {
    let list = garbage.id;
    let mut edits = Edits::new();
    for block in blocks_from(write, list, from)? {
        edits.remove(place::listed(list, block.end));
        let shared = Shared::Chunks(block.contents);
        edits.remove(shared.key(list));
        if !shared.has_owner(write, &BTreeSet::from([list]))? {
            let what = What::Chunks { written: block.end - block.start };
            edits.discard(&Garbage::new(block.contents, what, garbage.lineage));
        }
        step.spend(2);
    }
    step.apply(&edits, write)
}

/// Ends the ownership of a block by a list, and removes the block if it has no other owner. A block can occur more than
/// once in the list: if it has other owners, these have shares, and the share of the list is already removed.
fn release_block(
    write: &mut dyn Write,
    list: Id,
    contents: Id,
    step: &mut Step<'_>,
) -> Result<bool, StorageFault> {
    let shared = Shared::Chunks(contents);
    write.remove(&shared.key(list))?;
    // The share and the search for another one.
    step.spend(2);
    if shared.has_owner(write, &BTreeSet::new())? { Ok(true) } else { remove_chunks(write, contents, step) }
}

/// Returns the content of an uncommitted block.
pub(super) fn staged_contents(key: &[u8], record: &[u8]) -> Result<Id, StorageFault> {
    let contents = unseal(key, record)?.first_chunk().map(|id| Id(u64::from_le_bytes(*id)));
    contents.ok_or_else(|| damaged(key, "its layout is invalid"))
}

fn remove_chunks(write: &mut dyn Write, contents: Id, step: &mut Step<'_>) -> Result<bool, StorageFault> {
    let (from, to) = (contents.prefix(CHUNKS), contents.end(CHUNKS));
    let mut at = step.ranges.position(&from);
    while !step.is_spent() {
        let most = (step.left / CHUNK_WEIGHT).max(1);
        let keys = swept_ranges::keys(write, &at, &to, most)?;
        for key in &keys {
            write.remove(key)?;
        }
        // One for the scan, which may find nothing.
        step.spend(1 + keys.len() * CHUNK_WEIGHT);
        if keys.len() < most {
            step.ranges.forget(&from);
            return Ok(true);
        }
        if let Some(last) = keys.last() {
            step.ranges.advance(&from, last);
            at = after(last);
        }
    }
    Ok(false)
}

/// Removes the records of a range like [`remove_each`], and forgets its position when it is empty.
fn remove_all(
    write: &mut dyn Write,
    range: &(Vec<u8>, Vec<u8>),
    step: &mut Step<'_>,
    before: impl Fn(&mut dyn Write, &[u8], &[u8], &mut Step<'_>) -> Result<bool, StorageFault>,
) -> Result<bool, StorageFault> {
    let empty = remove_each(write, range, step, before)?;
    if empty {
        step.ranges.forget(&range.0);
    }
    Ok(empty)
}

/// Removes the records of a range, each after `before` has removed the data that it refers to.
fn remove_each(
    write: &mut dyn Write,
    (from, to): &(Vec<u8>, Vec<u8>),
    step: &mut Step<'_>,
    before: impl Fn(&mut dyn Write, &[u8], &[u8], &mut Step<'_>) -> Result<bool, StorageFault>,
) -> Result<bool, StorageFault> {
    while !step.is_spent() {
        // Records of the batch that do not fit into this step are read again by the next one.
        let most = (step.left / 4).clamp(1, BATCH);
        let records = swept_ranges::records(write, &step.ranges.position(from), to, most)?;
        for (key, record) in &records {
            if step.is_spent() || !before(write, key, record, step)? {
                return Ok(false);
            }
            write.remove(key)?;
            // One for the read, one for the removal.
            step.spend(2);
            step.ranges.advance(from, key);
        }
        if records.len() < most {
            return Ok(true);
        }
    }
    Ok(false)
}
