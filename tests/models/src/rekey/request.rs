//! One write of a process.

use crate::cell::Tag;

use super::state::{NewRow, OldRow, State, Value};

/// A conditional write of one row. Without `ETag`, an insert; without content, a delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Request {
    pub(super) guard: Tag,
    pub(super) row: Row,
    /// What the operation of a client changes: the value that it was meant for, and its own.
    pub(super) effect: Option<(Value, Value)>,
}

/// The row, with its new content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Row {
    Old(Option<OldRow>),
    New(Option<NewRow>),
}

impl Request {
    pub(super) fn old(guard: Tag, row: Option<OldRow>) -> Self {
        Self { guard, row: Row::Old(row), effect: None }
    }

    pub(super) fn new(guard: Tag, row: Option<NewRow>) -> Self {
        Self { guard, row: Row::New(row), effect: None }
    }

    pub(super) fn changes(self, base: Value, value: Value) -> Self {
        Self { effect: Some((base, value)), ..self }
    }

    /// Executes the request. Returns whether its condition was met.
    pub(super) fn execute(self, state: &mut State) -> bool {
        let done = match self.row {
            Row::Old(Some(row)) if self.guard == Tag::NONE => state.old.insert(row),
            Row::New(Some(row)) if self.guard == Tag::NONE => state.new.insert(row),
            Row::Old(row) => state.old.replace(self.guard, row),
            Row::New(row) => state.new.replace(self.guard, row),
        };
        if let Some((base, value)) = self.effect.filter(|_| done) {
            state.set_truth(base, value);
        }
        done
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        match &mut self.row {
            Row::Old(row) => {
                visit(0, &mut self.guard);
                if let Some(row) = row {
                    row.tags(visit);
                }
            }
            Row::New(row) => {
                visit(1, &mut self.guard);
                if let Some(row) = row {
                    row.tags(visit);
                }
            }
        }
    }
}
