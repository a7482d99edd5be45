//! A worker that applies commit records and removes abandoned reservations.

use crate::{cell::Tag, protocol::Steps};

use super::{
    Variant,
    look::{Found, Look},
    state::{Request, Reservation, Row, State},
};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Worker {
    #[default]
    Idle,
    GetIndex(usize),
    /// Reads the entity, after the index row.
    Look {
        record: usize,
        seen: Tag,
        row: Reservation,
        look: Look,
    },
    Write {
        record: usize,
        seen: Tag,
        row: Reservation,
    },
    DropRow(usize),
    /// Aborts the attempt of a reservation that was read.
    Abort {
        attempt: usize,
        seen: Tag,
    },
    /// Deletes the reservation of an aborted attempt.
    Free(Tag),
}

impl Worker {
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        match self {
            Self::Idle | Self::GetIndex(_) | Self::DropRow(_) => {}
            Self::Look { seen, look, .. } => {
                visit(3, seen);
                look.tags(visit);
            }
            Self::Write { seen, .. } | Self::Abort { seen, .. } | Self::Free(seen) => visit(3, seen),
        }
    }

    /// Forgets which older version of the index row it has read.
    pub(super) fn forget(&mut self, index: Tag) {
        self.tags(&mut |row, tag| {
            if row == 3 {
                tag.only_compared_with(index);
            }
        });
    }
}

/// Returns the row to write for a commit record, according to the entity.
fn decide(state: &State, record: usize, row: Reservation, found: Found) -> Option<Reservation> {
    let place = state.attempts[record].place;
    let is_own = row.owner().is_some_and(|owner| owner.is_of(place));
    match row {
        _ if !is_own => None,
        // Its own commit record decides. The row is rewritten, so that slower processes fail.
        Reservation::Pending { attempt, .. } if attempt != record => Some(row),
        _ => Some(found.map_or(Reservation::None, Reservation::Live)),
    }
}

/// Adds the possible steps of worker `number`.
pub(super) fn steps(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let (worker, actor) = (state.workers[number], ('W', number));
    match worker {
        Worker::Idle => idle(state, number, steps),
        Worker::GetIndex(record) => steps.add(actor, "reads the index row", |state| {
            let (seen, row) = (state.index.tag, state.index.value);
            let look = Look::At(state.attempts[record].place);
            let is_absent = row == Reservation::None;
            state.workers[number] =
                if is_absent { Worker::DropRow(record) } else { Worker::Look { record, seen, row, look } };
        }),
        Worker::Look { record, seen, row, look } => steps.add(actor, "reads the entity", |state| {
            let at_marker = variant == Variant::DropAtMarker;
            state.workers[number] = match look.read(variant, at_marker, state) {
                Ok(look) => Worker::Look { record, seen, row, look },
                Err(found) => match decide(state, record, row, found) {
                    None => Worker::DropRow(record),
                    Some(row) => Worker::Write { record, seen, row },
                },
            };
        }),
        Worker::Write { record, seen, row } => {
            let request = Request::Reserve { guard: seen, row };
            let next = [Worker::DropRow(record), Worker::GetIndex(record)];
            send(state, number, "writes the index row", request, next, steps);
        }
        Worker::DropRow(record) => {
            let request = Request::DropRow(record);
            send(state, number, "deletes the record", request, [Worker::Idle, Worker::Idle], steps);
        }
        Worker::Abort { attempt, seen } => steps.add(actor, "inserts an abort record", |state| {
            state.take_effect(Request::Abort(attempt));
            let is_aborted = state.attempts[attempt].row == Row::Abort;
            state.workers[number] = if is_aborted { Worker::Free(seen) } else { Worker::Idle };
        }),
        Worker::Free(seen) => {
            let request = Request::Reserve { guard: seen, row: Reservation::None };
            send(state, number, "deletes a reservation", request, [Worker::Idle, Worker::Idle], steps);
        }
    }
    if state.left.crashes > 0 && worker != Worker::Idle {
        steps.add(actor, "crashes", |state| {
            state.left.crashes -= 1;
            state.workers[number] = Worker::Idle;
        });
    }
}

fn idle(state: &State, number: usize, steps: &mut Steps<State>) {
    let actor = ('W', number);
    for (record, _) in state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.row == Row::Commit) {
        steps.add(actor, "finds a record", |state| state.workers[number] = Worker::GetIndex(record));
    }
    if let Reservation::Pending { attempt, .. } = state.index.value
        && !state.attempts[attempt].client.is_open()
        && state.attempts[attempt].row != Row::Commit
    {
        steps.add(actor, "finds a reservation", |state| {
            state.workers[number] = Worker::Abort { attempt, seen: state.index.tag };
        });
    }
}

fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    [done, refused]: [Worker; 2],
    steps: &mut Steps<State>,
) {
    steps.add(('W', number), what, |state| {
        state.workers[number] = if state.take_effect(request) { done } else { refused };
    });
    if state.left.lost > 0 && state.late.is_none() {
        steps.add(('W', number), "loses a response", |state| {
            state.left.lost -= 1;
            (state.late, state.workers[number]) = (Some(request), Worker::Idle);
        });
    }
}
