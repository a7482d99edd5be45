//! A worker: the fence rule with a zero row as placeholder.

use crate::{
    cell::{Cell, Tag},
    protocol::Steps,
};

use super::{Request, State, Variant, state::Contribution};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    TakeMessage,
    Look,
    GetContribution,
    InsertZero,
    GetPrimary,
    GetSum,
    Write,
    DropRow,
    DeleteMessage,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Worker {
    next: Next,
    message: usize,
    member: usize,
    /// `true` if the message's deadline had passed when the pass started.
    late: bool,
    row: usize,
    /// `true` if the row names a new address.
    joined: bool,
    seen: Cell<Contribution>,
    write: Contribution,
    sum: Tag,
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::TakeMessage
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(2 + self.member, &mut self.seen.tag);
        visit(self.member, &mut self.seen.value.shows);
        visit(self.member, &mut self.write.shows);
        visit(4, &mut self.sum);
    }

    pub(super) fn forget(&mut self, contributions: [Tag; 2], sum: Tag) {
        self.seen.tag.only_compared_with(contributions[self.member]);
        self.sum.only_compared_with(sum);
    }

    /// Restarts at F1.
    fn reconcile(self, variant: Variant) -> Self {
        let Self { message, member, row, joined, .. } = self;
        let first = if variant == Variant::DeltaInMessage { Next::Write } else { Next::GetContribution };
        Self { next: first, message, member, row, joined, ..Self::default() }
    }

    /// Continues after the contribution was read.
    fn saw(self, variant: Variant, seen: Cell<Contribution>) -> Self {
        let next = match (seen.exists(), self.joined) {
            (false, false) => Next::DropRow,
            (false, true) if variant != Variant::NoZeroRow => Next::InsertZero,
            _ => Next::GetPrimary,
        };
        Self { next, seen, ..self }
    }

    /// Continues after the primary was read: F4.
    fn decide(mut self, variant: Variant, primary: Cell<bool>) -> Self {
        let wanted = if primary.value {
            Contribution { counts: true, shows: primary.tag }
        } else {
            Contribution::default()
        };
        let seen = self.seen;
        let equal = seen.exists() && seen.value.counts == wanted.counts;
        let done = match variant {
            Variant::NoTouch if equal && wanted.counts => true,
            _ if !seen.exists() => !wanted.counts,
            _ => equal && wanted.counts && seen.value.shows == primary.tag,
        };
        self.seen.value = Contribution::default();
        if done {
            self.seen.tag = Tag::NONE;
        } else {
            self.write = wanted;
        }
        Self { next: if done { Next::DropRow } else { Next::GetSum }, ..self }
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
            for (message, attempt) in state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.hint) {
                let taken = Worker { next: Next::Look, message, member: attempt.member, ..worker };
                go("takes a message", &|_| taken);
                if state.is_over(message) {
                    go("takes a message, late", &|_| Worker { late: true, ..taken });
                }
            }
        }
        Next::Look => look(variant, state, worker, &mut go),
        Next::GetContribution => {
            go("reads the contribution", &|state| worker.saw(variant, state.contributions[worker.member]));
        }
        Next::InsertZero => {
            let request = Request::InsertZero { member: worker.member };
            go("inserts a zero row", &|state| {
                if state.take_effect(request) {
                    Worker { next: Next::GetPrimary, seen: state.contributions[worker.member], ..worker }
                } else {
                    worker.reconcile(variant)
                }
            });
            lose(state, number, request, worker.reconcile(variant), steps);
        }
        Next::GetPrimary => {
            go("reads the primary", &|state| worker.decide(variant, state.primaries[worker.member]));
        }
        Next::GetSum => {
            go("reads the sum", &|state| Worker { next: Next::Write, sum: state.sum.tag, ..worker });
        }
        Next::Write if variant == Variant::DeltaInMessage => go("adds the difference", &|state| {
            let delta = if worker.joined { 1 } else { -1 };
            state.sum.put(state.sum.value + delta);
            state.contributions[worker.member].put(Contribution { counts: worker.joined, shows: Tag::NONE });
            Worker { next: Next::DropRow, ..worker }
        }),
        Next::Write => {
            let Worker { member, write: row, sum, seen, .. } = worker;
            let request = Request::Contribute { member, guard: seen.tag, row, sum };
            go("writes contribution and sum", &|state| {
                if state.take_effect(request) {
                    Worker { next: Next::DropRow, ..worker.reconcile(variant) }
                } else {
                    worker.reconcile(variant)
                }
            });
            lose(state, number, request, worker.reconcile(variant), steps);
        }
        Next::DropRow => {
            let request = Request::DropRow { attempt: worker.row };
            go("deletes the outbox row", &|state| {
                state.take_effect(request);
                let Worker { message, member, .. } = worker;
                if worker.row == message {
                    Worker { next: Next::DeleteMessage, message, member, ..Worker::default() }
                } else {
                    Worker::default()
                }
            });
            lose(state, number, request, Worker::default(), steps);
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
    let rows = state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.member == worker.member);
    for (row, joined) in rows.filter_map(|(row, attempt)| Some((row, attempt.row?))) {
        go("finds an outbox row", &|_| Worker { row, joined, ..worker }.reconcile(variant));
    }
    if state.attempts[worker.message].row.is_none() {
        go("finds no row of its message", &|_| {
            let done = Worker { next: Next::DeleteMessage, late: false, ..worker };
            if worker.late { done } else { Worker::default() }
        });
    }
}

/// Loses the response: the worker continues as if the request had been rejected.
fn lose(state: &State, number: usize, request: Request, then: Worker, steps: &mut Steps<State>) {
    if state.may_lose() {
        steps.add(('W', number), "loses a reply", |state| {
            state.lose(request);
            state.workers[number] = then;
        });
    }
}
