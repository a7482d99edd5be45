//! State of the store and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::worker::Worker;

/// The entities in the list.
pub(super) type Members = [bool; 2];

/// The outbox row of one commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(super) is_used: bool,
    pub(super) member: usize,
    /// While the row exists: whether the entity joined (the list is new) or left (it is old).
    pub(super) joined: Option<bool>,
}

/// A request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Request {
    /// A client's transaction.
    Toggle { row: usize, member: usize, guard: Tag },
    /// A worker's empty list, if none exists.
    CreateEmpty,
    /// A worker's list with these members, under the version that it read; without members the list is deleted. Without
    /// a guard it is an insert.
    Write { guard: Tag, members: Members },
    /// A worker deletes an outbox row.
    DropRow { row: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// `true` if each entity must be in the list.
    pub(super) primaries: [Cell<bool>; 2],
    pub(super) list: Cell<Members>,
    pub(super) rows: [Row; 4],
    pub(super) workers: [Worker; 2],
    pub(super) lost: Option<Request>,
    pub(super) left: Budget,
}

impl State {
    pub(super) fn is_right(&self, member: usize) -> bool {
        self.list.value[member] == self.primaries[member].value
    }

    pub(super) fn is_named(&self, member: usize) -> bool {
        self.rows.iter().any(|row| row.joined.is_some() && row.member == member)
    }

    /// Returns whether a response can be lost; at most one is in flight.
    pub(super) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost.is_none()
    }

    /// Marks the request as in flight; no process receives its response.
    pub(super) fn lose(&mut self, request: Request) {
        self.left.lost -= 1;
        self.lost = Some(request);
    }

    /// Applies a request to the store. Returns whether it was accepted.
    pub(super) fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Toggle { row, member, guard } => {
                let primary = &mut self.primaries[member];
                let accepted = primary.tag == guard;
                self.rows[row].is_used = true;
                if accepted {
                    primary.put(!primary.value);
                    self.rows[row] = Row { is_used: true, member, joined: Some(primary.value) };
                }
                accepted
            }
            Request::CreateEmpty => self.list.insert(Members::default()),
            Request::Write { guard: Tag::NONE, members } => self.list.insert(members),
            Request::Write { guard, members } => {
                let members = Some(members).filter(|members| members.contains(&true));
                self.list.replace(guard, members)
            }
            Request::DropRow { row } => self.rows[row].joined.take().is_some(),
        }
    }
}
