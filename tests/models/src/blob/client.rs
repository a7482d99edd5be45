//! A client: uploads a blob, then names it in the entity; or deletes the entity. It can stop at every step.

use crate::{cell::Cell, protocol::Steps};

use super::{
    Variant,
    state::{Request, State},
};

/// The next step of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    #[default]
    Unused,
    PutBlob,
    /// For `OldBlobFirst`.
    DeleteOld,
    Commit,
    /// Done, rejected, stopped, or the response of the commit was lost.
    Over,
}

/// The operation of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Insert, or replace the value.
    #[default]
    Upload,
    Delete,
    /// For `BlindReplace`: writes the loaded state.
    Rewrite,
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
        begin(variant, state, number, steps);
    }
    for (number, attempt) in state.attempts.iter().enumerate() {
        if attempt.client.is_open() {
            steps.add(('C', number), "gives up", |state| go_to(state, number, Client::Over));
            act(variant, state, number, steps);
        }
    }
}

fn begin(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let mut add = |what, kind, first, hint| {
        steps.add(('C', number), what, |state| {
            state.left.ops -= 1;
            let loaded = state.entity;
            let attempt = &mut state.attempts[number];
            (attempt.client, attempt.kind, attempt.hint, attempt.loaded) = (first, kind, hint, loaded);
        });
    };
    let first = match variant {
        Variant::CommitFirst => Client::Commit,
        Variant::OldBlobFirst => Client::DeleteOld,
        _ => Client::PutBlob,
    };
    add("loads the entity, puts a hint", Kind::Upload, first, variant != Variant::NoHint);
    if state.entity.exists() {
        add("will delete the entity, puts a hint", Kind::Delete, Client::Commit, true);
        if variant == Variant::BlindReplace {
            add("loads the entity", Kind::Rewrite, Client::Commit, false);
        }
    }
}

fn act(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let attempt = state.attempts[number];
    let actor = ('C', number);
    match attempt.client {
        Client::Unused | Client::Over => {}
        Client::PutBlob => {
            let then = if variant == Variant::CommitFirst { Client::Over } else { Client::Commit };
            let request = Request::PutBlob { blob: number };
            steps.add(actor, "uploads", |state| {
                state.take_effect(request);
                go_to(state, number, then);
            });
            if state.may_lose() {
                steps.add(actor, "uploads, reply lost", |state| state.lose(request, Some(number)));
            }
        }
        Client::DeleteOld => steps.add(actor, "deletes the old blob", |state| {
            if let Some(blob) = attempt.loaded.value {
                state.take_effect(Request::DeleteBlob { blob });
            }
            go_to(state, number, Client::PutBlob);
        }),
        Client::Commit if attempt.kind == Kind::Rewrite => steps.add(actor, "replaces blindly", |state| {
            if state.entity.exists() {
                state.entity = Cell::new(attempt.loaded.value);
            }
            go_to(state, number, Client::Over);
        }),
        Client::Commit => {
            let request = Request::Commit { attempt: number, kind: attempt.kind, loaded: attempt.loaded };
            let then = if variant == Variant::CommitFirst { Client::PutBlob } else { Client::Over };
            steps.add(actor, "commits", |state| {
                state.take_effect(request);
                go_to(state, number, then);
            });
            if state.may_lose() {
                let again = variant == Variant::BlindResend && !attempt.loaded.exists();
                steps.add(actor, "commits, reply lost", |state| {
                    state.lose(request, Some(number));
                    go_to(state, number, if again { Client::Commit } else { Client::Over });
                });
            }
        }
    }
}

fn go_to(state: &mut State, number: usize, next: Client) {
    let attempt = &mut state.attempts[number];
    attempt.client = next;
    if next == Client::Over {
        attempt.loaded = Cell::default();
    }
}
