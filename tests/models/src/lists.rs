//! A list that two entities share: one row or blob, written as a unit under its `ETag`. A worker that may have to add a
//! member creates an empty list if none exists, and deletes a list that is empty.

mod state;
mod worker;

use state::{Request, State};

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
    /// If the insert of an empty list fails because the list exists, the worker reads the list again. If it is missing
    /// by then, the worker considers its work done.
    MissingIsDone,
    /// A missing list is created with its member, without an empty list before the entity is read.
    NoEmptyList,
    /// A list with the correct members is not rewritten.
    NoTouch,
    /// An empty list is deleted without its `ETag`.
    BlindDelete,
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
    /// Adds the steps of clients: an entity joins the list or leaves it, with an outbox row in the same transaction.
    fn clients(state: &State, steps: &mut Steps<State>) {
        let unused = state.rows.iter().position(|row| !row.is_used);
        let Some(row) = unused.filter(|_| state.left.ops > 0) else { return };
        for (member, primary) in state.primaries.iter().enumerate() {
            let request = Request::Toggle { row, member, guard: primary.tag };
            steps.add(('C', row), "commits", |state| {
                state.left.ops -= 1;
                state.take_effect(request);
            });
            if state.may_lose() {
                steps.add(('C', row), "commits, reply lost", |state| {
                    state.left.ops -= 1;
                    state.rows[row].is_used = true;
                    state.lose(request);
                });
            }
        }
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        Self::clients(state, steps);
        for number in 0..usize::from(self.budget.workers) {
            worker::steps(self.variant, state, number, steps);
        }
        if let Some(request) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = None;
                state.take_effect(request);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = None);
        }
    }

    fn canonical(&self, state: &mut State) {
        let (primaries, list) = (state.primaries.map(|primary| primary.tag), state.list.tag);
        for worker in &mut state.workers {
            worker.forget(list);
        }
        match &mut state.lost {
            Some(Request::Toggle { member, guard, .. }) => guard.only_compared_with(primaries[*member]),
            Some(Request::Write { guard, .. }) => guard.only_compared_with(list),
            Some(Request::CreateEmpty | Request::DropRow { .. }) | None => {}
        }
        renumber::<3, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// A member that is wrong in the list is named by an outbox row.
    fn safe(&self, state: &State) -> bool {
        (0..state.primaries.len()).all(|member| state.is_right(member) || state.is_named(member))
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.rows.iter().all(|row| row.joined.is_none())
            && state.workers.iter().all(worker::Worker::is_idle)
    }

    /// An empty list may be left: readers ignore it.
    fn good(&self, state: &State) -> bool {
        (0..state.primaries.len()).all(|member| state.is_right(member))
    }

    fn witness(&self, state: &State) -> bool {
        state.list.value == [true; 2] && self.quiet(state)
    }
}

impl State {
    /// Rows: two primaries, the list.
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        for (member, primary) in self.primaries.iter_mut().enumerate() {
            visit(member, &mut primary.tag);
        }
        visit(2, &mut self.list.tag);
        for worker in &mut self.workers {
            worker.tags(visit);
        }
        match &mut self.lost {
            Some(Request::Toggle { member, guard, .. }) => visit(*member, guard),
            Some(Request::Write { guard, .. }) => visit(2, guard),
            Some(Request::CreateEmpty | Request::DropRow { .. }) | None => {}
        }
    }
}
