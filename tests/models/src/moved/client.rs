//! A client that claims the value for an entity, or releases it. It can stop at every step.

use crate::{cell::Tag, protocol::Steps};

use super::{
    Variant,
    look::Look,
    state::{NewRow, OldRow, Place, Request, Reservation, Row, SWITCH, State},
};

/// The next step of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    #[default]
    Unused,
    GetIndex,
    /// Aborts the attempt of a reservation, then reads its owner.
    Fence {
        attempt: usize,
        owner: Place,
    },
    /// Reads the owner. `true` if its attempt can no longer be committed.
    Look(Look, bool),
    Reserve,
    Commit,
    /// Done, rejected or stopped.
    Over,
}

impl Client {
    pub(super) fn is_open(self) -> bool {
        !matches!(self, Self::Unused | Self::Over)
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        if let Self::Look(look, _) = self {
            look.tags(visit);
        }
    }
}

/// Number of concurrent clients.
const CLIENTS: usize = 2;

/// Adds the possible steps of clients.
pub(super) fn steps(variant: Variant, state: &State, steps: &mut Steps<State>) {
    let clients = &state.attempts[..SWITCH];
    let open = clients.iter().filter(|attempt| attempt.client.is_open()).count();
    let unused = clients.iter().position(|attempt| attempt.client == Client::Unused);
    if let Some(number) = unused.filter(|_| state.left.ops > 0 && open < CLIENTS) {
        let moving = match (state.old.value, state.new.value) {
            (_, NewRow::Live(has)) => Some((Place::New, has, state.new.tag)),
            (OldRow::Live(has), _) => Some((Place::Old, has, state.old.tag)),
            // The client completes the move first.
            _ => None,
        };
        let other = Some((Place::Other, state.other.value, state.other.tag));
        for (place, has, guard) in [moving, other].into_iter().flatten() {
            steps.add(('C', number), "reads the entity", |state| {
                state.left.ops -= 1;
                let attempt = &mut state.attempts[number];
                (attempt.place, attempt.claims, attempt.guard) = (place, !has, guard);
                attempt.client = if has { Client::Commit } else { Client::GetIndex };
            });
        }
    }
    for (number, attempt) in clients.iter().enumerate().filter(|(_, attempt)| attempt.client.is_open()) {
        steps.add(('C', number), "stops", |state| end(state, number));
        act(variant, state, (number, attempt.client), steps);
    }
}

fn act(variant: Variant, state: &State, (number, client): (usize, Client), steps: &mut Steps<State>) {
    let actor = ('C', number);
    let attempt = state.attempts[number];
    match client {
        Client::Unused | Client::Over => {}
        Client::GetIndex => steps.add(actor, "reads the index row", |state| {
            let attempt = &mut state.attempts[number];
            attempt.seen = state.index.tag;
            attempt.client = match state.index.value {
                Reservation::None => Client::Reserve,
                Reservation::Pending { owner, attempt } => Client::Fence { attempt, owner },
                Reservation::Live(owner) => Client::Look(Look::At(owner), true),
            };
        }),
        Client::Fence { attempt: other, owner } => {
            send(state, number, "inserts an abort record", Request::Abort(other), steps, |state, _| {
                let is_aborted = state.attempts[other].row == Row::Abort;
                Some(Client::Look(Look::At(owner), is_aborted))
            });
        }
        Client::Look(look, is_aborted) => steps.add(actor, "reads the owner", |state| {
            let at_marker = variant == Variant::ClaimAtMarker;
            match look.read(variant, at_marker, state) {
                Ok(next) => state.attempts[number].client = Client::Look(next, is_aborted),
                Err(None) if is_aborted => state.attempts[number].client = Client::Reserve,
                Err(_) => end(state, number),
            }
        }),
        Client::Reserve => {
            let row = Reservation::Pending { owner: attempt.place, attempt: number };
            let request = Request::Reserve { guard: attempt.seen, row };
            send(state, number, "reserves the value", request, steps, |_, done| {
                Some(if done { Client::Commit } else { Client::GetIndex })
            });
        }
        Client::Commit => {
            send(state, number, "commits", Request::Commit(number), steps, |_, _| None);
        }
    }
}

/// Ends a client. What it has read no longer matters, unless its commit is in flight.
fn end(state: &mut State, number: usize) {
    let attempt = &mut state.attempts[number];
    (attempt.client, attempt.seen) = (Client::Over, Tag::NONE);
    if state.late != Some(Request::Commit(number)) {
        attempt.guard = Tag::NONE;
    }
}

fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    steps: &mut Steps<State>,
    next: impl Fn(&State, bool) -> Option<Client>,
) {
    steps.add(('C', number), what, |state| {
        let done = state.take_effect(request);
        match next(state, done) {
            Some(next) => state.attempts[number].client = next,
            None => end(state, number),
        }
    });
    if state.left.lost > 0 && state.late.is_none() {
        steps.add(('C', number), "loses a response", |state| {
            state.left.lost -= 1;
            state.late = Some(request);
            end(state, number);
        });
    }
}
