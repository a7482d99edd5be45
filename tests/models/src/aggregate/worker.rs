//! A worker: the fence rule with a zero row as placeholder.

use crate::{
    cell::{Cell, Tag},
    protocol::Steps,
};

use super::{Request, State, state::Contribution};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    FindRow,
    GetContribution,
    InsertZero,
    GetPrimary,
    GetSum,
    Write,
    DropRow,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Worker {
    next: Next,
    row: usize,
    joined: bool,
    seen: Cell<Contribution>,
    write: Contribution,
    sum: Tag,
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::FindRow
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(1, &mut self.seen.tag);
        visit(0, &mut self.seen.value.shows);
        visit(0, &mut self.write.shows);
        visit(2, &mut self.sum);
    }

    pub(super) fn forget(&mut self, contribution: Tag, sum: Tag) {
        self.seen.tag.only_compared_with(contribution);
        self.sum.only_compared_with(sum);
    }

    /// Restarts at F1.
    fn fence(self) -> Self {
        Self { next: Next::GetContribution, row: self.row, joined: self.joined, ..Self::default() }
    }

    fn done(self) -> Self {
        Self { next: Next::DropRow, row: self.row, ..Self::default() }
    }

    /// Continues after the contribution was read.
    fn saw(self, seen: Cell<Contribution>) -> Self {
        match (seen.exists(), self.joined) {
            (false, false) => self.done(),
            (false, true) => Self { next: Next::InsertZero, ..self },
            _ => Self { next: Next::GetPrimary, seen, ..self },
        }
    }

    /// Continues after the member was read: F4.
    fn decide(self, primary: Cell<bool>) -> Self {
        let wanted = Contribution { counts: true, shows: primary.tag };
        if primary.value && self.seen.value == wanted {
            return self.done();
        }
        let write = if primary.value { wanted } else { Contribution::default() };
        let seen = Cell { tag: self.seen.tag, value: Contribution::default() };
        Self { next: Next::GetSum, seen, write, ..self }
    }
}

/// Adds the possible steps of worker `number`.
pub(super) fn steps(state: &State, number: usize, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let actor = ('W', number);
    let mut go = |what, change: &dyn Fn(&mut State) -> Worker| {
        steps.add(actor, what, |state| state.workers[number] = change(state));
    };
    match worker.next {
        Next::FindRow => {
            for (row, found) in state.rows.iter().enumerate() {
                let Some(joined) = found.joined else { continue };
                go("finds an outbox row", &|_| Worker { row, joined, ..Worker::default() }.fence());
            }
        }
        Next::GetContribution => go("reads the contribution", &|state| worker.saw(state.contribution)),
        Next::InsertZero => send(state, number, "inserts a zero row", Request::InsertZero, steps),
        Next::GetPrimary => go("reads the member", &|state| worker.decide(state.primary)),
        Next::GetSum => {
            go("reads the sum", &|state| Worker { next: Next::Write, sum: state.sum.tag, ..worker });
        }
        Next::Write => {
            let request = Request::Contribute { guard: worker.seen.tag, row: worker.write, sum: worker.sum };
            send(state, number, "writes contribution and sum", request, steps);
        }
        Next::DropRow => {
            send(state, number, "deletes the outbox row", Request::DropRow { row: worker.row }, steps);
        }
    }
    if state.left.crashes > 0 && !worker.is_idle() {
        steps.add(actor, "crashes", |state| {
            state.left.crashes -= 1;
            state.workers[number] = Worker::default();
        });
    }
}

/// Sends a request: accepted, rejected, or its response lost, which the worker treats as a rejection.
fn send(state: &State, number: usize, what: &'static str, request: Request, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let refused = match request {
        Request::DropRow { .. } => Worker::default(),
        _ => worker.fence(),
    };
    steps.add(('W', number), what, |state| {
        let accepted = state.take_effect(request);
        state.workers[number] = match request {
            Request::InsertZero if accepted => {
                Worker { next: Next::GetPrimary, seen: state.contribution, ..worker }
            }
            Request::Contribute { .. } if accepted => worker.done(),
            _ => refused,
        };
    });
    if state.may_lose() {
        steps.add(('W', number), "loses a reply", |state| {
            state.lose(request);
            state.workers[number] = refused;
        });
    }
}
