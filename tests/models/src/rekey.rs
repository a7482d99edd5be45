//! An entity moves to another key while clients write it: the registry advances from state to state, a job and the
//! clients move the entity, and a marker remains at the old key.
//!
//! Clients are in any registry state that the lease permits. Index rows of the entity are not modelled: they change in
//! the transactions of the rows that are.

mod process;
mod request;
mod state;

use std::fmt;

use process::{Goal, Process};
use state::{Left, NewRow, OldRow, Registry, State};

use crate::{
    cell::{Cell, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The registry advances while clients still use an older state.
    NoLease,
    /// The old row is deleted instead of replaced by a marker.
    NoMarker,
    /// The copy is inserted without a placeholder.
    NoStub,
    /// The marker is written before the copy.
    MarkerFirst,
    /// An insert does not claim the old key first.
    NoClaim,
    /// Any copy belongs to any marker.
    PendAny,
    /// The sweeper deletes copies without reading the old key.
    SweepAny,
    /// A copy whose marker exists is ignored.
    NoPromote,
    /// The new key is not read again after a marker.
    OneLook,
    /// From `new` back to `follow` without the missing markers.
    BackUnmarked,
}

/// Bounds of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) ops: u8,
    /// Times that the mover loses its memory.
    pub(crate) crashes: u8,
    pub(crate) lost: u8,
    /// Steps back.
    pub(crate) backs: u8,
    pub(crate) sweeps: u8,
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ops, crashes, lost, backs, sweeps } = self;
        write!(f, "{ops} ops, {crashes} crashes, {lost} lost, {backs} back, {sweeps} sweeps")
    }
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) bounds: Bounds,
}

impl Model {
    /// Returns whether no process uses an older state, and no request that was sent in one is in flight.
    fn leases_ended(self, state: &State) -> bool {
        let late = state.late.iter().map(|(knows, _)| knows);
        let mut known = state.processes().map(|process| &process.knows).chain(late);
        self.variant == Variant::NoLease || known.all(|knows| *knows == state.registry)
    }

    /// Adds the steps of the registry, forward and back.
    fn registry(self, state: &State, steps: &mut Steps<State>) {
        if !self.leases_ended(state) {
            return;
        }
        let is_moved = state.done || state.registry != Registry::Both;
        if let Some(next) = state.registry.next().filter(|_| is_moved) {
            steps.add(('A', 0), "changes the registry", |state| {
                (state.registry, state.done) = (next, false);
            });
        }
        let back = match state.registry {
            Registry::Both if !state.unmarked || self.variant == Variant::BackUnmarked => Registry::Follow,
            Registry::New => Registry::Both,
            Registry::Off | Registry::Follow | Registry::Both => return,
        };
        if state.left.backs > 0 {
            steps.add(('A', 0), "steps back", |state| {
                (state.registry, state.done) = (back, false);
                state.unmarked |= back == Registry::Both;
                state.left.backs -= 1;
            });
        }
    }

    fn clients(self, state: &State, steps: &mut Steps<State>) {
        for (number, client) in state.clients.iter().enumerate() {
            let actor = ('C', number);
            let Some(client) = client else {
                if state.left.ops > 0 {
                    for goal in [Goal::Insert(state.begun + 2), Goal::Update(state.begun + 2), Goal::Delete] {
                        steps.add(actor, "begins", |state| {
                            (state.left.ops, state.begun) = (state.left.ops - 1, state.begun + 1);
                            state.clients[number] = Some(Process::start(self.variant, goal, state));
                        });
                    }
                }
                continue;
            };
            self.process(*client, actor, steps, move |state| &mut state.clients[number]);
            steps.add(actor, "stops", |state| state.clients[number] = None);
        }
    }

    /// Adds the next request of a process, with and without its response.
    fn process(
        self,
        process: Process,
        actor: (char, usize),
        steps: &mut Steps<State>,
        slot: impl Fn(&mut State) -> &mut Option<Process>,
    ) {
        steps.add(actor, process.what(), |state| {
            // The process itself observes its own request.
            *slot(state) = None;
            let next = process.step(self.variant, state);
            *slot(state) = next;
        });
    }

    /// Adds the steps of lost requests: sent by any process, which then ends.
    fn lost(self, state: &State, steps: &mut Steps<State>) {
        if let Some((_, request)) = state.late {
            steps.add(('L', 0), "takes effect late", |state| {
                state.late = None;
                request.execute(state);
            });
            steps.add(('L', 0), "never takes effect", |state| state.late = None);
        } else if state.left.lost > 0 {
            let senders = state.clients.iter().chain([&state.mover]).enumerate();
            for (number, process) in senders.filter_map(|(number, process)| Some((number, (*process)?))) {
                let Some(request) = process.request(self.variant) else { continue };
                steps.add(('C', number), "loses a response", |state| {
                    state.late = Some((process.knows, request));
                    state.left.lost -= 1;
                    let [first, second] = &mut state.clients;
                    let slots = [first, second, &mut state.mover];
                    slots.into_iter().skip(number).take(1).for_each(|slot| *slot = None);
                });
            }
        }
    }

    fn jobs(self, state: &State, steps: &mut Steps<State>) {
        match state.mover {
            // The pass begins after no program is in the previous state.
            None if state.registry == Registry::Both && self.leases_ended(state) => {
                let goals = [(Goal::Move, !state.done), (Goal::Mark, state.unmarked)];
                for (goal, _) in goals.into_iter().filter(|(_, is_due)| *is_due) {
                    steps.add(('M', 0), "begins", |state| {
                        state.mover = Some(Process::start(self.variant, goal, state));
                    });
                }
            }
            None => {}
            Some(mover) => {
                self.process(mover, ('M', 0), steps, |state| &mut state.mover);
                if state.left.crashes > 0 {
                    steps.add(('M', 0), "crashes", |state| {
                        (state.left.crashes, state.mover) = (state.left.crashes - 1, None);
                    });
                }
            }
        }
        match state.sweeper {
            None if state.registry >= Registry::Both && state.left.sweeps > 0 => {
                steps.add(('S', 0), "begins", |state| {
                    state.left.sweeps -= 1;
                    state.sweeper = Some(Process::start(self.variant, Goal::Sweep, state));
                });
            }
            None => {}
            Some(sweeper) => self.process(sweeper, ('S', 0), steps, |state| &mut state.sweeper),
        }
    }
}

impl Protocol for Model {
    type State = State;

    /// Without and with the entity.
    fn first(&self) -> Vec<State> {
        let Bounds { ops, crashes, lost, backs, sweeps } = self.bounds;
        let empty = State { left: Left { ops, crashes, lost, backs, sweeps }, ..State::default() };
        vec![empty, State { old: Cell::new(OldRow::Live(1)), truth: 1, ..empty }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        self.registry(state, steps);
        self.clients(state, steps);
        self.lost(state, steps);
        self.jobs(state, steps);
    }

    fn canonical(&self, state: &mut State) {
        state.forget();
        renumber::<2, _>(state, State::tags);
        state.clients.sort_unstable();
    }

    /// The authority rule returns the last write, in one place; what each operation returned was true.
    fn safe(&self, state: &State) -> bool {
        let in_one_place = !matches!((state.old.value, state.new.value), (OldRow::Live(_), NewRow::Live(_)));
        let is_moved = state.registry != Registry::New || state.is_moved();
        !state.broken && in_one_place && is_moved && state.authority() == state.truth
    }

    fn quiet(&self, state: &State) -> bool {
        state.registry == Registry::New && state.late.is_none() && state.processes().next().is_none()
    }

    fn good(&self, state: &State) -> bool {
        let live = if let NewRow::Live(value) = state.new.value { value } else { 0 };
        live == state.truth && !matches!(state.old.value, OldRow::Live(_))
    }

    fn witness(&self, state: &State) -> bool {
        state.left.ops == 0 && state.truth > 1 && self.quiet(state) && self.good(state)
    }
}
