//! A unique value across partitions: two entities may claim it, and the index row is the reservation. A conflicting
//! attempt is aborted by an abort record at the key of its commit record.

mod client;
mod state;
mod worker;

use client::Client;
use state::{Request, Reservation, Row, State};
use worker::Worker;

use crate::{
    budget::Budget,
    cell::{Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The claimant checks whether the value is free, then writes.
    NoReservation,
    /// A pending reservation of another attempt is taken over without an abort record.
    StealNoFence,
    /// Abort records are removed while the attempt that they abort may still run.
    MarkerGcEarly,
    /// The reservation is released before the commit of the release.
    EarlyRelease,
    /// A claimant that finds its own old row keeps it unchanged.
    KeepLive,
    /// A claimant that finds its own old row takes it over without reading the entity again.
    TrustOwnRow,
    /// A worker releases a pending reservation of another attempt of its entity.
    ForeignDelete,
    /// A worker leaves such a reservation without rewriting it.
    SkipForeignPend,
    /// No message before the reservation.
    NoHint,
    /// The message of a claim is deleted as soon as its outbox row is processed.
    DropAtOnce,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        client::steps(self.variant, state, steps);
        for number in 0..usize::from(self.budget.workers) {
            worker::steps(self.variant, state, number, steps);
        }
        if let Some((request, _)) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = None;
                state.take_effect(request);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = None);
        }
        for (number, attempt) in state.attempts.iter().enumerate() {
            if self.variant == Variant::MarkerGcEarly && attempt.row == Row::Marker {
                steps.add(('G', number), "removes a marker", |state| state.attempts[number].row = Row::None);
            }
        }
    }

    fn canonical(&self, state: &mut State) {
        let entities = state.entities.map(|entity| entity.tag);
        let row = state.index.tag;
        for attempt in &mut state.attempts {
            attempt.guard.only_compared_with(entities[attempt.entity]);
            attempt.seen.only_compared_with(row);
        }
        for worker in &mut state.workers {
            worker.seen.tag.only_compared_with(row);
        }
        match &mut state.lost {
            Some((Request::Reserve { guard, .. }, _)) => guard.only_compared_with(row),
            Some((Request::Commit { attempt, guard }, _)) => {
                guard.only_compared_with(entities[state.attempts[*attempt].entity]);
            }
            _ => {}
        }
        renumber::<3, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// At most one entity owns the value, and the owner has the row.
    fn safe(&self, state: &State) -> bool {
        let holds = state.entities.map(|entity| entity.value);
        match holds {
            [true, true] => false,
            [false, false] => true,
            [first, _] => state.index.value.owner() == Some(usize::from(!first)),
        }
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.attempts.iter().all(|attempt| !attempt.client.is_open() && !attempt.hint)
            && state.workers.iter().all(Worker::is_idle)
    }

    /// The row is live with its owner, or neither exists.
    fn good(&self, state: &State) -> bool {
        let live = match state.index.value {
            Reservation::Live { owner, .. } => Some(owner),
            Reservation::None => None,
            Reservation::Pending { .. } => return false,
        };
        live == state.entities.iter().position(|entity| entity.value)
            && state.attempts.iter().all(|attempt| attempt.row != Row::Commit)
    }

    /// The value moved from one entity to the other.
    fn witness(&self, state: &State) -> bool {
        let claimed = |entity| {
            state.attempts.iter().any(|attempt| {
                attempt.client == Client::Over && attempt.entity == entity && attempt.row != Row::Marker
            })
        };
        self.quiet(state) && state.left.ops == 0 && state.entities[1].value && claimed(0) && self.good(state)
    }
}

impl State {
    /// Rows: two entities, the index row.
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        let shown = |row: &mut Reservation, visit: &mut dyn FnMut(usize, &mut Tag)| {
            if let Reservation::Live { owner, shows } = row {
                visit(*owner, shows);
            }
        };
        for (number, entity) in self.entities.iter_mut().enumerate() {
            visit(number, &mut entity.tag);
        }
        visit(2, &mut self.index.tag);
        shown(&mut self.index.value, visit);
        for attempt in &mut self.attempts {
            visit(attempt.entity, &mut attempt.guard);
            visit(2, &mut attempt.seen);
        }
        for worker in &mut self.workers {
            visit(2, &mut worker.seen.tag);
            shown(&mut worker.seen.value, visit);
            shown(&mut worker.write, visit);
        }
        match &mut self.lost {
            Some((Request::Reserve { guard, row }, _)) => {
                visit(2, guard);
                shown(row, visit);
            }
            Some((Request::Commit { attempt, guard }, _)) => visit(self.attempts[*attempt].entity, guard),
            _ => {}
        }
    }
}
