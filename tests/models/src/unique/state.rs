//! What the store, the queue and the processes hold.

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

/// What is at `!o_<token>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    #[default]
    None,
    /// The attempt was committed.
    Commit,
    /// The attempt was aborted.
    Marker,
}

/// One operation of a client: an entity claims the value, or is deleted and so releases it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    pub(crate) entity: usize,
    pub(crate) claims: bool,
    /// Its message is in the queue.
    pub(crate) hint: bool,
    pub(crate) row: Row,
    /// The entity's `ETag` as the client read it.
    pub(crate) guard: Tag,
    /// The index row's as the client read it.
    pub(crate) seen: Tag,
}

/// What is asked of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// The client's transaction: the entity by If-Match, and the commit record, which must not be there.
    Commit { attempt: usize, guard: Tag },
    /// The index row becomes this by If-Match; no guard is an insert, `None` a delete.
    Reserve { guard: Tag, row: Reservation },
    /// Insert the marker.
    Abort { attempt: usize },
    /// A worker is done with an outbox row.
    DropRow { attempt: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// Whether each entity holds the value. One that does not is absent.
    pub(crate) entities: [Cell<bool>; 2],
    pub(crate) index: Cell<Reservation>,
    pub(crate) attempts: [Attempt; 4],
    pub(crate) workers: [Worker; 2],
    /// A request whose reply is lost, and the attempt whose client sent it.
    pub(crate) lost: Option<(Request, Option<usize>)>,
    pub(crate) left: Budget,
}

impl State {
    /// One reply at a time may be lost.
    pub(crate) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost.is_none()
    }

    /// The request is under way, and nobody will hear of it.
    pub(crate) fn lose(&mut self, request: Request, by: Option<usize>) {
        self.left.lost -= 1;
        self.lost = Some((request, by));
    }

    /// Nothing that the attempt's client sent can take effect any more.
    pub(crate) fn is_over(&self, attempt: usize) -> bool {
        let under_way = self.lost.is_some_and(|(_, by)| by == Some(attempt));
        self.attempts[attempt].client == Client::Over && !under_way
    }

    /// What the store does with a request. Whether it was accepted.
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
