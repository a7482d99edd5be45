//! The previous page: the rows before a page, read backward and returned in the order of the query.

use super::Fetch;
use crate::{
    Cursor, Error,
    core::cursor::{CursorError, Place},
};

/// Direction of a run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    /// In the order of the query.
    Forward,
    /// Against it, for the previous page.
    Back {
        /// The run reads one page only.
        is_page: bool,
    },
}

impl Direction {
    pub(super) const fn of(place: &Place) -> Self {
        if matches!(place, Place::Back(_)) { Self::Back { is_page: false } } else { Self::Forward }
    }

    pub(super) const fn is_back(self) -> bool {
        matches!(self, Self::Back { .. })
    }
}

impl Fetch {
    /// Prepares a run that reads a page: it lists the rows that were left out, and may start at the cursor of a previous page.
    pub(in crate::query) const fn for_page(mut self) -> Self {
        self.foreign = self.foreign.listed();
        if self.direction.is_back() {
            self.direction = Direction::Back { is_page: true };
        }
        self
    }

    /// Rejects the cursor of a previous page if more than this page is read.
    pub(super) fn check_page(&self) -> Result<(), Error> {
        match self.direction {
            Direction::Back { is_page: false } => Err(CursorError::PreviousPage.into()),
            Direction::Back { is_page: true } | Direction::Forward => Ok(()),
        }
    }

    /// Returns the cursors to the next page and to the previous page. `start` is the number of items that were returned when
    /// the run started.
    pub(in crate::query) fn cursors(&self, start: u64) -> (Option<Cursor>, Option<Cursor>) {
        let (before, after) = (start.min(self.given), start.max(self.given));
        let at = |place, given| Some(Cursor { given, ..self.cursor_at(place)? });
        let next = self.next.clone().and_then(|place| at(place, after));
        let previous = self.previous.clone().and_then(|token| at(Place::Back(token), before));
        (next, previous)
    }
}
