//! An index is added while clients write: the registry advances from state to state, clients cache it under a lease,
//! and a backfill creates missing copies.
//!
//! Workers find outbox rows by polling: messages are in the model of copies.

mod job;
mod process;
mod state;

use process::Process;
use state::{Client, Registry, State};

use crate::{
    budget::Budget,
    cell::{Tag, renumber},
    copies::{Address, Derived, Value},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// Clients that create copies and clients without the index run concurrently.
    NoDeleteOnly,
    /// The registry advances while clients still use an older state.
    NoLease,
    /// The backfill writes the scanned entities.
    BackfillNoReread,
    /// The correct protocol for the removal: from a readable index to no index.
    Leaving,
    /// Workers create copies without checking whether the index is still maintained.
    DropUnasked,
}

impl Variant {
    /// Returns whether the index is being removed.
    fn leaves(self) -> bool {
        matches!(self, Self::Leaving | Self::DropUnasked)
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

/// Number of concurrent clients.
const CLIENTS: usize = 2;

impl Model {
    /// Adds the steps of the registry: it advances when no client uses an older state, and to readable after the
    /// backfill.
    fn registry(self, state: &State, steps: &mut Steps<State>) {
        let Some(next) = state.registry.next(self.variant) else { return };
        let known = state.attempts.iter().filter_map(|attempt| match attempt.client {
            Client::Open { knows } => Some(knows),
            Client::Unused | Client::Over => None,
        });
        let known = known.chain(state.workers.iter().filter_map(Process::knows));
        let leases_ended = known.into_iter().all(|knows| knows == state.registry);
        let goes_through_rows = matches!(state.registry, Registry::Backfill | Registry::Dropping);
        if (state.done || !goes_through_rows) && (leases_ended || self.variant == Variant::NoLease) {
            steps.add(('A', 0), "changes the registry", |state| state.registry = next);
        }
    }

    /// Adds the steps of clients, which read the registry and then commit under its state.
    fn clients(state: &State, steps: &mut Steps<State>) {
        let open = state.attempts.iter().filter(|attempt| attempt.is_open()).count();
        let unused = state.attempts.iter().position(|attempt| attempt.client == Client::Unused);
        if let Some(number) = unused.filter(|_| state.left.ops > 0 && open < CLIENTS) {
            steps.add(('C', number), "reads the registry", |state| {
                state.left.ops -= 1;
                state.attempts[number].client = Client::Open { knows: state.registry };
            });
        }
        for (number, attempt) in state.attempts.iter().enumerate() {
            let Client::Open { knows } = attempt.client else { continue };
            steps.add(('C', number), "gives up", |state| state.attempts[number].client = Client::Over);
            for value in [Value::None, Value::A, Value::B] {
                steps.add(('C', number), "commits", |state| {
                    let before = state.primary.value;
                    if value == Value::None {
                        state.primary.remove();
                    } else {
                        state.primary.put(value);
                    }
                    let attempt = &mut state.attempts[number];
                    (attempt.client, attempt.row) = (Client::Over, knows.touches(before, value));
                });
            }
        }
    }
}

impl Protocol for Model {
    type State = State;

    /// Without the index, before or after the entity was written; for the removal, with the index.
    fn first(&self) -> Vec<State> {
        let mut empty = State { left: self.budget, ..State::default() };
        if self.variant.leaves() {
            empty.registry = Registry::Readable;
        }
        let mut with_entity = empty;
        with_entity.primary.put(Value::A);
        if self.variant.leaves() {
            with_entity.copies[0].put(with_entity.primary.value.copy_at(Address::A, with_entity.primary.tag));
        }
        vec![empty, with_entity]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        self.registry(state, steps);
        Self::clients(state, steps);
        for number in 0..state.workers.len() {
            process::work(self.variant, state, number, steps);
        }
        process::backfill(self.variant, state, steps);
        process::drop_rows(state, steps);
    }

    fn canonical(&self, state: &mut State) {
        let rows = state.copies.map(|copy| copy.tag);
        state.processes().for_each(|process| process.forget(rows));
        renumber::<3, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// Once readable, a copy that differs from the primary is named by an outbox row.
    fn safe(&self, state: &State) -> bool {
        state.registry != Registry::Readable
            || [Address::A, Address::B]
                .into_iter()
                .all(|address| state.is_right(address) || state.is_named(address))
    }

    fn quiet(&self, state: &State) -> bool {
        let last = if self.variant.leaves() { Registry::Gone } else { Registry::Readable };
        state.registry == last
            && state.attempts.iter().all(|attempt| !attempt.is_open() && attempt.row == [None; 2])
            && state.workers.iter().chain([&state.backfill]).all(|process| *process == Process::default())
    }

    fn good(&self, state: &State) -> bool {
        if self.variant.leaves() {
            return state.copies.iter().all(|copy| !copy.exists());
        }
        [Address::A, Address::B].into_iter().all(|address| state.is_right(address))
    }

    fn witness(&self, state: &State) -> bool {
        state.left.ops == 0 && state.primary.value == Value::B && self.quiet(state) && self.good(state)
    }
}

impl State {
    fn processes(&mut self) -> impl Iterator<Item = &mut Process> {
        self.workers.iter_mut().chain([&mut self.backfill])
    }

    /// Rows: the primary, two copies.
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.primary.tag);
        for (number, copy) in self.copies.iter_mut().enumerate() {
            visit(1 + number, &mut copy.tag);
            if let Derived::Live { shows, .. } = &mut copy.value {
                visit(0, shows);
            }
        }
        self.processes().for_each(|process| process.tags(visit));
    }
}
