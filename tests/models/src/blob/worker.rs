//! A worker: deletes blobs that a commit released, and blobs of abandoned uploads.

use crate::protocol::Steps;

use super::{
    Variant,
    client::Kind,
    state::{Request, Row, State},
};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    TakeMessage,
    Look,
    /// For an outbox row.
    GetEntity {
        old: usize,
    },
    DeleteOld {
        old: usize,
    },
    DropRow,
    /// For an upload without an outbox row.
    GetBefore,
    Abort,
    GetAgain,
    DeleteBlob,
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
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::TakeMessage
    }

    /// Ends the work on this message in this pass.
    fn end(self, variant: Variant, state: &State) -> Self {
        let late = if variant == Variant::DropByLatePass { state.is_over(self.message) } else { self.late };
        if late {
            Self { next: Next::DeleteMessage, message: self.message, ..Self::default() }
        } else {
            Self::default()
        }
    }

    /// Continues after the outbox row was processed. The message of an upload stays: the upload may have been sent
    /// twice, and a copy can take effect after the blob was deleted. A late pass that finds no row checks the blob.
    fn finished(self, variant: Variant, state: &State) -> Self {
        let own = self.row == self.message;
        let at_once = state.attempts[self.message].kind == Kind::Delete || variant == Variant::DropAtOnce;
        let next = if own && at_once { Next::DeleteMessage } else { return Self::default() };
        Self { next, message: self.message, ..Self::default() }
    }
}

/// Adds the possible steps of worker `number`.
pub(super) fn steps(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let actor = ('W', number);
    let mut go = |what, change: &dyn Fn(&mut State) -> Worker| {
        steps.add(actor, what, |state| state.workers[number] = change(state));
    };
    let to = |next| Worker { next, ..worker };
    match worker.next {
        Next::TakeMessage => {
            for (message, _) in state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.hint) {
                let taken = Worker { next: Next::Look, message, ..worker };
                go("takes a message", &|_| taken);
                if state.is_over(message) && variant != Variant::DropByLatePass {
                    go("takes a message, late", &|_| Worker { late: true, ..taken });
                }
            }
        }
        Next::Look => look(variant, state, worker, &mut go),
        Next::GetEntity { old } => go("reads the entity", &|state| {
            to(if state.entity.value == Some(old) { Next::DropRow } else { Next::DeleteOld { old } })
        }),
        Next::DeleteOld { old } => {
            let request = Request::DeleteBlob { blob: old };
            send(state, number, "deletes the old blob", request, [to(Next::DropRow), worker], steps);
        }
        Next::DropRow => {
            let done = worker.finished(variant, state);
            let request = Request::DropRow { attempt: worker.row };
            send(state, number, "deletes the outbox row", request, [done, Worker::default()], steps);
        }
        Next::GetBefore => go("reads the entity", &|state| match state.entity.value {
            Some(blob) if blob == worker.message => worker.end(variant, state),
            _ if variant == Variant::GcNoFence => to(Next::DeleteBlob),
            _ => to(Next::Abort),
        }),
        Next::Abort => {
            let request = Request::Abort { attempt: worker.message };
            go("inserts a marker", &|state| {
                let free = state.take_effect(request);
                let aborted = free || state.attempts[worker.message].row == Row::Marker;
                if aborted { to(Next::GetAgain) } else { Worker::default() }
            });
        }
        Next::GetAgain => go("reads the entity again", &|state| match state.entity.value {
            Some(blob) if blob == worker.message => worker.end(variant, state),
            _ => to(Next::DeleteBlob),
        }),
        Next::DeleteBlob => {
            let done = worker.end(variant, state);
            let request = Request::DeleteBlob { blob: worker.message };
            send(state, number, "deletes the blob", request, [done, worker], steps);
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

fn look(
    variant: Variant,
    state: &State,
    worker: Worker,
    go: &mut impl FnMut(&'static str, &dyn Fn(&mut State) -> Worker),
) {
    for (row, attempt) in state.attempts.iter().enumerate() {
        if let Row::Commit { old } = attempt.row {
            let next = old.map_or(Next::DropRow, |old| Next::GetEntity { old });
            go("finds an outbox row", &|_| Worker { next, row, ..worker });
        }
    }
    let of_message = state.attempts[worker.message];
    if !matches!(of_message.row, Row::Commit { .. }) {
        go("finds no row of its message", &|state| {
            if of_message.kind == Kind::Upload {
                Worker { next: Next::GetBefore, ..worker }
            } else {
                worker.end(variant, state)
            }
        });
    }
}

/// Sends a request that cannot be rejected, or loses its response.
fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    [done, unknown]: [Worker; 2],
    steps: &mut Steps<State>,
) {
    steps.add(('W', number), what, |state| {
        state.take_effect(request);
        state.workers[number] = done;
    });
    if state.may_lose() {
        steps.add(('W', number), "loses a reply", |state| {
            state.lose(request, None);
            state.workers[number] = unknown;
        });
    }
}
