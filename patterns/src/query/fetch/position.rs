//! The position of a run. It moves forward, or backward for the previous page: the rows before a page, read backward and
//! returned in the order of the query.

use std::sync::Arc;

use table_model::Continuation;

use crate::{
    Cursor, Error,
    core::{
        cursor::{CursorError, Place},
        spec::Spec,
    },
};

#[derive(Debug)]
pub(super) struct Position {
    /// Start of the next request. `None` at the end.
    pub(super) next: Option<Place>,
    /// Start of the last request.
    pub(super) token: Option<Continuation>,
    /// Start of the page, if it started at a token.
    pub(super) previous: Option<Continuation>,
    /// Key of the row at which the run resumes. It is kept until this row or a later row is read, which can take
    /// several segments if the page size differs.
    pub(super) goal: Option<(String, String)>,
    /// Number of items that were returned, also by earlier runs.
    pub(super) given: u64,
    direction: Direction,
    /// `true` until the first response to a token of the cursor at which the run resumes.
    pub(super) is_resumed: bool,
}

/// Direction of a run.
#[derive(Clone, Copy, Debug)]
enum Direction {
    /// In the order of the query.
    Forward {
        /// Each request returns one row only.
        is_single: bool,
    },
    /// Against it, for the previous page.
    Back {
        /// The run reads one page only.
        is_page: bool,
    },
}

/// Start of a request, or a row of it. The cursor, which contains the digest of the query, is computed on demand.
#[derive(Debug)]
pub(in crate::query) struct Start {
    pub(super) spec: Arc<Spec>,
    pub(super) given: u64,
    pub(super) place: Place,
}

impl Start {
    pub(in crate::query) fn cursor(&self) -> Option<Cursor> {
        let Self { spec, given, place } = self;
        Some(Cursor { query: spec.digest().ok()?, given: *given, place: place.clone() })
    }
}

impl Position {
    pub(super) fn of(spec: &Spec, cursor: Option<Cursor>) -> Self {
        let (given, place) = cursor.map_or((0, Place::Start), |cursor| (cursor.given, cursor.place));
        let is_resumed =
            matches!(&place, Place::Token(_) | Place::Back(_) | Place::At { token: Some(_), .. });
        let direction = match &place {
            Place::Back(_) => Direction::Back { is_page: false },
            _ => Direction::Forward { is_single: false },
        };
        let is_spent = spec.paging.take.is_some_and(|take| given >= take);
        let next = if spec.is_nowhere() || is_spent { None } else { Some(place) };
        Self { next, token: None, previous: None, goal: None, given, direction, is_resumed }
    }

    /// Counts a returned item. Returns `true` if it was the last item that `take` allows.
    pub(super) fn give(&mut self, take: Option<u64>) -> bool {
        if self.is_back() {
            self.given = self.given.saturating_sub(1);
            return false;
        }
        self.given += 1;
        let is_spent = take.is_some_and(|take| self.given >= take);
        if is_spent {
            self.next = None;
        }
        is_spent
    }

    /// Enters the segment of a place. Returns its token.
    pub(super) fn enter(&mut self, place: Place) -> Option<Continuation> {
        let token = match place {
            Place::Token(token) | Place::Back(token) => Some(token),
            Place::At { token, partition_key, row_key } => {
                self.goal = Some((partition_key, row_key));
                token
            }
            Place::Start | Place::Point(_) | Place::Row(_) => None,
        };
        self.token.clone_from(&token);
        token
    }

    /// Leaves a segment with these tokens after it and before it.
    pub(super) fn leave(&mut self, continuation: Option<Continuation>, previous: Option<Continuation>) {
        let (next, previous) =
            if self.is_back() { (previous, continuation) } else { (continuation, previous) };
        self.previous = previous;
        self.next = next.map(|token| match self.goal.take() {
            None => Place::Token(token),
            Some((partition_key, row_key)) => Place::At { token: Some(token), partition_key, row_key },
        });
    }

    pub(super) const fn is_back(&self) -> bool {
        matches!(self.direction, Direction::Back { .. })
    }

    pub(super) const fn is_single(&self) -> bool {
        matches!(self.direction, Direction::Forward { is_single: true })
    }

    pub(super) const fn set_single(&mut self, is_single: bool) {
        if !self.is_back() {
            self.direction = Direction::Forward { is_single };
        }
    }

    /// Allows the cursor of a previous page.
    pub(super) const fn allow_previous(&mut self) {
        if self.is_back() {
            self.direction = Direction::Back { is_page: true };
        }
    }

    /// Rejects the cursor of a previous page if more than this page is read.
    pub(super) fn check_page(&self) -> Result<(), Error> {
        match self.direction {
            Direction::Back { is_page: false } => Err(CursorError::PreviousPage.into()),
            Direction::Back { is_page: true } | Direction::Forward { .. } => Ok(()),
        }
    }
}
