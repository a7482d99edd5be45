//! A list in a blob, and a write of it whose response was lost. Workers rewrite the list even if its contents are
//! unchanged, so that writes of slower workers fail. The client below the workers determines the outcome of a lost
//! write.

use crate::{
    budget::Budget,
    cell::{Cell, Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Each write contains a separate token. Without it the worker starts again.
    Final,
    /// Equal contents are taken as evidence that the write was executed.
    EqualContents,
}

/// The model. The operations of the budget move the entity out of the list, or back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Next {
    #[default]
    TakeRecord,
    GetList,
    GetEntity,
    PutList,
    Settle,
    DeleteRecord,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Worker {
    next: Next,
    /// The number of the commit record.
    record: usize,
    /// The version of the list that it read.
    guard: Tag,
    /// `true` if the entity belongs to the list.
    wanted: bool,
}

/// The list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct List {
    has_member: bool,
    /// The worker that wrote it. No worker has two writes in flight, so this represents the token of a write.
    by: Option<usize>,
}

/// A write of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Put {
    guard: Tag,
    list: List,
}

/// A state of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// `true` if the entity belongs to the list.
    entity: bool,
    list: Cell<List>,
    /// Unapplied commit records, one per operation.
    records: [bool; 3],
    written: usize,
    workers: [Worker; 2],
    lost: Option<Put>,
    left: Budget,
}

impl State {
    fn put(&mut self, put: Put) -> bool {
        self.list.replace(put.guard, Some(put.list))
    }

    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.list.tag);
        for worker in &mut self.workers {
            visit(0, &mut worker.guard);
        }
        if let Some(lost) = &mut self.lost {
            visit(0, &mut lost.guard);
        }
    }
}

impl Model {
    fn work(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let worker = state.workers[number];
        let mut go = |what, change: &dyn Fn(&State) -> Worker| {
            steps.add(('W', number), what, |state| state.workers[number] = change(state));
        };
        let again = Worker { next: Next::GetList, record: worker.record, ..Worker::default() };
        let done = Worker { next: Next::DeleteRecord, ..again };
        match worker.next {
            Next::TakeRecord => {
                for record in (0..state.records.len()).filter(|record| state.records[*record]) {
                    go("takes a record", &|_| Worker { next: Next::GetList, record, ..worker });
                }
            }
            Next::GetList => go("reads the list", &|state| Worker {
                next: Next::GetEntity,
                guard: state.list.tag,
                ..worker
            }),
            Next::GetEntity => go("reads the entity", &|state| Worker {
                next: Next::PutList,
                wanted: state.entity,
                ..worker
            }),
            Next::PutList => Self::send(state, number, [done, again], steps),
            Next::Settle => go("looks for its write", &|state| {
                let List { has_member, by } = state.list.value;
                match self.variant {
                    Variant::Final if by == Some(number) && state.list.tag != worker.guard => done,
                    Variant::EqualContents if has_member == worker.wanted => done,
                    _ => again,
                }
            }),
            Next::DeleteRecord => steps.add(('W', number), "deletes the record", |state| {
                state.records[worker.record] = false;
                state.workers[number] = Worker::default();
            }),
        }
    }

    fn send(state: &State, number: usize, [done, again]: [Worker; 2], steps: &mut Steps<State>) {
        let worker = state.workers[number];
        let list = List { has_member: worker.wanted, by: Some(number) };
        let put = Put { guard: worker.guard, list };
        steps.add(('W', number), "writes the list", |state| {
            state.workers[number] = if state.put(put) { done } else { again };
        });
        if state.left.lost == 0 || state.lost.is_some() {
            return;
        }
        steps.add(('W', number), "writes the list, response lost", |state| {
            state.left.lost -= 1;
            state.lost = Some(put);
            state.workers[number].next = Next::Settle;
        });
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        let list = List { has_member: true, by: None };
        vec![State {
            entity: true,
            list: Cell::new(list),
            records: [false; 3],
            written: 0,
            workers: [Worker::default(); 2],
            lost: None,
            left: self.budget,
        }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        if state.left.ops > 0 {
            steps.add(('C', 0), "moves the entity", |state| {
                state.left.ops -= 1;
                state.entity = !state.entity;
                state.records[state.written] = true;
                state.written += 1;
            });
        }
        for number in 0..state.workers.len() {
            self.work(state, number, steps);
        }
        if let Some(lost) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = None;
                state.put(lost);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = None);
        }
    }

    fn canonical(&self, state: &mut State) {
        let current = state.list.tag;
        for worker in &mut state.workers {
            worker.guard.only_compared_with(current);
        }
        if let Some(lost) = &mut state.lost {
            lost.guard.only_compared_with(current);
        }
        renumber::<1, _>(state, State::tags);
    }

    fn safe(&self, _: &State) -> bool {
        true
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && !state.records.contains(&true)
            && state.workers.iter().all(|worker| *worker == Worker::default())
    }

    /// The list contains the entity.
    fn good(&self, state: &State) -> bool {
        state.list.value.has_member == state.entity
    }

    fn witness(&self, state: &State) -> bool {
        self.quiet(state) && state.left.ops == 0 && state.left.lost == 0
    }
}
