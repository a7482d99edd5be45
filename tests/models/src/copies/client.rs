//! A client: a wake-up message, then the transaction. It can stop after the message, and the response of its commit can
//! be lost.
//!
//! Reading the primary and writing it with If-Match is one step: a write in between would only make the second write
//! fail.

use crate::{cell::Tag, protocol::Steps};

use super::{Lost, Model, Phase, State, Touch, Value, Variant};

/// Number of concurrent clients.
const CLIENTS: usize = 2;

/// Adds the possible steps of clients.
pub(super) fn steps(model: Model, state: &State, steps: &mut Steps<State>) {
    let open = state.attempts.iter().filter(|attempt| attempt.phase == Phase::Open).count();
    let unused = state.attempts.iter().position(|attempt| attempt.phase == Phase::Unused);
    if let Some(attempt) = unused.filter(|_| state.left.ops > 0 && open < CLIENTS) {
        begin(model, state, attempt, steps);
    }
    for (number, attempt) in state.attempts.iter().enumerate() {
        if attempt.phase == Phase::Open {
            steps.add(('C', number), "gives up", |state| end(state, number));
            commit(model, state, number, steps);
        }
    }
}

fn begin(model: Model, state: &State, number: usize, steps: &mut Steps<State>) {
    let mut put = |what, effect, guard: Tag| {
        steps.add(('C', number), what, |state| {
            state.left.ops -= 1;
            let attempt = &mut state.attempts[number];
            (attempt.phase, attempt.hint) = (Phase::Open, true);
            (attempt.effect, attempt.guard) = (effect, guard);
            attempt.relies_on = number;
        });
    };
    if model.variant != Variant::OpQueueFirst {
        put("puts a hint", None, Tag::NONE);
        if model.variant.shares_hints() {
            share(state, number, steps);
        }
        return;
    }
    for value in values(state) {
        let touch = Touch::between(state.primary.value, value);
        put("puts a message with the effect", Some((value, touch)), state.primary.tag);
    }
}

/// Relies on an earlier message, while its deadline is far enough in the future. The message may already have been
/// deleted.
fn share(state: &State, number: usize, steps: &mut Steps<State>) {
    for (message, attempt) in state.attempts.iter().enumerate() {
        if attempt.phase != Phase::Unused && attempt.relies_on == message && !attempt.passed {
            steps.add(('C', number), "relies on an earlier hint", |state| {
                state.left.ops -= 1;
                let attempt = &mut state.attempts[number];
                (attempt.phase, attempt.relies_on) = (Phase::Open, message);
            });
        }
    }
}

fn commit(model: Model, state: &State, number: usize, steps: &mut Steps<State>) {
    let mut send = |guard, value, touch| {
        let request = Lost::Commit { attempt: number, guard, value, touch };
        steps.add(('C', number), "commits", |state| {
            state.take_effect(model, request);
            end(state, number);
        });
        if state.may_lose() {
            steps.add(('C', number), "commits, reply lost", |state| {
                state.left.lost -= 1;
                state.lost = request;
                end(state, number);
            });
        }
    };
    match state.attempts[number].effect {
        Some((value, touch)) => send(state.attempts[number].guard, value, touch),
        None => values(state).for_each(|value| {
            send(state.primary.tag, value, Touch::between(state.primary.value, value));
        }),
    }
}

fn values(state: &State) -> impl Iterator<Item = Value> {
    let now = state.primary.value;
    Value::ALL.into_iter().filter(move |value| *value != now)
}

fn end(state: &mut State, attempt: usize) {
    let attempt = &mut state.attempts[attempt];
    (attempt.phase, attempt.guard) = (Phase::Over, Tag::NONE);
}
