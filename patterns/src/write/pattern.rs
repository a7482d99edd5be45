//! The questions that the pipeline of writes asks each pattern.

use super::{New, Write};
use crate::{
    Error, Pending, Tables,
    core::{blob::put::Put, old::Old},
    write::work::{Entry, Works},
};

/// All patterns. `crate::pattern` contains the list, so that the pipeline names no pattern.
#[derive(Debug)]
pub(crate) struct Patterns;

/// A pattern of a design: indexes, lookups, unique keys, aggregates, large values, wide entities, encryption.
pub(crate) trait Pattern: Sync {
    /// Adds the changes between two states of an entity to its write, whose operation on the entity is determined.
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error>;

    /// Adds the changes of a patch to its write, whose operation on the entity is a merge. Fails if the pattern does
    /// not support the patch.
    fn patch(&self, _patch: &mut Patched<'_>, _write: &mut Write) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the work items for those entries of a commit record that belong to the pattern.
    fn follow<'c>(&self, _entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
        Ok(Vec::new())
    }

    /// Reads the rows that the writes of a transaction change together with concurrent writers, and converts the
    /// changes to operations. Returns `None` if the pattern has no such rows. `attempt` counts from 0.
    fn settle<'a>(
        &self,
        _tables: &'a Tables,
        _writes: &'a mut [Write],
        _attempt: u32,
    ) -> Option<Pending<'a, ()>> {
        None
    }
}

/// State of an entity before and after a write.
#[derive(Debug)]
pub(crate) struct States<'s> {
    old: Option<&'s Old>,
    new: Option<&'s mut New>,
    moves: Move,
}

/// Part of a move within a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    None,
    /// The row with the old key is deleted.
    From,
    /// The row with the new key is inserted.
    To,
}

/// The state before, and the state after.
type Between<'s> = (Option<&'s Old>, Option<&'s mut New>);

impl<'s> States<'s> {
    pub(crate) const fn of(old: Option<&'s Old>, new: Option<&'s mut New>) -> Self {
        Self { old, new, moves: Move::None }
    }

    /// Creates the states for the row with the old key of an entity that moves.
    pub(crate) const fn moved_from(old: &'s Old) -> Self {
        Self { old: Some(old), new: None, moves: Move::From }
    }

    /// Creates the states for the row with the new key of an entity that moves.
    pub(crate) const fn moved_to(old: &'s Old, new: &'s mut New) -> Self {
        Self { old: Some(old), new: Some(new), moves: Move::To }
    }

    /// Returns the states of the row. A row with a new key has no previous state.
    pub(crate) fn of_row(&mut self) -> Between<'_> {
        (self.old.filter(|_| self.moves != Move::To), self.new.as_deref_mut())
    }

    /// Returns the states of the entity, for rows of the partition that change once in a move. Returns `None` in the
    /// first write of a move.
    pub(crate) fn of_entity(&mut self) -> Option<Between<'_>> {
        (self.moves != Move::From).then_some((self.old, self.new.as_deref_mut()))
    }

    /// Returns whether the entity gets a new key.
    pub(crate) fn is_moved(&self) -> bool {
        self.moves == Move::To
    }
}

/// A patch of an entity.
#[derive(Debug, Default)]
pub(crate) struct Patched<'p> {
    /// State that the patch refers to. `None` for a patch by key.
    pub(crate) loaded: Option<&'p Old>,
    /// State of the row, if it was read.
    pub(crate) found: Option<&'p Old>,
    /// New values of blob fields.
    pub(crate) puts: Vec<Put>,
}
