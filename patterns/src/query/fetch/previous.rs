//! The previous page: the rows before a page, read backward and returned in the order of the query.

use super::Fetch;
use crate::{
    Cursor, Error,
    core::cursor::{CursorError, Place},
};

impl Fetch {
    /// Prepares a run that reads a page: it lists the rows that were left out, and may start at the cursor of a previous page.
    pub(in crate::query) const fn for_page(mut self) -> Self {
        self.foreign = self.foreign.listed();
        self.is_page = true;
        self
    }

    /// Rejects the cursor of a previous page if more than this page is read.
    pub(super) fn check_page(&self) -> Result<(), Error> {
        if self.is_back && !self.is_page { Err(CursorError::PreviousPage.into()) } else { Ok(()) }
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
