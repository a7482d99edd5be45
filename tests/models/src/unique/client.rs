//! A client that claims the value for an entity, or deletes the entity that owns it. It can stop at every step.

use crate::{cell::Tag, protocol::Steps};

use super::{
    Variant,
    state::{Request, Reservation, State},
};

/// The next step of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    #[default]
    Unused,
    GetIndex,
    /// Insert, or replace by a pending reservation of this attempt.
    Reserve,
    /// Abort the attempt of a pending reservation, then read its owner.
    Fence {
        attempt: usize,
        owner: usize,
    },
    GetOwner {
        owner: usize,
        /// `true` if the owner's attempt can no longer be committed.
        fenced: bool,
    },
    /// For `EarlyRelease`.
    Free,
    Commit,
    /// Done, rejected, stopped, or the response of the commit was lost.
    Over,
}

impl Client {
    pub(super) fn is_open(self) -> bool {
        !matches!(self, Self::Unused | Self::Over)
    }
}

/// Number of concurrent clients.
const CLIENTS: usize = 2;

/// Adds the possible steps of clients.
pub(super) fn steps(variant: Variant, state: &State, steps: &mut Steps<State>) {
    let open = state.attempts.iter().filter(|attempt| attempt.client.is_open()).count();
    let unused = state.attempts.iter().position(|attempt| attempt.client == Client::Unused);
    if let Some(number) = unused.filter(|_| state.left.ops > 0 && open < CLIENTS) {
        for (entity, cell) in state.entities.iter().enumerate() {
            let (claims, guard) = (!cell.value, cell.tag);
            let first = match variant {
                _ if claims => Client::GetIndex,
                Variant::EarlyRelease => Client::Free,
                _ => Client::Commit,
            };
            steps.add(('C', number), "reads the entity, puts a hint", |state| {
                state.left.ops -= 1;
                let attempt = &mut state.attempts[number];
                (attempt.client, attempt.entity, attempt.claims) = (first, entity, claims);
                (attempt.guard, attempt.hint) = (guard, variant != Variant::NoHint);
            });
        }
    }
    for (number, attempt) in state.attempts.iter().enumerate() {
        if attempt.client.is_open() {
            steps.add(('C', number), "gives up", |state| become_(state, number, Client::Over));
            act(variant, state, number, steps);
        }
    }
}

fn act(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let attempt = state.attempts[number];
    let entity = attempt.entity;
    match attempt.client {
        Client::Unused | Client::Over => {}
        Client::GetIndex => steps.add(('C', number), "reads the index row", |state| {
            state.attempts[number].seen = state.index.tag;
            let next = after_read(variant, entity, number, state.index.value);
            become_(state, number, next);
        }),
        Client::Fence { attempt, owner } => {
            let fenced = Client::GetOwner { owner, fenced: true };
            let committed = Client::GetOwner { owner, fenced: false };
            send(state, number, "inserts a marker", Request::Abort { attempt }, [fenced, committed], steps);
        }
        Client::GetOwner { owner, fenced } => steps.add(('C', number), "reads the owner", |state| {
            let next = match (state.entities[owner].value, fenced) {
                (true, _) => Client::Over,
                (false, true) => Client::Reserve,
                // The owner has released it since; a worker will update the row.
                (false, false) => Client::GetIndex,
            };
            become_(state, number, next);
        }),
        Client::Reserve => {
            let row = Reservation::Pending { owner: entity, attempt: number };
            let request = Request::Reserve { guard: attempt.seen, row };
            send(state, number, "reserves", request, [Client::Commit, Client::GetIndex], steps);
        }
        Client::Free => steps.add(('C', number), "frees the value", |state| {
            if state.index.value.owner() == Some(entity) {
                state.index.remove();
            }
            become_(state, number, Client::Commit);
        }),
        Client::Commit => {
            let request = Request::Commit { attempt: number, guard: attempt.guard };
            send(state, number, "commits", request, [Client::Over, Client::Over], steps);
        }
    }
}

/// Returns the next step after the index row was read.
fn after_read(variant: Variant, entity: usize, number: usize, row: Reservation) -> Client {
    match row {
        Reservation::None if variant == Variant::NoReservation => Client::Commit,
        Reservation::None => Client::Reserve,
        // A request of this attempt whose response was lost.
        Reservation::Pending { attempt, .. } if attempt == number => Client::Commit,
        Reservation::Pending { owner, .. } if variant == Variant::StealNoFence => {
            Client::GetOwner { owner, fenced: true }
        }
        Reservation::Pending { owner, attempt } => Client::Fence { attempt, owner },
        Reservation::Live { owner, .. } if owner == entity && variant == Variant::KeepLive => Client::Commit,
        Reservation::Live { owner, .. } if owner == entity && variant == Variant::TrustOwnRow => {
            Client::Reserve
        }
        Reservation::Live { owner, .. } => Client::GetOwner { owner, fenced: true },
    }
}

/// Sends a request: accepted, rejected, or its response lost.
fn send(
    state: &State,
    number: usize,
    what: &'static str,
    request: Request,
    [accepted, refused]: [Client; 2],
    steps: &mut Steps<State>,
) {
    steps.add(('C', number), what, |state| {
        let next = if state.take_effect(request) { accepted } else { refused };
        become_(state, number, next);
    });
    if state.may_lose() {
        let commit = matches!(request, Request::Commit { .. });
        steps.add(('C', number), "loses a reply", |state| {
            state.lose(request, Some(number));
            become_(state, number, if commit { Client::Over } else { Client::GetIndex });
        });
    }
}

fn become_(state: &mut State, number: usize, next: Client) {
    let attempt = &mut state.attempts[number];
    attempt.client = next;
    if matches!(next, Client::Over | Client::Commit | Client::GetIndex) {
        attempt.seen = Tag::NONE;
    }
    if next == Client::Over {
        attempt.guard = Tag::NONE;
    }
}
