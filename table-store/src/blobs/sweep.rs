use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

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
    write_batch::Edits,
};

/// Weight of a chunk in records: its pages are read when it is removed.
const CHUNK_WEIGHT: usize = 8;

/// Removes garbage without pins, in steps. All state is in the file, so no garbage is lost when the store is closed.
#[derive(Debug)]
pub(crate) struct Sweep {
    pins: Arc<Pins>,
    /// Key from which the current pass continues; `None` if there is no work.
    from: Option<Vec<u8>>,
    /// The current pass has removed garbage, so another pass may find more.
    fruitful: bool,
    /// Number of released pins at the start of the pass.
    released: u64,
}

impl Sweep {
    /// Creates a sweep without work.
    pub(crate) fn new(pins: Arc<Pins>) -> Self {
        Self { pins, from: None, fruitful: false, released: 0 }
    }

    /// Starts a new pass, because new garbage may exist.
    pub(crate) fn wake(&mut self) {
        self.from = Some(Vec::new());
    }

    /// Returns whether a step is due.
    pub(crate) fn has_work(&self) -> bool {
        self.from.is_some() || self.released != self.pins.released()
    }

    /// Removes approximately `most` records. The result is valid if `write` is committed; otherwise call
    /// [`wake`](Self::wake). Returns whether anything was changed.
    pub(crate) fn step(
        &mut self,
        write: &mut dyn Write,
        most: usize,
        now: Timestamp,
    ) -> Result<bool, StorageFault> {
        let mut from = self.from.take().unwrap_or_default();
        let mut budget = Budget(most);
        let mut changed = false;
        if from.is_empty() {
            (self.fruitful, self.released) = (false, self.pins.released());
            from = GARBAGE.prefix().to_vec();
            changed = stages::expire(write, now, most)?;
        }
        while !budget.is_spent() {
            let Some((key, garbage)) = Garbage::first(write, &from)? else {
                // Blobs of a container create garbage that sorts before the container.
                self.from = self.fruitful.then(Vec::new);
                return Ok(changed);
            };
            budget.spend(1);
            // The data that a damaged record refers to is never swept; a scrub reports the record.
            if let Some(garbage) = garbage.filter(|garbage| !self.pins.awaits(garbage.lineage)) {
                (changed, self.fruitful) = (true, true);
                if !remove_some(write, &garbage, &mut budget)? {
                    from = key;
                    break;
                }
                write.remove(&key)?;
            }
            from = [&key[..], &[0]].concat();
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
    Ok(first(read, &space.prefix(), &space.end(), false)?.is_some())
}

/// Number of records that may still be removed.
struct Budget(usize);

impl Budget {
    fn is_spent(&self) -> bool {
        self.0 == 0
    }

    fn spend(&mut self, weight: usize) {
        self.0 = self.0.saturating_sub(weight);
    }
}

/// Removes the records of garbage within the budget. Returns whether no records remain.
fn remove_some(write: &mut dyn Write, garbage: &Garbage, budget: &mut Budget) -> Result<bool, StorageFault> {
    let of = |space| (garbage.id.prefix(space), garbage.id.end(space));
    match &garbage.what {
        What::Chunks { .. } => remove_chunks(write, garbage.id, budget),
        What::List => remove_each(write, of(LISTS), budget, |_, _, _, _| Ok(true)),
        What::ListAndContents => {
            remove_each(write, of(LISTS), budget, |write, key, record, budget| {
                match listed(key, record) {
                    Ok(block) => remove_chunks(write, block.contents, budget),
                    // The data that a damaged record refers to is never swept; the other records are.
                    Err(_) => Ok(true),
                }
            })
        }
        What::SharingList => {
            remove_each(write, of(LISTS), budget, |write, key, record, budget| match listed(key, record) {
                Ok(block) => release_block(write, garbage.id, block.contents, budget),
                Err(_) => Ok(true),
            })
        }
        What::Tail { from } => remove_tail(write, garbage, *from).map(|()| true),
        What::Stage => remove_each(write, of(STAGED), budget, |write, key, record, budget| {
            match staged_contents(key, record) {
                Ok(contents) => remove_chunks(write, contents, budget),
                Err(_) => Ok(true),
            }
        }),
        What::Container(name) => {
            let empty = remove_each(write, of(BLOBS), budget, remove_blob)?
                && remove_each(write, snapshots::of_container(garbage.id), budget, remove_blob)?;
            if empty {
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
    _: &mut Budget,
) -> Result<bool, StorageFault> {
    if let Some(blob) = unseal(key, record).ok().and_then(Blob::decode) {
        let mut edits = Edits::new();
        edits.discard_all_of(write, &blob)?;
        edits.apply(write)?;
    }
    Ok(true)
}

/// Removes the last blocks of a list in one step, so that the rest of the list is never incomplete. The contents become
/// garbage of their own.
fn remove_tail(write: &mut dyn Write, garbage: &Garbage, from: u64) -> Result<(), StorageFault> {
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
    }
    edits.apply(write)
}

/// Ends the ownership of a block by a list, and removes the block if it has no other owner. A block can occur more than
/// once in the list: if it has other owners, these have shares, and the share of the list is already removed.
fn release_block(
    write: &mut dyn Write,
    list: Id,
    contents: Id,
    budget: &mut Budget,
) -> Result<bool, StorageFault> {
    let shared = Shared::Chunks(contents);
    write.remove(&shared.key(list))?;
    if shared.has_owner(write, &BTreeSet::new())? { Ok(true) } else { remove_chunks(write, contents, budget) }
}

/// Returns the content of an uncommitted block.
pub(super) fn staged_contents(key: &[u8], record: &[u8]) -> Result<Id, StorageFault> {
    let contents = unseal(key, record)?.first_chunk().map(|id| Id(u64::from_le_bytes(*id)));
    contents.ok_or_else(|| damaged(key, "its layout is invalid"))
}

fn remove_chunks(write: &mut dyn Write, contents: Id, budget: &mut Budget) -> Result<bool, StorageFault> {
    loop {
        let Some((key, _)) = first(write, &contents.prefix(CHUNKS), &contents.end(CHUNKS), false)? else {
            return Ok(true);
        };
        if budget.is_spent() {
            return Ok(false);
        }
        write.remove(&key)?;
        budget.spend(CHUNK_WEIGHT);
    }
}

/// Removes the records of a range, each after `before` has removed the data that it refers to.
fn remove_each(
    write: &mut dyn Write,
    (from, to): (Vec<u8>, Vec<u8>),
    budget: &mut Budget,
    before: impl Fn(&mut dyn Write, &[u8], &[u8], &mut Budget) -> Result<bool, StorageFault>,
) -> Result<bool, StorageFault> {
    loop {
        let Some((key, record)) = first(write, &from, &to, true)? else {
            return Ok(true);
        };
        if budget.is_spent() || !before(write, &key, &record, budget)? {
            return Ok(false);
        }
        write.remove(&key)?;
        budget.spend(1);
    }
}

/// A key and its record.
type Record = (Vec<u8>, Vec<u8>);

/// Returns the first key of a range, with its record if `with_record` is true.
fn first(read: &dyn Read, from: &[u8], to: &[u8], with_record: bool) -> Result<Option<Record>, StorageFault> {
    let mut found = None;
    read.scan(from, to, &mut |key, record| {
        let record = if with_record { record.to_vec() } else { Vec::new() };
        found = Some((key.to_vec(), record));
        ControlFlow::Break(())
    })?;
    Ok(found)
}
