//! A large value in a blob: written before the entity names it, deleted after the entity names another,
//! and by whom the upload was left behind.

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

/// The protocol, or the protocol with a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// As it is.
    Final,
    /// The entity names the blob before it is there.
    CommitFirst,
    /// The old blob is deleted before the entity names the new one.
    OldBlobFirst,
    /// A blob that nobody names is deleted without a marker for its attempt.
    GcNoFence,
    /// A client sends an insert again when it does not know what became of it.
    BlindResend,
    /// A client replaces an entity that it loaded without a condition, with the name it loaded.
    BlindReplace,
    /// No message before the upload.
    NoHint,
    /// The deadline is read at the end of a pass, not at its start.
    DropByLatePass,
    /// The message of an upload goes as soon as its outbox row is done.
    DropAtOnce,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// What is checked.
    pub(crate) variant: Variant,
    /// How much may happen.
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

    /// A blob that is named is there.
    fn safe(&self, state: &State) -> bool {
        state.entity.value.is_none_or(|blob| state.blobs[blob])
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.attempts.iter().all(|attempt| !attempt.client.is_open() && !attempt.hint)
            && state.workers.iter().all(Worker::is_idle)
    }

    /// A blob that is there is named.
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
