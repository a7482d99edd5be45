//! Workers that reconcile the addresses in outbox rows, and the backfill, which reconciles scanned entities.

use crate::{cell::Tag, copies::Address, protocol::Steps};

use super::{Registry, State, Variant, job::Job};

/// A worker or the backfill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Process {
    #[default]
    Idle,
    /// At an address of an outbox row or of a scanned entity, together with the remaining addresses of the row.
    Reconciles {
        row: Option<usize>,
        job: Job,
        then: Option<(Address, bool)>,
    },
    DropsRow {
        row: usize,
    },
}

impl Process {
    /// Returns the registry state that it read, if the next step depends on it.
    pub(super) fn knows(&self) -> Option<Registry> {
        if let Self::Reconciles { job, .. } = self { job.knows() } else { None }
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        if let Self::Reconciles { job, .. } = self {
            job.tags(visit);
        }
    }

    pub(super) fn forget(&mut self, rows: [Tag; 2]) {
        if let Self::Reconciles { job, .. } = self {
            job.forget(rows);
        }
    }
}

/// Adds the possible steps of worker `number`.
pub(super) fn work(variant: Variant, state: &State, number: usize, steps: &mut Steps<State>) {
    let actor = ('W', number);
    match state.workers[number] {
        Process::Idle => {
            for (row, attempt) in state.attempts.iter().enumerate() {
                let mut named = [Address::A, Address::B]
                    .into_iter()
                    .filter_map(|address| Some((address, attempt.row[address.number()]?)));
                if let Some((address, create)) = named.next() {
                    let (job, then) = (Job::new(address, create), named.next());
                    steps.add(actor, "finds an outbox row", |state| {
                        state.workers[number] = Process::Reconciles { row: Some(row), job, then };
                    });
                }
            }
        }
        Process::Reconciles { row, job, then } => steps.add(actor, job.what(), |state| {
            state.workers[number] = match (job.step(variant, state), then, row) {
                (Some(job), ..) => Process::Reconciles { row, job, then },
                (None, Some((address, create)), _) => {
                    Process::Reconciles { row, job: Job::new(address, create), then: None }
                }
                (None, None, Some(row)) => Process::DropsRow { row },
                (None, None, None) => Process::Idle,
            };
        }),
        Process::DropsRow { row } => steps.add(actor, "deletes the outbox row", |state| {
            state.attempts[row].row = [None; 2];
            state.workers[number] = Process::Idle;
        }),
    }
    if state.left.crashes > 0 && state.workers[number] != Process::Idle {
        steps.add(actor, "crashes", |state| {
            state.left.crashes -= 1;
            state.workers[number] = Process::Idle;
        });
    }
}

/// Adds the possible steps of the backfill.
pub(super) fn backfill(variant: Variant, state: &State, steps: &mut Steps<State>) {
    let actor = ('B', 0);
    match state.backfill {
        Process::Idle if state.registry == Registry::Backfill && !state.done => {
            steps.add(actor, "scans", |state| match state.primary.value.address() {
                None => state.done = true,
                Some(address) => {
                    let job = if variant == Variant::BackfillNoReread {
                        Job::upsert(address, state.primary)
                    } else {
                        Job::new(address, true)
                    };
                    state.backfill = Process::Reconciles { row: None, job, then: None };
                }
            });
        }
        Process::Reconciles { row, job, then } => {
            steps.add(actor, job.what(), |state| {
                let next = job.step(variant, state);
                state.done = next.is_none();
                state.backfill = next.map_or(Process::Idle, |job| Process::Reconciles { row, job, then });
            });
            if state.left.crashes > 0 {
                steps.add(actor, "crashes", |state| {
                    state.left.crashes -= 1;
                    state.backfill = Process::Idle;
                });
            }
        }
        Process::Idle | Process::DropsRow { .. } => {}
    }
}

/// Adds the steps that delete the copies of a removed index: one address after the other, including addresses in
/// remaining outbox rows.
pub(super) fn drop_rows(state: &State, steps: &mut Steps<State>) {
    if state.registry == Registry::Dropping && !state.done {
        steps.add(('B', 0), "deletes a copy", |state| {
            let address = usize::from(state.dropped);
            state.copies[address].remove();
            (state.dropped, state.done) = (!state.dropped, address == 1);
        });
    }
}
