//! State of the store and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::worker::Worker;

/// A contribution. A zero row is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Contribution {
    pub(super) counts: bool,
    /// The member's `ETag` (`_se`); [`Tag::NONE`] in a zero row.
    pub(super) shows: Tag,
}

/// The row of the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sum {
    pub(super) value: i8,
    pub(super) has_entity: bool,
}

/// The outbox row of a commit of the member in the other partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) is_used: bool,
    /// While the row exists: whether the member joined or left.
    pub(super) joined: Option<bool>,
}

/// The row that a sweep will delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Contribution,
    Sum,
}

/// A request to the store. Each is conditional by If-Match; without a guard it is an insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Request {
    /// The member in the sum's partition joins or leaves: one transaction with the sum.
    Here { sum: Tag },
    /// The sum's entity is inserted or deleted.
    Owner { sum: Tag },
    /// The member in the other partition joins or leaves.
    Elsewhere { row: usize, guard: Tag },
    /// A worker's transaction: the contribution, and the sum by the difference.
    Contribute { guard: Tag, row: Contribution, sum: Tag },
    /// A worker's zero row.
    InsertZero,
    /// A worker deletes an outbox row.
    DropRow { row: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// `true` if the member in the other partition must be counted.
    pub(super) primary: Cell<bool>,
    pub(super) contribution: Cell<Contribution>,
    /// `true` if the member in the sum's partition is counted.
    pub(super) here: bool,
    pub(super) sum: Cell<Sum>,
    pub(super) rows: [Row; 4],
    pub(super) workers: [Worker; 2],
    pub(super) sweeps: Option<(Target, Tag)>,
    pub(super) lost: Option<Request>,
    pub(super) left: Budget,
}

impl State {
    /// Returns whether a response can be lost; at most one is in flight.
    pub(super) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost.is_none()
    }

    /// Marks the request as in flight; no process receives its response.
    pub(super) fn lose(&mut self, request: Request) {
        self.left.lost -= 1;
        self.lost = Some(request);
    }

    /// Writes the row of the sum. It is deleted with its last value, unless its entity exists.
    fn put_sum(&mut self, sum: Sum) {
        if sum.has_entity || sum.value != 0 { self.sum.put(sum) } else { self.sum.remove() }
    }

    fn add(&mut self, difference: i8) {
        let sum = self.sum.value;
        self.put_sum(Sum { value: sum.value + difference, ..sum });
    }

    /// Applies a request to the store. Returns whether it was accepted.
    pub(super) fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Here { sum } | Request::Owner { sum } if self.sum.tag != sum => false,
            Request::Here { .. } => {
                self.here = !self.here;
                self.add(if self.here { 1 } else { -1 });
                true
            }
            Request::Owner { .. } => {
                let sum = self.sum.value;
                self.put_sum(Sum { has_entity: !sum.has_entity, ..sum });
                true
            }
            Request::Elsewhere { row, guard } => {
                let accepted = self.primary.tag == guard;
                if accepted {
                    self.primary.put(!self.primary.value);
                    self.rows[row].joined = Some(self.primary.value);
                }
                accepted
            }
            Request::Contribute { guard, row, sum } => {
                let before = self.contribution;
                let accepted = before.tag == guard && self.sum.tag == sum;
                if accepted {
                    self.contribution = if row.counts { Cell::new(row) } else { Cell::default() };
                    self.add(i8::from(row.counts) - i8::from(before.value.counts));
                }
                accepted
            }
            Request::InsertZero => self.contribution.insert(Contribution::default()),
            Request::DropRow { row } => self.rows[row].joined.take().is_some(),
        }
    }
}
