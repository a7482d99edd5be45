//! A pass of a worker: it receives a message, reads outbox rows, reconciles the addresses of one row, and deletes the
//! row.

use crate::{cell::Cell, protocol::Steps};

use super::{
    Derived, Lost, Model, State, Variant, Worker,
    worker::{Next, Role, apply},
};

/// Adds the possible steps of worker `number`.
pub(super) fn steps(model: Model, state: &State, number: usize, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let actor = ('W', number);
    let mut go = |what, change: &dyn Fn(&mut State) -> Worker| {
        steps.add(actor, what, |state| state.workers[number] = change(state));
    };
    match worker.next {
        Next::TakeMessage => {
            for (message, attempt) in state.attempts.iter().enumerate().filter(|(_, attempt)| attempt.hint) {
                if let Some((value, touch)) = attempt.effect {
                    go("takes an effect", &|_| apply(message, value, touch));
                    continue;
                }
                for late in [false, true] {
                    if !late || state.may_be_late(model, message) {
                        go(if late { "takes a message, late" } else { "takes a message" }, &|_| Worker {
                            next: Next::Look,
                            message,
                            late,
                            ..Worker::default()
                        });
                    }
                }
            }
        }
        Next::Look => look(model, state, worker, &mut go),
        Next::GetCopy(role) => {
            let Some(address) = worker.address(role) else { return };
            let seen = state.copies[address.number()];
            go("reads a copy", &|_| worker.saw(model, role, seen));
        }
        Next::InsertStub => {
            let Some(address) = worker.touch.new else { return };
            let request = Lost::Stub { address };
            go("inserts a stub", &|state| {
                if state.take_effect(model, request) {
                    worker.saw(model, Role::New, state.copies[address.number()])
                } else {
                    worker.reconcile(model)
                }
            });
            lose(state, number, request, worker.reconcile(model), steps);
        }
        Next::GetPrimary => {
            let primary = state.primary;
            go("reads the primary", &|_| {
                if model.variant == Variant::OrderWrong {
                    Worker { primary, ..worker }.to_get(Role::New)
                } else {
                    worker.decide(model, primary)
                }
            });
        }
        Next::Write(role) => write(model, state, number, role, steps),
        Next::DropRow => {
            let request = Lost::DropRow { attempt: worker.row };
            go("deletes the outbox row", &|state| {
                state.take_effect(model, request);
                worker.finished(model)
            });
            lose(state, number, request, Worker::default(), steps);
        }
        Next::DeleteMessage => go("deletes the message", &|state| {
            let attempt = &mut state.attempts[worker.message];
            (attempt.hint, attempt.effect) = (false, None);
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
    model: Model,
    state: &State,
    worker: Worker,
    go: &mut impl FnMut(&'static str, &dyn Fn(&mut State) -> Worker),
) {
    for (row, touch) in
        state.attempts.iter().enumerate().filter_map(|(row, attempt)| Some((row, attempt.row?)))
    {
        go("finds an outbox row", &|_| Worker { row, touch, ..worker }.reconcile(model));
    }
    let own_row = state.attempts[worker.message].row.is_some();
    let any_row = state.attempts.iter().any(|attempt| attempt.row.is_some());
    let of_others = model.variant.shares_hints() && model.variant != Variant::SharedOwnRow;
    let waits = own_row || of_others && any_row;
    if !waits {
        let delete = worker.late || model.variant == Variant::HintEarly;
        go("finds no row of its message", &|_| {
            let next = if delete { Next::DeleteMessage } else { Next::TakeMessage };
            let message = if delete { worker.message } else { 0 };
            Worker { next, message, ..Worker::default() }
        });
    }
}

fn write(model: Model, state: &State, number: usize, role: Role, steps: &mut Steps<State>) {
    let worker = state.workers[number];
    let (Some(address), Some(copy)) = (worker.address(role), worker.write[role as usize]) else { return };
    let seen = worker.seen[role as usize];
    let blind = matches!(model.variant, Variant::Blind | Variant::OpQueueFirst);
    let request = Lost::Write { address, guard: seen.tag, copy };
    steps.add(('W', number), "writes a copy", |state| {
        let row = &mut state.copies[address.number()];
        let accepted = if blind {
            if copy == Derived::None {
                row.remove();
            } else {
                row.put(copy);
            }
            true
        } else if seen.exists() {
            state.take_effect(model, request)
        } else {
            row.insert(copy)
        };
        state.workers[number] = if accepted {
            let mut worker = worker;
            worker.write[role as usize] = None;
            worker.seen[role as usize] = Cell::default();
            worker.to_write(role)
        } else {
            worker.reconcile(model)
        };
    });
    if !blind && seen.exists() {
        lose(state, number, request, worker.reconcile(model), steps);
    }
}

/// Loses the response: the worker continues as if the request had been rejected.
fn lose(state: &State, number: usize, request: Lost, then: Worker, steps: &mut Steps<State>) {
    if state.may_lose() {
        steps.add(('W', number), "loses a reply", |state| {
            state.left.lost -= 1;
            state.lost = request;
            state.workers[number] = then;
        });
    }
}
