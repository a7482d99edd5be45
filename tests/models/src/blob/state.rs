//! State of the store, the queue and the processes.

use crate::{budget::Budget, cell::Cell};

use super::{Client, Kind, Worker};

/// The row at `!o_<token>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    #[default]
    None,
    /// The attempt was committed, and this blob can be released.
    Commit { old: Option<usize> },
    /// The attempt was aborted.
    Marker,
}

/// One operation of a client. Its blob has the number of the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    pub(crate) kind: Kind,
    /// `true` if its message is in the queue.
    pub(crate) hint: bool,
    pub(crate) row: Row,
    /// The entity as the client read it.
    pub(crate) loaded: Cell<Option<usize>>,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// Put a blob, if it does not exist.
    PutBlob { blob: usize },
    /// The client's transaction: the entity by If-Match, and the commit record, which must not exist.
    Commit { attempt: usize, kind: Kind, loaded: Cell<Option<usize>> },
    /// Insert the abort record.
    Abort { attempt: usize },
    /// Delete a blob.
    DeleteBlob { blob: usize },
    /// A worker deletes an outbox row.
    DropRow { attempt: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The entity, and the blob that it names.
    pub(crate) entity: Cell<Option<usize>>,
    /// The existing blobs.
    pub(crate) blobs: [bool; 4],
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
            Request::PutBlob { blob } => !std::mem::replace(&mut self.blobs[blob], true),
            Request::Commit { attempt: number, kind, loaded } => {
                let attempt = &mut self.attempts[number];
                let accepted = attempt.row == Row::None && self.entity.tag == loaded.tag;
                if accepted {
                    self.entity =
                        if kind == Kind::Delete { Cell::default() } else { Cell::new(Some(number)) };
                    attempt.row = Row::Commit { old: loaded.value };
                }
                accepted
            }
            Request::Abort { attempt } => {
                let row = &mut self.attempts[attempt].row;
                let free = *row == Row::None;
                if free {
                    *row = Row::Marker;
                }
                free
            }
            Request::DeleteBlob { blob } => std::mem::replace(&mut self.blobs[blob], false),
            Request::DropRow { attempt } => {
                let row = &mut self.attempts[attempt].row;
                let there = matches!(row, Row::Commit { .. });
                if there {
                    *row = Row::None;
                }
                there
            }
        }
    }
}
