//! State of the rows and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::{Client, Mover, Worker};

/// A key of an entity. The first two belong to the entity that moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    #[default]
    Old,
    New,
    Other,
}

impl Place {
    /// Returns whether both keys belong to one entity.
    pub(super) fn is_of(self, other: Self) -> bool {
        (self == Self::Other) == (other == Self::Other)
    }
}

/// The row at the old key. `true` if the entity has the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum OldRow {
    #[default]
    None,
    Live(bool),
    /// With the `ETag` of the row that it replaced.
    Marker(Tag),
}

/// The row at the new key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NewRow {
    #[default]
    None,
    /// The entity as it was at the old key under this `ETag`.
    Copy(Tag, bool),
    Live(bool),
}

/// The index row of the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Reservation {
    #[default]
    None,
    Pending {
        owner: Place,
        attempt: usize,
    },
    Live(Place),
}

impl Reservation {
    pub(super) fn owner(self) -> Option<Place> {
        match self {
            Self::None => None,
            Self::Pending { owner, .. } | Self::Live(owner) => Some(owner),
        }
    }
}

/// The row at `!o_<token>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    #[default]
    None,
    Commit,
    /// The attempt was aborted.
    Abort,
}

/// One operation: an entity claims or releases the value, or one of the two commits of the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    /// The key of the row that it writes.
    pub(crate) place: Place,
    pub(crate) claims: bool,
    pub(crate) row: Row,
    /// The `ETag` of the entity as the client read it.
    pub(crate) guard: Tag,
    /// The `ETag` of the index row as the client read it.
    pub(crate) seen: Tag,
}

/// Numbers of the two commits of the move.
pub(super) const SWITCH: usize = 3;
pub(super) const PROMOTE: usize = 4;

/// A write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// The transaction of a client: the entity by If-Match, and the commit record.
    Commit(usize),
    /// Replaces the index row by If-Match; without a guard an insert, with `None` a delete.
    Reserve { guard: Tag, row: Reservation },
    /// Inserts the abort record.
    Abort(usize),
    /// Deletes a commit record.
    DropRow(usize),
    /// Writes the copy by If-Match; without a guard an insert.
    Pend { guard: Tag, copied: Tag, has: bool },
    /// Writes the marker by If-Match, with the commit record.
    Switch(Tag),
    /// Replaces the copy by the entity by If-Match, with the commit record.
    Promote(Tag),
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) old: Cell<OldRow>,
    pub(crate) new: Cell<NewRow>,
    pub(crate) other: Cell<bool>,
    pub(crate) index: Cell<Reservation>,
    pub(crate) attempts: [Attempt; 5],
    pub(crate) mover: Mover,
    pub(crate) workers: [Worker; 2],
    /// A request without a response.
    pub(crate) late: Option<Request>,
    pub(crate) left: Budget,
}

impl State {
    /// Returns the key at which the moving entity has the value.
    pub(super) fn holder(&self) -> Option<Place> {
        match (self.old.value, self.new.value) {
            (_, NewRow::Live(has)) => has.then_some(Place::New),
            (OldRow::Live(has), _) => has.then_some(Place::Old),
            (OldRow::Marker(tag), NewRow::Copy(copied, true)) if tag == copied => Some(Place::New),
            _ => None,
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        let is_open = self.attempts.iter().any(|attempt| attempt.client.is_open());
        is_open || self.mover != Mover::Idle || self.workers.iter().any(|worker| *worker != Worker::Idle)
    }

    /// Executes a request. Returns whether its condition was met.
    pub(super) fn take_effect(&mut self, request: Request) -> bool {
        match request {
            Request::Commit(number) => self.commit(number),
            Request::Reserve { guard: Tag::NONE, row } => self.index.insert(row),
            Request::Reserve { guard, row } => {
                self.index.replace(guard, Some(row).filter(|row| *row != Reservation::None))
            }
            Request::Abort(number) => self.change(number, Row::None, Row::Abort),
            Request::DropRow(number) => self.change(number, Row::Commit, Row::None),
            Request::Pend { guard: Tag::NONE, copied, has } => self.new.insert(NewRow::Copy(copied, has)),
            Request::Pend { guard, copied, has } => self.new.replace(guard, Some(NewRow::Copy(copied, has))),
            Request::Switch(guard) => {
                let OldRow::Live(has) = self.old.value else { return false };
                let done = self.old.replace(guard, Some(OldRow::Marker(guard)));
                self.record(SWITCH, done && has);
                done
            }
            Request::Promote(guard) => {
                let NewRow::Copy(_, has) = self.new.value else { return false };
                let done = self.new.replace(guard, Some(NewRow::Live(has)));
                self.record(PROMOTE, done && has);
                done
            }
        }
    }

    fn commit(&mut self, number: usize) -> bool {
        let Attempt { place, claims, row, guard, .. } = self.attempts[number];
        let done = row == Row::None
            && match place {
                Place::Old => self.old.replace(guard, Some(OldRow::Live(claims))),
                Place::New => self.new.replace(guard, Some(NewRow::Live(claims))),
                Place::Other => self.other.replace(guard, Some(claims)),
            };
        self.record(number, done);
        done
    }

    fn record(&mut self, number: usize, done: bool) {
        if done {
            self.attempts[number].row = Row::Commit;
            match number {
                SWITCH => self.attempts[number].place = Place::Old,
                PROMOTE => self.attempts[number].place = Place::New,
                _ => {}
            }
        }
    }

    fn change(&mut self, number: usize, from: Row, to: Row) -> bool {
        let row = &mut self.attempts[number].row;
        let is_it = *row == from;
        if is_it {
            *row = to;
        }
        is_it
    }

    /// Rows: the old and the new key, the other entity, the index row.
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.old.tag);
        visit(1, &mut self.new.tag);
        visit(2, &mut self.other.tag);
        visit(3, &mut self.index.tag);
        if let OldRow::Marker(tag) = &mut self.old.value {
            visit(0, tag);
        }
        if let NewRow::Copy(tag, _) = &mut self.new.value {
            visit(0, tag);
        }
        for attempt in &mut self.attempts {
            let row = match attempt.place {
                Place::Old => 0,
                Place::New => 1,
                Place::Other => 2,
            };
            visit(row, &mut attempt.guard);
            visit(3, &mut attempt.seen);
            attempt.client.tags(visit);
        }
        self.mover.tags(visit);
        self.workers.iter_mut().for_each(|worker| worker.tags(visit));
        match &mut self.late {
            Some(Request::Reserve { guard, .. }) => visit(3, guard),
            Some(Request::Pend { guard, copied, .. }) => {
                visit(1, guard);
                visit(0, copied);
            }
            Some(Request::Switch(guard)) => visit(0, guard),
            Some(Request::Promote(guard)) => visit(1, guard),
            Some(Request::Commit(_) | Request::Abort(_) | Request::DropRow(_)) | None => {}
        }
    }

    /// Forgets which older versions processes have read.
    pub(super) fn forget(&mut self) {
        let (old, new, other, index) = (self.old.tag, self.new.tag, self.other.tag, self.index.tag);
        for attempt in &mut self.attempts {
            let row = match attempt.place {
                Place::Old => old,
                Place::New => new,
                Place::Other => other,
            };
            attempt.guard.only_compared_with(row);
            attempt.seen.only_compared_with(index);
        }
        self.workers.iter_mut().for_each(|worker| worker.forget(index));
    }
}
