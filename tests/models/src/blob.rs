//! A large value in a blob: written before the entity names it, and deleted after the entity names another blob.
//! Abandoned uploads are collected.

mod client;
mod state;
mod worker;

use client::{Client, Kind};
use state::{Request, Row, State};
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
    /// The entity names the blob before it exists.
    CommitFirst,
    /// The old blob is deleted before the entity names the new one.
    OldBlobFirst,
    /// An unreferenced blob is deleted without an abort record for its attempt.
    GcNoFence,
    /// A client retries an insert of unknown outcome.
    BlindResend,
    /// A client replaces a loaded entity without a condition, with the loaded blob name.
    BlindReplace,
    /// No message before the upload.
    NoHint,
    /// The deadline is read at the end of a pass, not at its start.
    DropByLatePass,
    /// The message of an upload is deleted as soon as its outbox row is processed.
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
    }

    fn canonical(&self, state: &mut State) {
        let entity = state.entity.tag;
        for attempt in &mut state.attempts {
            attempt.loaded.tag.only_compared_with(entity);
        }
        if let Some((Request::Commit { loaded, .. }, _)) = &mut state.lost {
            loaded.tag.only_compared_with(entity);
        }
        renumber::<1, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// A blob that is named exists.
    fn safe(&self, state: &State) -> bool {
        state.entity.value.is_none_or(|blob| state.blobs[blob])
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.attempts.iter().all(|attempt| !attempt.client.is_open() && !attempt.hint)
            && state.workers.iter().all(Worker::is_idle)
    }

    /// A blob that exists is named.
    fn good(&self, state: &State) -> bool {
        (0..state.blobs.len()).all(|blob| !state.blobs[blob] || state.entity.value == Some(blob))
            && state.attempts.iter().all(|attempt| !matches!(attempt.row, Row::Commit { .. }))
    }

    fn witness(&self, state: &State) -> bool {
        let last = usize::from(self.budget.ops).checked_sub(1);
        let replaced = state.attempts[0].client == Client::Over && state.attempts[0].row == Row::None;
        state.entity.value == last && replaced && self.quiet(state) && self.good(state)
    }
}

impl State {
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.entity.tag);
        for attempt in &mut self.attempts {
            visit(0, &mut attempt.loaded.tag);
        }
        if let Some((Request::Commit { loaded, .. }, _)) = &mut self.lost {
            visit(0, &mut loaded.tag);
        }
    }
}
