//! A task that moves an entity from one table to another. The message is the commit, and each step is executed for each
//! delivery of the message.

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
    /// Upsert in the archive, delete in the source if it exists.
    GuideBlind,
    /// Upsert in the archive, delete in the source by If-Match.
    CondDeleteOnly,
    /// Delete in the source before the entity exists in the archive.
    DeleteFirst,
}

/// The model. The operations of the budget are writes of the entity; `tasks` bounds the number of tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
    /// The maximum number of messages.
    pub(crate) tasks: u8,
}

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    TakeMessage,
    GetArchive,
    GetCurrent,
    Write,
    Delete,
    DeleteMessage,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Worker {
    next: Next,
    /// The number of the message.
    message: u8,
    archive: Tag,
    /// The entity as read: its version.
    current: Cell<u8>,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Request {
    /// The user's write of the next version.
    Put { guard: Tag },
    /// Writes to the archive by If-Match; without a guard it is an insert.
    Archive { guard: Tag, version: u8 },
    /// Deletes from the current table by If-Match.
    Delete { guard: Tag },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The version of the entity in each table.
    current: Cell<u8>,
    archive: Cell<u8>,
    newest: u8,
    /// The messages in the queue, and the number of messages put.
    queue: [bool; 3],
    put: u8,
    workers: [Worker; 2],
    lost: Option<Request>,
    left: Budget,
}

impl State {
    fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Put { guard } => {
                let accepted = self.current.tag == guard;
                if accepted {
                    self.newest += 1;
                    self.current.put(self.newest);
                }
                accepted
            }
            Request::Archive { guard: Tag::NONE, version } => self.archive.insert(version),
            Request::Archive { guard, version } => self.archive.replace(guard, Some(version)),
            Request::Delete { guard } => self.current.replace(guard, None),
        }
    }

    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.current.tag);
        visit(1, &mut self.archive.tag);
        for worker in &mut self.workers {
            visit(0, &mut worker.current.tag);
            visit(1, &mut worker.archive);
        }
        match &mut self.lost {
            Some(Request::Put { guard } | Request::Delete { guard }) => visit(0, guard),
            Some(Request::Archive { guard, .. }) => visit(1, guard),
            None => {}
        }
    }
}

impl Model {
    /// Adds the steps of users, who write the entity, also after it was moved, and put tasks.
    fn users(self, state: &State, steps: &mut Steps<State>) {
        if state.left.ops > 0 {
            let request = Request::Put { guard: state.current.tag };
            steps.add(('C', 0), "writes the entity", |state| {
                state.left.ops -= 1;
                state.take_effect(request);
            });
            if state.left.lost > 0 && state.lost.is_none() {
                steps.add(('C', 0), "writes the entity, reply lost", |state| {
                    (state.left.ops, state.left.lost) = (state.left.ops - 1, state.left.lost - 1);
                    state.lost = Some(request);
                });
            }
        }
        if state.put < self.tasks {
            steps.add(('C', 1), "puts a task", |state| {
                state.queue[usize::from(state.put)] = true;
                state.put += 1;
            });
        }
    }

    fn work(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let worker = state.workers[number];
        let actor = ('W', number);
        let mut go = |what, change: &dyn Fn(&mut State) -> Worker| {
            steps.add(actor, what, |state| state.workers[number] = change(state));
        };
        let again = Worker { next: Next::GetArchive, message: worker.message, ..Worker::default() };
        let end = Worker { next: Next::DeleteMessage, ..again };
        let (tag, version) = (worker.current.tag, worker.current.value);
        match worker.next {
            Next::TakeMessage => {
                for message in
                    (0_u8..).zip(state.queue).filter(|(_, there)| *there).map(|(message, _)| message)
                {
                    go("takes a task", &|_| Worker { message, ..again });
                }
            }
            Next::GetArchive => go("reads the archive", &|state| Worker {
                next: Next::GetCurrent,
                archive: state.archive.tag,
                ..worker
            }),
            Next::GetCurrent => go("reads the entity", &|state| {
                let first = if self.variant == Variant::DeleteFirst { Next::Delete } else { Next::Write };
                match state.current {
                    current if current.exists() => Worker { next: first, current, ..worker },
                    _ => end,
                }
            }),
            Next::Write => {
                let after = if self.variant == Variant::DeleteFirst { end } else { worker };
                let after = Worker { archive: Tag::NONE, next: after_write(self.variant), ..after };
                if self.variant != Variant::Final {
                    return go("upserts into the archive", &|state| {
                        state.archive.put(version);
                        after
                    });
                }
                let request = Request::Archive { guard: worker.archive, version };
                send(state, number, "writes the archive", request, [after, again], steps);
            }
            Next::Delete if self.variant == Variant::GuideBlind => go("deletes if it exists", &|state| {
                state.current.remove();
                end
            }),
            Next::Delete => {
                let after = match self.variant {
                    Variant::DeleteFirst => Worker { next: Next::Write, ..worker },
                    _ => end,
                };
                send(
                    state,
                    number,
                    "deletes the entity",
                    Request::Delete { guard: tag },
                    [after, again],
                    steps,
                );
            }
            Next::DeleteMessage => go("deletes the message", &|state| {
                state.queue[usize::from(worker.message)] = false;
                Worker::default()
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

fn after_write(variant: Variant) -> Next {
    if variant == Variant::DeleteFirst { Next::DeleteMessage } else { Next::Delete }
}

/// Sends a request: accepted, rejected, or its response lost, which the worker treats as a rejection.
fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    [accepted, refused]: [Worker; 2],
    steps: &mut Steps<State>,
) {
    steps.add(('W', number), what, |state| {
        state.workers[number] = if state.take_effect(request) { accepted } else { refused };
    });
    if state.left.lost > 0 && state.lost.is_none() {
        steps.add(('W', number), "loses a reply", |state| {
            state.left.lost -= 1;
            state.lost = Some(request);
            state.workers[number] = refused;
        });
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        self.users(state, steps);
        for number in 0..state.workers.len() {
            self.work(state, number, steps);
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
        let (current, archive) = (state.current.tag, state.archive.tag);
        for worker in &mut state.workers {
            worker.current.tag.only_compared_with(current);
            worker.archive.only_compared_with(archive);
        }
        match &mut state.lost {
            Some(Request::Put { guard } | Request::Delete { guard }) => guard.only_compared_with(current),
            Some(Request::Archive { guard, .. }) => guard.only_compared_with(archive),
            None => {}
        }
        renumber::<2, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// The newest version is in the current table or in the archive, and a version in the current table is the newest.
    fn safe(&self, state: &State) -> bool {
        let here =
            [state.current, state.archive].iter().any(|cell| cell.exists() && cell.value == state.newest);
        (state.newest == 0 || here) && (!state.current.exists() || state.current.value == state.newest)
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && !state.queue.contains(&true)
            && state.workers.iter().all(|worker| *worker == Worker::default())
    }

    /// The archived version is not newer than the current version.
    fn good(&self, state: &State) -> bool {
        state.archive.value <= state.newest
    }

    fn witness(&self, state: &State) -> bool {
        let moved = !state.current.exists() && state.archive.value == self.budget.ops;
        self.quiet(state) && moved && state.left.ops == 0
    }
}
