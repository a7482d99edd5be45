//! A step of a task that must not be repeated: its effect and an idempotency record in one transaction. Any worker can
//! receive the message any number of times, until it is deleted or expires. Idempotency records are collected only
//! after that.

use crate::{
    budget::Budget,
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The effect without an idempotency record.
    NoMarker,
    /// The idempotency record in a separate request, after the effect.
    MarkerAfter,
    /// The idempotency record in a separate request, before the effect.
    MarkerBefore,
    /// An idempotency record is collected while its message exists.
    MarkerGcEarly,
}

/// The model. The operations of the budget are tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    TakeMessage,
    LookForMarker,
    Act,
    ActThen,
    DeleteMessage,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Worker {
    next: Next,
    task: u8,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Request {
    /// The effect and the idempotency record, unless the record exists.
    Both(u8),
    Effect(u8),
    Marker(u8),
}

/// One task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Task {
    is_there: bool,
    has_marker: bool,
    /// Number of executions; values above two are stored as two.
    effects: u8,
    was_put: bool,
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    tasks: [Task; 2],
    workers: [Worker; 2],
    lost: Option<Request>,
    left: Budget,
}

impl State {
    /// Applies a request. Returns whether it was accepted.
    fn take_effect(&mut self, request: Request) -> bool {
        let (Request::Both(task) | Request::Effect(task) | Request::Marker(task)) = request;
        let task = &mut self.tasks[usize::from(task)];
        let effect = |task: &mut Task| task.effects = (task.effects + 1).min(2);
        match request {
            Request::Both(_) if task.has_marker => return false,
            Request::Both(_) => {
                effect(task);
                task.has_marker = true;
            }
            Request::Effect(_) => effect(task),
            Request::Marker(_) => task.has_marker = true,
        }
        true
    }

    /// Returns whether all later steps of a task would be rejected by an idempotency record.
    fn is_over(&self, number: u8) -> bool {
        let task = self.tasks[usize::from(number)];
        let is_held =
            self.workers.iter().any(|worker| worker.next != Next::TakeMessage && worker.task == number);
        task.was_put && !task.is_there && !is_held && self.lost.is_none()
    }
}

impl Model {
    fn work(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let worker = state.workers[number];
        let actor = ('W', number);
        let next = |next| Worker { next, ..worker };
        let task = worker.task;
        match worker.next {
            Next::TakeMessage => {
                for (task, _) in (0_u8..).zip(state.tasks).filter(|(_, task)| task.is_there) {
                    steps.add(actor, "takes a message", |state| {
                        state.workers[number] = Worker { next: Next::LookForMarker, task };
                    });
                }
            }
            Next::LookForMarker => steps.add(actor, "looks for the marker", |state| {
                let is_done = state.tasks[usize::from(task)].has_marker;
                state.workers[number] = next(if is_done { Next::DeleteMessage } else { Next::Act });
            }),
            Next::Act => {
                let (request, then) = match self.variant {
                    Variant::Final | Variant::MarkerGcEarly => (Request::Both(task), Next::DeleteMessage),
                    Variant::NoMarker => (Request::Effect(task), Next::DeleteMessage),
                    Variant::MarkerAfter => (Request::Effect(task), Next::ActThen),
                    Variant::MarkerBefore => (Request::Marker(task), Next::ActThen),
                };
                send(state, number, "acts", request, next(then), steps);
            }
            Next::ActThen => {
                let is_after = self.variant == Variant::MarkerAfter;
                let request = if is_after { Request::Marker(task) } else { Request::Effect(task) };
                send(state, number, "goes on", request, next(Next::DeleteMessage), steps);
            }
            Next::DeleteMessage => steps.add(actor, "deletes the message", |state| {
                state.tasks[usize::from(task)].is_there = false;
                state.workers[number] = Worker::default();
            }),
        }
        if state.left.crashes > 0 && worker != Worker::default() {
            steps.add(actor, "crashes", |state| {
                state.left.crashes -= 1;
                state.workers[number] = Worker::default();
            });
        }
    }
}

/// Sends a request: rejected if it was already executed, which counts as success; or its response is lost, and the
/// message is received again.
fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    then: Worker,
    steps: &mut Steps<State>,
) {
    steps.add(('W', number), what, |state| {
        state.take_effect(request);
        state.workers[number] = then;
    });
    if state.left.lost > 0 && state.lost.is_none() {
        steps.add(('W', number), "loses the reply", |state| {
            state.left.lost -= 1;
            state.lost = Some(request);
            state.workers[number] = Worker::default();
        });
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        if state.left.ops > 0
            && let Some(task) = state.tasks.iter().position(|task| !task.was_put)
        {
            steps.add(('C', 0), "puts a task", |state| {
                state.left.ops -= 1;
                state.tasks[task] = Task { is_there: true, was_put: true, ..Task::default() };
            });
        }
        for number in 0..state.workers.len() {
            self.work(state, number, steps);
        }
        if let Some(request) = state.lost {
            steps.add(('N', 0), "lands", |state| {
                state.take_effect(request);
                state.lost = None;
            });
            steps.add(('N', 0), "never lands", |state| state.lost = None);
        }
        for task in 0..2 {
            let is_time = self.variant == Variant::MarkerGcEarly || state.is_over(task);
            if is_time && state.tasks[usize::from(task)].has_marker {
                steps.add(('G', 0), "collects the marker", |state| {
                    state.tasks[usize::from(task)].has_marker = false;
                });
            }
        }
    }

    fn canonical(&self, state: &mut State) {
        state.workers.sort_unstable();
    }

    /// No step is executed twice.
    fn safe(&self, state: &State) -> bool {
        state.tasks.iter().all(|task| task.effects < 2)
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.tasks.iter().all(|task| !task.is_there && !task.has_marker)
            && state.workers.iter().all(|worker| *worker == Worker::default())
    }

    /// Every task that was put was executed.
    fn good(&self, state: &State) -> bool {
        state.tasks.iter().all(|task| task.effects == u8::from(task.was_put))
    }

    fn witness(&self, state: &State) -> bool {
        state.left.ops == 0 && self.quiet(state) && self.good(state)
    }
}
