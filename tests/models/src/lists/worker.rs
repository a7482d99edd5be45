//! A worker: the fence rule on the version of the whole list.

use crate::{
    cell::{Cell, Tag},
    protocol::Steps,
};

use super::{Request, State, Variant, state::Members};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    #[default]
    FindRow,
    GetList,
    CreateEmpty,
    /// For `MissingIsDone`: the insert of the empty list failed.
    GetListAgain,
    GetPrimary,
    Write,
    DropRow,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Worker {
    next: Next,
    row: usize,
    member: usize,
    joined: bool,
    seen: Cell<Members>,
    write: Members,
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::FindRow
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(2, &mut self.seen.tag);
    }

    pub(super) fn forget(&mut self, list: Tag) {
        self.seen.tag.only_compared_with(list);
    }

    /// Restarts at F1.
    fn fence(self) -> Self {
        let Self { row, member, joined, .. } = self;
        Self { next: Next::GetList, row, member, joined, ..Self::default() }
    }

    fn done(self) -> Self {
        Self { next: Next::DropRow, row: self.row, ..Self::default() }
    }

    /// Continues after the list was read.
    fn saw(self, variant: Variant, seen: Cell<Members>) -> Self {
        let next = match (seen.exists(), self.joined) {
            (false, false) => return self.done(),
            (false, true) if variant != Variant::NoEmptyList => Next::CreateEmpty,
            _ => Next::GetPrimary,
        };
        Self { next, seen, ..self }
    }

    /// Continues after the entity was read: compares its membership with the list under the version that was read.
    fn decide(self, variant: Variant, wanted: bool) -> Self {
        let mut members = self.seen.value;
        members[self.member] = wanted;
        let is_same = self.seen.exists() && members == self.seen.value && members.contains(&true);
        let nothing = !self.seen.exists() && !members.contains(&true);
        if nothing || is_same && variant == Variant::NoTouch {
            return self.done();
        }
        let seen = Cell { tag: self.seen.tag, value: Members::default() };
        Self { next: Next::Write, seen, write: members, ..self }
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
        Next::FindRow => {
            for (row, found) in state.rows.iter().enumerate() {
                let Some(joined) = found.joined else { continue };
                let found = Worker { row, member: found.member, joined, ..Worker::default() };
                go("finds an outbox row", &|_| found.fence());
            }
        }
        Next::GetList => go("reads the list", &|state| worker.saw(variant, state.list)),
        Next::CreateEmpty => {
            let refused = match variant {
                Variant::MissingIsDone => Worker { next: Next::GetListAgain, ..worker },
                _ => worker.fence(),
            };
            send(state, number, "creates an empty list", Request::CreateEmpty, refused, steps);
        }
        Next::GetListAgain => go("reads the list again", &|state| match state.list {
            list if list.exists() => worker.saw(variant, list),
            _ => worker.done(),
        }),
        Next::GetPrimary => {
            go("reads the entity", &|state| worker.decide(variant, state.primaries[worker.member].value));
        }
        Next::Write if variant == Variant::BlindDelete && !worker.write.contains(&true) => {
            go("deletes the list", &|state| {
                state.list.remove();
                worker.done()
            });
        }
        Next::Write => {
            let request = Request::Write { guard: worker.seen.tag, members: worker.write };
            send(state, number, "writes the list", request, worker.fence(), steps);
        }
        Next::DropRow => {
            let request = Request::DropRow { row: worker.row };
            send(state, number, "deletes the outbox row", request, Worker::default(), steps);
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
fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    refused: Worker,
    steps: &mut Steps<State>,
) {
    let worker = state.workers[number];
    steps.add(('W', number), what, |state| {
        let accepted = state.take_effect(request);
        state.workers[number] = match request {
            Request::CreateEmpty if accepted => Worker { next: Next::GetPrimary, seen: state.list, ..worker },
            Request::Write { .. } if accepted => worker.done(),
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
