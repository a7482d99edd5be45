//! A worker: promotes and removes reservations by commit records, and removes reservations of abandoned claims.

use crate::{cell::Cell, protocol::Steps};

use super::{
    Variant,
    state::{Request, Reservation, Row, State},
};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    TakeMessage,
    Look,
    /// For an outbox row.
    GetIndex,
    GetEntity,
    Write,
    DropRow,
    /// For a claim without an outbox row.
    GetAbandoned,
    Abort,
    DeleteAbandoned,
    DeleteMessage,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Worker {
    next: Next,
    message: usize,
    /// `true` if the message's deadline had passed when the pass started.
    late: bool,
    row: usize,
    pub(super) seen: Cell<Reservation>,
    pub(super) write: Reservation,
}

/// The decision about the index row.
enum Decision {
    Nothing,
    Write(Reservation),
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::TakeMessage
    }

    /// Restarts at F1.
    fn reconcile(self) -> Self {
        let Self { message, late, row, .. } = self;
        Self { next: Next::GetIndex, message, late, row, ..Self::default() }
    }

    /// Continues after the outbox row was processed. The message of a claim stays until its deadline: a retried
    /// reservation whose response was lost may still be in flight.
    fn finished(self, variant: Variant, state: &State) -> Self {
        let own = self.row == self.message;
        let at_once = !state.attempts[self.message].claims || variant == Variant::DropAtOnce;
        if own { Self { late: self.late || at_once, ..self }.end() } else { Self::default() }
    }

    /// Ends the work on this message in this pass.
    fn end(self) -> Self {
        if self.late {
            Self { next: Next::DeleteMessage, message: self.message, ..Self::default() }
        } else {
            Self::default()
        }
    }
}

/// F4 for the row of attempt `number` of an entity that was read after the index row.
fn decide(variant: Variant, number: usize, entity: usize, read: Cell<bool>, row: Reservation) -> Decision {
    let wanted =
        if read.value { Reservation::Live { owner: entity, shows: read.tag } } else { Reservation::None };
    match row {
        _ if row.owner() != Some(entity) => Decision::Nothing,
        Reservation::Pending { attempt, .. } if attempt != number => match variant {
            Variant::SkipForeignPend => Decision::Nothing,
            Variant::ForeignDelete if !read.value => Decision::Write(Reservation::None),
            _ => Decision::Write(row),
        },
        _ if row == wanted => Decision::Nothing,
        _ => Decision::Write(wanted),
    }
}

/// Adds the possible steps of worker `number`.
pub(super) fn steps(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let actor = ('W', number);
    let mut go = |what, change: &dyn Fn(&mut State) -> Worker| {
        steps.add(actor, what, |state| state.workers[number] = change(state));
    };
    match worker.next {
        Next::TakeMessage => {
            for (message, _) in state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.hint) {
                let taken = Worker { next: Next::Look, message, ..worker };
                go("takes a message", &|_| taken);
                if state.is_over(message) {
                    go("takes a message, late", &|_| Worker { late: true, ..taken });
                }
            }
        }
        Next::Look => look(state, worker, &mut go),
        Next::GetIndex => go("reads the index row", &|state| match state.index {
            absent if !absent.exists() => Worker { next: Next::DropRow, ..worker },
            seen => Worker { next: Next::GetEntity, seen, ..worker },
        }),
        Next::GetEntity => go("reads the entity", &|state| {
            let entity = state.attempts[worker.row].entity;
            let then = Worker { seen: Cell::default(), ..worker };
            match decide(variant, worker.row, entity, state.entities[entity], worker.seen.value) {
                Decision::Nothing => Worker { next: Next::DropRow, ..then },
                Decision::Write(write) => {
                    let seen = Cell { tag: worker.seen.tag, value: Reservation::None };
                    Worker { next: Next::Write, seen, write, ..then }
                }
            }
        }),
        Next::Write => {
            let request = Request::Reserve { guard: worker.seen.tag, row: worker.write };
            let done = Worker { next: Next::DropRow, ..worker.reconcile() };
            send(state, number, "writes the index row", request, [done, worker.reconcile()], steps);
        }
        Next::DropRow => {
            let done = worker.finished(variant, state);
            let request = Request::DropRow { attempt: worker.row };
            go("deletes the outbox row", &|state| {
                state.take_effect(request);
                done
            });
            lose(state, number, request, Worker::default(), steps);
        }
        Next::GetAbandoned => go("reads the index row", &|state| {
            let tag = state.index.tag;
            match state.index.value {
                Reservation::Pending { attempt, .. } if attempt == worker.message => {
                    Worker { next: Next::Abort, seen: Cell { tag, value: Reservation::None }, ..worker }
                }
                _ => worker.end(),
            }
        }),
        Next::Abort => {
            let request = Request::Abort { attempt: worker.message };
            go("inserts a marker", &|state| {
                let aborted = state.take_effect(request) || state.attempts[worker.message].row == Row::Marker;
                if aborted {
                    Worker { next: Next::DeleteAbandoned, ..worker }
                } else {
                    Worker { next: Next::Look, seen: Cell::default(), ..worker }
                }
            });
        }
        Next::DeleteAbandoned => {
            let request = Request::Reserve { guard: worker.seen.tag, row: Reservation::None };
            let again = Worker { next: Next::GetAbandoned, seen: Cell::default(), ..worker };
            send(state, number, "deletes the reservation", request, [worker.end(), again], steps);
        }
        Next::DeleteMessage => go("deletes the message", &|state| {
            state.attempts[worker.message].hint = false;
            Worker::default()
        }),
    }
    if state.left.crashes > 0 && !worker.is_idle() {
        steps.add(actor, "crashes", |state| {
            state.left.crashes -= 1;
            state.workers[number] = Worker::default();
        });
    }
}

fn look(state: &State, worker: Worker, go: &mut impl FnMut(&'static str, &dyn Fn(&mut State) -> Worker)) {
    let of_message = state.attempts[worker.message];
    for (row, attempt) in state.attempts.iter().enumerate() {
        if attempt.row == Row::Commit && attempt.entity == of_message.entity {
            go("finds an outbox row", &|_| Worker { row, ..worker }.reconcile());
        }
    }
    if of_message.row != Row::Commit {
        go("finds no row of its message", &|_| {
            if of_message.claims { Worker { next: Next::GetAbandoned, ..worker } } else { worker.end() }
        });
    }
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
    lose(state, number, request, refused, steps);
}

fn lose(state: &State, number: usize, request: Request, then: Worker, steps: &mut Steps<State>) {
    if state.may_lose() {
        steps.add(('W', number), "loses a reply", |state| {
            state.lose(request, None);
            state.workers[number] = then;
        });
    }
}
