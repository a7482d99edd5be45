//! A unique value across partitions while its entity moves to another key. The index row names the old or the new key.
//! Claimants and workers determine the entity from both rows; the move itself does not write the index row.
//!
//! The move of the rows is the model `rekey`. Here it has the steps that concern the value: the copy, the marker with a
//! commit record, and the entity at the new key with a commit record.

mod client;
mod look;
mod mover;
mod state;
mod worker;

use client::Client;
use mover::Mover;
use state::{NewRow, OldRow, Place, Reservation, Row, State};
use worker::Worker;

use crate::{
    budget::Budget,
    cell::{Cell, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// A claimant that finds a marker considers the value free.
    ClaimAtMarker,
    /// A worker that finds a marker deletes the index row.
    DropAtMarker,
    /// The copy is not an entity before it is promoted.
    CopyIsNothing,
    /// The markers are deleted while commit records of the move exist.
    ClearEarly,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

impl Model {
    /// Adds the deletion of the marker, after the move.
    fn clear(self, state: &State, steps: &mut Steps<State>) {
        let is_moved = matches!((state.old.value, state.new.value), (OldRow::Marker(_), NewRow::Live(_)));
        let is_applied = self.variant == Variant::ClearEarly
            || state
                .attempts
                .iter()
                .all(|attempt| attempt.row != Row::Commit || attempt.place == Place::Other);
        let is_idle = state.late.is_none() && !state.is_busy();
        if is_moved && is_applied && is_idle {
            steps.add(('A', 0), "deletes the marker", |state| state.old.remove());
        }
    }
}

impl Protocol for Model {
    type State = State;

    /// The entity has the value, or not; the other entity does not have it.
    fn first(&self) -> Vec<State> {
        let free = State {
            old: Cell::new(OldRow::Live(false)),
            other: Cell::new(false),
            left: self.budget,
            ..State::default()
        };
        let index = Cell::new(Reservation::Live(Place::Old));
        vec![free, State { old: Cell::new(OldRow::Live(true)), index, ..free }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        client::steps(self.variant, state, steps);
        mover::steps(state, steps);
        for number in 0..usize::from(self.budget.workers) {
            worker::steps(self.variant, state, number, steps);
        }
        self.clear(state, steps);
        if let Some(request) = state.late {
            steps.add(('L', 0), "takes effect late", |state| {
                state.late = None;
                state.take_effect(request);
            });
            steps.add(('L', 0), "never takes effect", |state| state.late = None);
        }
    }

    fn canonical(&self, state: &mut State) {
        state.forget();
        renumber::<4, _>(state, State::tags);
        state.workers[..usize::from(self.budget.workers)].sort_unstable();
    }

    /// At most one entity has the value, and the index row names one of its keys.
    fn safe(&self, state: &State) -> bool {
        let (moving, other) = (state.holder(), state.other.value);
        let owner = state.index.value.owner();
        match (moving, other) {
            (Some(_), true) => false,
            (Some(_), false) => matches!(owner, Some(Place::Old | Place::New)),
            (None, true) => owner == Some(Place::Other),
            (None, false) => true,
        }
    }

    fn quiet(&self, state: &State) -> bool {
        let is_open = state.attempts.iter().any(|attempt| attempt.row == Row::Commit);
        let is_copy =
            matches!(state.new.value, NewRow::Copy(..)) && matches!(state.old.value, OldRow::Marker(_));
        let is_reserved = matches!(state.index.value, Reservation::Pending { .. });
        !state.is_busy() && state.late.is_none() && !is_open && !is_copy && !is_reserved
    }

    fn good(&self, state: &State) -> bool {
        let holder = state.holder().or(state.other.value.then_some(Place::Other));
        state.index.value == holder.map_or(Reservation::None, Reservation::Live)
    }

    fn witness(&self, state: &State) -> bool {
        let is_moved = !state.old.exists() && state.new.value == NewRow::Live(true);
        is_moved && state.left.ops == 0 && self.quiet(state) && self.good(state)
    }
}
