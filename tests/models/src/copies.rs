//! Copies in other partitions: one primary, two possible addresses of its copy, an outbox row in each commit, a wake-up
//! message before it, and workers that reconcile under the fence rule.

mod client;
mod pass;
mod state;
mod worker;

pub(crate) use state::{Address, Derived, Lost, Phase, State, Touch, Value};
pub(crate) use worker::Worker;

use crate::{
    budget::Budget,
    cell::{Cell, Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// A message with the effect is sent first and is applied unchanged; no outbox row exists.
    OpQueueFirst,
    /// The worker reads the primary, then writes and deletes without conditions.
    Blind,
    /// The worker reads the primary before the copies.
    OrderWrong,
    /// The worker inserts a missing copy without a placeholder before the primary is read.
    NoStub,
    /// A copy of equal content is not rewritten, regardless of its ETag.
    ContentNoop,
    /// The outbox row names the new address only.
    NoOldKeys,
    /// A message that finds no outbox row is deleted immediately.
    HintEarly,
    /// The correct protocol, with messages that several commits share, and passes that continue until no outbox row is
    /// left.
    Shared,
    /// With shared messages: a message is deleted as soon as the row of its own token is processed.
    SharedDropAtOnce,
    /// With shared messages: a message is deleted late if the row of its own token is missing.
    SharedOwnRow,
}

impl Variant {
    fn shares_hints(self) -> bool {
        matches!(self, Self::Shared | Self::SharedDropAtOnce | Self::SharedOwnRow)
    }
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
        client::steps(*self, state, steps);
        for number in 0..usize::from(self.budget.workers) {
            pass::steps(*self, state, number, steps);
        }
        for message in 0..usize::from(self.budget.ops).min(state.attempts.len()) {
            let attempt = &state.attempts[message];
            if self.variant.shares_hints() && attempt.hint && !attempt.passed && state.is_over(message) {
                steps.add(('T', message), "the deadline passes", |state| {
                    state.attempts[message].passed = true;
                });
            }
        }
        if state.lost != Lost::Nothing {
            steps.add(('L', 0), "lands", |state| {
                let lost = std::mem::take(&mut state.lost);
                state.take_effect(*self, lost);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = Lost::Nothing);
        }
    }

    fn canonical(&self, state: &mut State) {
        state.forget();
        renumber::<3, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// The guarantee for readers of `.after(receipt)` and `.caught_up()`: if no outbox row names an address, the copy
    /// there matches the primary.
    fn safe(&self, state: &State) -> bool {
        [Address::A, Address::B]
            .into_iter()
            .all(|address| state.is_right(address) || state.is_named(*self, address))
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost == Lost::Nothing
            && state.attempts.iter().all(|attempt| attempt.phase != Phase::Open && !attempt.hint)
            && state.workers.iter().all(Worker::is_idle)
    }

    /// Placeholders may be left: readers ignore them.
    fn good(&self, state: &State) -> bool {
        state.attempts.iter().all(|attempt| attempt.row.is_none())
            && state.is_right(Address::A)
            && state.is_right(Address::B)
    }

    fn witness(&self, state: &State) -> bool {
        state.left.ops == 0 && state.primary.value == Value::B && self.quiet(state) && self.good(state)
    }
}

impl State {
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        let mut shown = |copy: &mut Derived, visit: &mut dyn FnMut(usize, &mut Tag)| {
            if let Derived::Live { shows, .. } = copy {
                visit(0, shows);
            }
        };
        visit(0, &mut self.primary.tag);
        for (number, copy) in self.copies.iter_mut().enumerate() {
            visit(1 + number, &mut copy.tag);
            shown(&mut copy.value, visit);
        }
        for attempt in &mut self.attempts {
            visit(0, &mut attempt.guard);
        }
        for worker in &mut self.workers {
            worker.tags(visit, &mut shown);
        }
        match &mut self.lost {
            Lost::Commit { guard, .. } => visit(0, guard),
            Lost::Write { address, guard, copy } => {
                visit(address.number() + 1, guard);
                shown(copy, visit);
            }
            Lost::Nothing | Lost::Stub { .. } | Lost::DropRow { .. } => {}
        }
    }

    /// Removes indistinguishable details from the state.
    fn forget(&mut self) {
        let rows = self.copies.map(|copy: Cell<Derived>| copy.tag);
        for worker in &mut self.workers {
            worker.forget(rows);
        }
        if let Lost::Write { address, guard, .. } = &mut self.lost {
            guard.only_compared_with(rows[address.number()]);
        }
    }
}
