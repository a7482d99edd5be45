use std::{ops::ControlFlow, sync::Arc};

use super::{
    chunks::listed,
    garbage::{Garbage, What},
    pins::Pins,
    place::{self, BLOBS, CHUNKS, GARBAGE, Id, LISTS, STAGED, STAGES},
    record::Blob,
    stages,
};
use crate::{
    StorageFault, Timestamp,
    embedded::{
        edits::Edits,
        engine::{Read, Write},
        keys::TableId,
        seal::{damaged, unseal},
    },
};

/// How many records a chunk counts as: its pages are looked at when it is removed.
const CHUNK_WEIGHT: usize = 8;

/// Removes what is garbage and held by nobody, step by step. All it knows is in the file, so nothing is forgotten when
/// the store ends.
#[derive(Debug)]
pub(in crate::embedded) struct Sweep {
    pins: Arc<Pins>,
    /// Where the pass at hand goes on; none if there is nothing to do.
    from: Option<Vec<u8>>,
    /// Whether the pass at hand has removed anything, so that another one may find more.
    fruitful: bool,
    /// How many releases there were when the pass began.
    released: u64,
}

impl Sweep {
    /// Knows of nothing to do yet.
    pub(in crate::embedded) fn new(pins: Arc<Pins>) -> Self {
        Self { pins, from: None, fruitful: false, released: 0 }
    }

    /// There may be something new.
    pub(in crate::embedded) fn wake(&mut self) {
        self.from = Some(Vec::new());
    }

    /// Whether a step is to be made.
    pub(in crate::embedded) fn has_work(&self) -> bool {
        self.from.is_some() || self.released != self.pins.released()
    }

    /// Removes some records, at most about `most`. What it did holds if `write` is committed; if not, see
    /// [`wake`](Self::wake). Says whether anything was changed.
    pub(in crate::embedded) fn step(
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
                // Blobs of a container leave garbage that stands before it.
                self.from = self.fruitful.then(Vec::new);
                return Ok(changed);
            };
            budget.spend(1);
            // What a damaged record names is lost to the sweep; a scrub reports it.
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

/// Whether there is anything to look at: garbage, or blocks that wait for their list.
pub(in crate::embedded) fn leave(read: &dyn Read) -> Result<bool, StorageFault> {
    let found = |space: TableId| Ok(first(read, &space.prefix(), &space.end(), false)?.is_some());
    Ok(found(GARBAGE)? || found(STAGES)?)
}

/// How many records may still be removed.
struct Budget(usize);

impl Budget {
    fn is_spent(&self) -> bool {
        self.0 == 0
    }

    fn spend(&mut self, weight: usize) {
        self.0 = self.0.saturating_sub(weight);
    }
}

/// Removes what hangs under garbage, as far as the budget goes. Says whether nothing is left.
fn remove_some(write: &mut dyn Write, garbage: &Garbage, budget: &mut Budget) -> Result<bool, StorageFault> {
    match &garbage.what {
        What::Chunks { .. } => remove_chunks(write, garbage.id, budget),
        What::List => remove_each(write, garbage.id, LISTS, budget, |_, _, _, _| Ok(true)),
        What::ListAndContents => {
            remove_each(write, garbage.id, LISTS, budget, |write, key, record, budget| {
                match listed(key, record) {
                    Ok(block) => remove_chunks(write, block.contents, budget),
                    // What a damaged record names is lost to the sweep; the rest need not be.
                    Err(_) => Ok(true),
                }
            })
        }
        What::Stage => {
            remove_each(
                write,
                garbage.id,
                STAGED,
                budget,
                |write, key, record, budget| match staged_contents(key, record) {
                    Ok(contents) => remove_chunks(write, contents, budget),
                    Err(_) => Ok(true),
                },
            )
        }
        What::Container(name) => {
            let empty = remove_each(write, garbage.id, BLOBS, budget, |write, key, record, _| {
                if let Some(blob) = unseal(key, record).ok().and_then(Blob::decode) {
                    let mut edits = Edits::new();
                    edits.discard_all_of(&blob);
                    edits.apply(write)?;
                }
                Ok(true)
            })?;
            if empty {
                write.remove(&place::container(name))?;
            }
            Ok(empty)
        }
    }
}

/// The contents of a block that was put.
pub(super) fn staged_contents(key: &[u8], record: &[u8]) -> Result<Id, StorageFault> {
    let contents = unseal(key, record)?.first_chunk().map(|id| Id(u64::from_le_bytes(*id)));
    contents.ok_or_else(|| damaged(key, "its layout cannot be read"))
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

/// Removes the records under an id, each after `before` has removed all that it names.
fn remove_each(
    write: &mut dyn Write,
    id: Id,
    space: TableId,
    budget: &mut Budget,
    before: impl Fn(&mut dyn Write, &[u8], &[u8], &mut Budget) -> Result<bool, StorageFault>,
) -> Result<bool, StorageFault> {
    loop {
        let Some((key, record)) = first(write, &id.prefix(space), &id.end(space), true)? else {
            return Ok(true);
        };
        if budget.is_spent() || !before(write, &key, &record, budget)? {
            return Ok(false);
        }
        write.remove(&key)?;
        budget.spend(1);
    }
}

/// A key and what is under it.
type Record = (Vec<u8>, Vec<u8>);

/// The first key of a range, with its record if it is wanted.
fn first(read: &dyn Read, from: &[u8], to: &[u8], with_record: bool) -> Result<Option<Record>, StorageFault> {
    let mut found = None;
    read.scan(from, to, &mut |key, record| {
        let record = if with_record { record.to_vec() } else { Vec::new() };
        found = Some((key.to_vec(), record));
        ControlFlow::Break(())
    })?;
    Ok(found)
}
