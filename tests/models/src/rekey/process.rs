//! A client, the mover or the sweeper: what it has read, and its next request.

use crate::cell::{Cell, Tag};

use super::{
    Variant,
    request::Request,
    state::{NewRow, OldRow, Registry, State, Value},
};

/// The operation of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Goal {
    Insert(Value),
    /// Reads the entity and replaces it.
    Update(Value),
    /// Reads the entity and deletes it.
    Delete,
    /// One pass of the job.
    Move,
    /// On the way back: writes the marker of an entity that was inserted without one.
    Mark,
    /// Deletes a placeholder or an abandoned copy.
    Sweep,
}

/// The next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    GetOld,
    GetNew,
    /// After a marker was read.
    GetNewAgain,
    InsertOld,
    Claim,
    PutNew,
    WriteOld,
    WriteNew,
    Promote,
    /// The move: `ETag` of the new key, a placeholder, the old row, its copy, the marker.
    MoveNew,
    InsertStub,
    MoveOld,
    Pend,
    Switch,
    Drop,
}

/// What an operation returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It took effect, was rejected, or has nothing to report.
    Over,
    NotFound,
    Exists,
}

/// A process within an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Process {
    pub(super) knows: Registry,
    pub(super) goal: Goal,
    next: Next,
    /// The last read of each row, as far as the next requests depend on it.
    old: Cell<OldRow>,
    new: Cell<NewRow>,
    /// Values since the operation began, one bit each. Only for clients.
    seen: u8,
}

impl Process {
    pub(super) fn start(variant: Variant, goal: Goal, state: &State) -> Self {
        let knows = state.registry;
        let seen = if Self::is_job(goal) { 0 } else { 1 << state.truth };
        let next = Next::GetOld;
        Self { knows, goal, next, old: Cell::default(), new: Cell::default(), seen }.again(variant)
    }

    fn is_job(goal: Goal) -> bool {
        matches!(goal, Goal::Move | Goal::Mark | Goal::Sweep)
    }

    /// Starts the operation again.
    fn again(self, variant: Variant) -> Self {
        let next = match (self.goal, self.knows) {
            (Goal::Insert(_), Registry::Off | Registry::Follow) => Next::InsertOld,
            (Goal::Insert(_), Registry::Both) if variant != Variant::NoClaim => Next::Claim,
            (Goal::Insert(_), _) => Next::PutNew,
            (Goal::Mark, _) => Next::Claim,
            (Goal::Move, _) | (_, Registry::Off | Registry::Follow) => Next::GetOld,
            (Goal::Update(_) | Goal::Delete | Goal::Sweep, Registry::Both | Registry::New) => Next::GetNew,
        };
        Self { next, old: Cell::default(), new: Cell::default(), ..self }
    }

    /// Returns the description of the next request.
    pub(super) fn what(&self) -> &'static str {
        match self.next {
            Next::GetOld => "reads the old key",
            Next::GetNew => "reads the new key",
            Next::GetNewAgain => "reads the new key after a marker",
            Next::InsertOld => "inserts at the old key",
            Next::Claim => "claims the old key",
            Next::PutNew => "inserts at the new key",
            Next::WriteOld => "writes the old key",
            Next::WriteNew => "writes the new key",
            Next::Promote => "promotes the copy",
            Next::MoveNew => "reads the new key to move",
            Next::InsertStub => "inserts a placeholder",
            Next::MoveOld => "reads the old key to move",
            Next::Pend => "writes the copy",
            Next::Switch => "writes the marker",
            Next::Drop => "deletes a leftover",
        }
    }

    /// Records that the value changed during the operation.
    pub(super) fn observe(&mut self, value: Value) {
        if !Self::is_job(self.goal) {
            self.seen |= 1 << value;
        }
    }

    /// Executes the next request. Returns `None` after the end of the operation.
    pub(super) fn step(self, variant: Variant, state: &mut State) -> Option<Self> {
        let result = match self.request(variant) {
            Some(request) => {
                let done = request.execute(state);
                self.answered(variant, done, state)
            }
            None => self.read(variant, state),
        };
        match result {
            Ok(next) => Some(next),
            Err(end) => {
                // What an operation returned was true at some instant of it.
                state.broken |= match (self.goal, end) {
                    (goal, _) if Self::is_job(goal) => false,
                    (_, End::Over) => false,
                    (_, End::NotFound) => self.seen & 1 == 0,
                    (_, End::Exists) => self.seen & !1 == 0,
                };
                state.done |= self.goal == Goal::Move && end == End::NotFound;
                state.unmarked &= self.goal != Goal::Mark;
                None
            }
        }
    }

    fn read(self, variant: Variant, state: &State) -> Result<Self, End> {
        match self.next {
            Next::GetOld => self.read_old(state),
            Next::MoveOld => match state.old.value {
                OldRow::Live(_) => {
                    let next = if variant == Variant::MarkerFirst { Next::Switch } else { Next::Pend };
                    Ok(Self { next, old: state.old, ..self })
                }
                OldRow::None | OldRow::Marker(_) => Ok(self.again(variant)),
            },
            Next::MoveNew => {
                let next = match state.new.value {
                    NewRow::Live(_) => return Ok(self.again(variant)),
                    NewRow::None if variant != Variant::NoStub => Next::InsertStub,
                    NewRow::None | NewRow::Stub | NewRow::Pending(..) => Next::MoveOld,
                };
                Ok(Self { next, old: Cell::default(), new: only_tag(state.new), ..self })
            }
            _ => self.read_new(variant, state),
        }
        .and_then(|next| if variant == Variant::OneLook { next.after_one_look() } else { Ok(next) })
    }

    fn read_old(self, state: &State) -> Result<Self, End> {
        let old = state.old;
        if self.goal == Goal::Sweep {
            let NewRow::Pending(replaced, _) = self.new.value else { return Err(End::Over) };
            let may_be_moved = match old.value {
                OldRow::Live(_) => old.tag == replaced,
                OldRow::Marker(marker) => marker == replaced,
                OldRow::None => false,
            };
            return if may_be_moved { Err(End::Over) } else { Ok(Self { next: Next::Drop, ..self }) };
        }
        let next = match (old.value, self.goal, self.knows) {
            // Inserted again: the row was deleted since.
            (OldRow::None, Goal::Insert(_), Registry::Both) => Next::Claim,
            (OldRow::None, Goal::Insert(_), _) => Next::InsertOld,
            (OldRow::None, ..) => return Err(End::NotFound),
            (OldRow::Live(_), Goal::Insert(_), _) => return Err(End::Exists),
            (OldRow::Live(_), Goal::Move, _) | (OldRow::Live(_), _, Registry::Both) => Next::MoveNew,
            (OldRow::Live(_), ..) => Next::WriteOld,
            (OldRow::Marker(_), _, Registry::Off) => return Err(End::Over),
            (OldRow::Marker(_), ..) => Next::GetNewAgain,
        };
        let old = if matches!(next, Next::WriteOld | Next::GetNewAgain) { old } else { Cell::default() };
        Ok(Self { next, old, new: Cell::default(), ..self })
    }

    fn read_new(self, variant: Variant, state: &State) -> Result<Self, End> {
        let new = state.new;
        let next = match (new.value, self.goal) {
            (NewRow::Live(_), Goal::Insert(_)) => return Err(End::Exists),
            (NewRow::Live(_), Goal::Update(_) | Goal::Delete) => Next::WriteNew,
            (NewRow::Stub, Goal::Sweep) => Next::Drop,
            (NewRow::Pending(..), Goal::Sweep) if variant == Variant::SweepAny => Next::Drop,
            (NewRow::Pending(..), Goal::Sweep) => Next::GetOld,
            (_, Goal::Sweep) => return Err(End::Over),
            (NewRow::Pending(replaced, _), _) if self.must_promote(variant, replaced) => Next::Promote,
            (_, Goal::Insert(_)) => Next::PutNew,
            _ if self.next == Next::GetNew && self.knows == Registry::Both => Next::GetOld,
            _ => return Err(End::NotFound),
        };
        let old = if next == Next::PutNew { self.old } else { Cell::default() };
        let new = match next {
            Next::GetOld if self.goal != Goal::Sweep => Cell::default(),
            Next::PutNew | Next::Drop => only_tag(new),
            _ => new,
        };
        Ok(Self { next, old, new, ..self })
    }

    /// Returns whether the copy is the entity, according to the marker that was read before.
    fn must_promote(self, variant: Variant, replaced: Tag) -> bool {
        let OldRow::Marker(marker) = self.old.value else { return false };
        variant != Variant::NoPromote && (marker == replaced || variant == Variant::PendAny)
    }

    /// Concludes from a marker alone that the entity does not exist.
    fn after_one_look(self) -> Result<Self, End> {
        let is_look = self.next == Next::GetNewAgain && self.knows == Registry::Both;
        let is_update = matches!(self.goal, Goal::Update(_) | Goal::Delete);
        if is_look && is_update { Err(End::NotFound) } else { Ok(self) }
    }

    /// Returns the next request, if it is a write.
    pub(super) fn request(&self, variant: Variant) -> Option<Request> {
        let value = match self.goal {
            Goal::Insert(value) | Goal::Update(value) => value,
            Goal::Delete | Goal::Move | Goal::Mark | Goal::Sweep => 0,
        };
        let (old, new) = (self.old.tag, self.new.tag);
        let content = |is_deleted| if is_deleted { 0 } else { value };
        let is_deleted = self.goal == Goal::Delete;
        Some(match self.next {
            Next::InsertOld => Request::old(Tag::NONE, Some(OldRow::Live(value))).changes(0, value),
            Next::Claim => Request::old(Tag::NONE, Some(OldRow::Marker(Tag::NONE))),
            Next::PutNew => Request::new(new, Some(NewRow::Live(value))).changes(0, value),
            Next::WriteOld => {
                let OldRow::Live(base) = self.old.value else { return None };
                let row = Some(OldRow::Live(value)).filter(|_| !is_deleted);
                Request::old(old, row).changes(base, content(is_deleted))
            }
            Next::WriteNew => {
                let NewRow::Live(base) = self.new.value else { return None };
                let row = Some(NewRow::Live(value)).filter(|_| !is_deleted);
                Request::new(new, row).changes(base, content(is_deleted))
            }
            Next::Promote => {
                let NewRow::Pending(_, value) = self.new.value else { return None };
                Request::new(new, Some(NewRow::Live(value)))
            }
            Next::InsertStub => Request::new(Tag::NONE, Some(NewRow::Stub)),
            Next::Pend => {
                let OldRow::Live(value) = self.old.value else { return None };
                Request::new(new, Some(NewRow::Pending(old, value)))
            }
            Next::Switch => {
                let marker = Some(OldRow::Marker(old)).filter(|_| variant != Variant::NoMarker);
                Request::old(old, marker)
            }
            Next::Drop => Request::new(new, None),
            Next::GetOld | Next::GetNew | Next::GetNewAgain | Next::MoveNew | Next::MoveOld => return None,
        })
    }

    fn answered(self, variant: Variant, done: bool, state: &State) -> Result<Self, End> {
        let is_last = |next| variant == Variant::MarkerFirst && next == Next::Pend;
        match self.next {
            Next::InsertOld | Next::PutNew | Next::WriteOld | Next::WriteNew if done => Err(End::Over),
            Next::Drop => Err(End::Over),
            Next::Claim if self.goal == Goal::Mark => Err(End::Over),
            Next::InsertOld | Next::Claim if !done => Ok(Self { next: Next::GetOld, ..self }),
            Next::Claim => Ok(Self { next: Next::PutNew, old: Cell::default(), ..self }),
            Next::PutNew => Ok(Self { next: Next::GetNewAgain, new: Cell::default(), ..self }),
            Next::InsertStub if !done => Ok(Self { next: Next::MoveNew, ..self }),
            Next::InsertStub => Ok(Self { next: Next::MoveOld, new: only_tag(state.new), ..self }),
            Next::Pend if done && !is_last(self.next) => {
                Ok(Self { next: Next::Switch, new: state.new, ..self })
            }
            Next::Pend if done => {
                Ok(Self { next: Next::Promote, old: Cell::default(), new: state.new, ..self })
            }
            Next::Switch if done && variant == Variant::MarkerFirst => Ok(Self { next: Next::Pend, ..self }),
            Next::Switch if done => Ok(Self { next: Next::Promote, old: Cell::default(), ..self }),
            _ => Ok(self.again(variant)),
        }
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.old.tag);
        visit(1, &mut self.new.tag);
        self.old.value.tags(visit);
        self.new.value.tags(visit);
    }

    /// Forgets which older version of the new row it has read.
    pub(super) fn forget(&mut self, new: Tag) {
        self.new.tag.only_compared_with(new);
    }
}

fn only_tag(cell: Cell<NewRow>) -> Cell<NewRow> {
    Cell { value: NewRow::None, ..cell }
}
