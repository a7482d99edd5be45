//! State of the store, the queue and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::{Client, Worker};

/// The index row of the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Reservation {
    #[default]
    None,
    Pending {
        owner: usize,
        attempt: usize,
    },
    Live {
        owner: usize,
        /// The entity's `ETag` (`_se`).
        shows: Tag,
    },
}

impl Reservation {
    pub(crate) fn owner(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Pending { owner, .. } | Self::Live { owner, .. } => Some(owner),
        }
    }
}

/// The row at `!o_<token>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    #[default]
    None,
    /// The attempt was committed.
    Commit,
    /// The attempt was aborted.
    Marker,
}

/// One operation of a client: an entity claims the value, or is deleted and thereby releases it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    pub(crate) entity: usize,
    pub(crate) claims: bool,
    /// `true` if its message is in the queue.
    pub(crate) hint: bool,
    pub(crate) row: Row,
    /// The entity's `ETag` as the client read it.
    pub(crate) guard: Tag,
    /// The index row's `ETag` as the client read it.
    pub(crate) seen: Tag,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// The client's transaction: the entity by If-Match, and the commit record, which must not exist.
    Commit { attempt: usize, guard: Tag },
    /// Replaces the index row by If-Match; without a guard it is an insert, with `None` a delete.
    Reserve { guard: Tag, row: Reservation },
    /// Insert the abort record.
    Abort { attempt: usize },
    /// A worker deletes an outbox row.
    DropRow { attempt: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// `true` if each entity owns the value. An entity that does not own it is absent.
    pub(crate) entities: [Cell<bool>; 2],
    pub(crate) index: Cell<Reservation>,
    pub(crate) attempts: [Attempt; 4],
    pub(crate) workers: [Worker; 2],
    /// A request whose response is lost, and the attempt whose client sent it.
    pub(crate) lost: Option<(Request, Option<usize>)>,
    pub(crate) left: Budget,
}

impl State {
    /// Returns whether a response can be lost; at most one is in flight.
    pub(crate) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost.is_none()
    }

    /// Marks the request as in flight; no process receives its response.
    pub(crate) fn lose(&mut self, request: Request, by: Option<usize>) {
        self.left.lost -= 1;
        self.lost = Some((request, by));
    }

    /// Returns whether no request of the attempt's client can take effect.
    pub(crate) fn is_over(&self, attempt: usize) -> bool {
        let under_way = self.lost.is_some_and(|(_, by)| by == Some(attempt));
        self.attempts[attempt].client == Client::Over && !under_way
    }

    /// Applies a request to the store. Returns whether it was accepted.
    pub(crate) fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Commit { attempt, guard } => {
                let attempt = &mut self.attempts[attempt];
                let entity = &mut self.entities[attempt.entity];
                let accepted = attempt.row == Row::None && entity.tag == guard;
                if accepted {
                    *entity = if attempt.claims { Cell::new(true) } else { Cell::default() };
                    attempt.row = Row::Commit;
                }
                accepted
            }
            Request::Reserve { guard: Tag::NONE, row } => self.index.insert(row),
            Request::Reserve { guard, row } => {
                self.index.replace(guard, Some(row).filter(|row| *row != Reservation::None))
            }
            Request::Abort { attempt } => {
                let row = &mut self.attempts[attempt].row;
                let free = *row == Row::None;
                if free {
                    *row = Row::Marker;
                }
                free
            }
            Request::DropRow { attempt } => {
                let row = &mut self.attempts[attempt].row;
                let there = *row == Row::Commit;
                if there {
                    *row = Row::None;
                }
                there
            }
        }
    }
}
