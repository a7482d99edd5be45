//! State of the store, the queue and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::Worker;

/// A contribution. Zero rows are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Contribution {
    pub(crate) counts: bool,
    /// The primary's `ETag` (`_se`); [`Tag::NONE`] in a zero row.
    pub(crate) shows: Tag,
}

/// The progress of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    #[default]
    Unused,
    Open,
    Over,
}

/// One operation of a client: a member joins or leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) phase: Phase,
    pub(crate) member: usize,
    pub(crate) hint: bool,
    /// Its outbox row: whether the member joined (the address is new) or left (it is old).
    pub(crate) row: Option<bool>,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// A client's transaction.
    Toggle { attempt: usize, guard: Tag },
    /// A worker's transaction: the contribution is replaced, or deleted if it is not counted, and the sum changes by
    /// the difference. Both are conditional by If-Match; without a guard it is an insert.
    Contribute { member: usize, guard: Tag, row: Contribution, sum: Tag },
    /// A worker's zero row.
    InsertZero { member: usize },
    /// A worker deletes an outbox row.
    DropRow { attempt: usize },
}

/// A request whose response is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lost(pub(crate) Option<Request>);

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// `true` if each member belongs to the group.
    pub(crate) primaries: [Cell<bool>; 2],
    pub(crate) contributions: [Cell<Contribution>; 2],
    pub(crate) sum: Cell<i8>,
    pub(crate) attempts: [Attempt; 4],
    pub(crate) workers: [Worker; 2],
    pub(crate) lost: Lost,
    pub(crate) left: Budget,
}

impl State {
    /// Returns whether a response can be lost; at most one is in flight.
    pub(crate) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost == Lost(None)
    }

    /// Marks the request as in flight; no process receives its response.
    pub(crate) fn lose(&mut self, request: Request) {
        self.left.lost -= 1;
        self.lost = Lost(Some(request));
    }

    /// Returns whether the attempt's commit can no longer take effect.
    pub(crate) fn is_over(&self, number: usize) -> bool {
        let under_way = matches!(self.lost, Lost(Some(Request::Toggle { attempt, .. })) if attempt == number);
        self.attempts[number].phase == Phase::Over && !under_way
    }

    /// Applies a request to the store. Returns whether it was accepted.
    pub(crate) fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Toggle { attempt, guard } => {
                let attempt = &mut self.attempts[attempt];
                let primary = &mut self.primaries[attempt.member];
                let accepted = primary.tag == guard;
                if accepted {
                    primary.put(!primary.value);
                    attempt.row = Some(primary.value);
                }
                accepted
            }
            Request::Contribute { member, guard, row, sum } => {
                let before = self.contributions[member];
                let accepted = before.tag == guard && self.sum.tag == sum;
                if accepted {
                    let after = if row.counts { Cell::new(row) } else { Cell::default() };
                    self.contributions[member] = after;
                    self.sum.put(self.sum.value + i8::from(row.counts) - i8::from(before.value.counts));
                }
                accepted
            }
            Request::InsertZero { member } => self.contributions[member].insert(Contribution::default()),
            Request::DropRow { attempt } => self.attempts[attempt].row.take().is_some(),
        }
    }
}
