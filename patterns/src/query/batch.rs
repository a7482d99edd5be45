use table_store::{RowRef, Rows};

/// The rows of one request that are still to be given.
#[derive(Debug, Default)]
pub(super) struct Batch {
    rows: Rows,
    next: usize,
}

impl Batch {
    pub(super) const fn new(rows: Rows) -> Self {
        Self { rows, next: 0 }
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        self.rows.len().saturating_sub(self.next)
    }

    /// Whether none is left.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next one, which stays.
    pub(super) fn peek(&self) -> Option<RowRef<'_>> {
        self.rows.get(self.next)
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Option<RowRef<'_>> {
        let row = self.rows.get(self.next)?;
        self.next += 1;
        Some(row)
    }

    /// Passes over the first ones, as long as they are such.
    pub(super) fn skip_while(&mut self, is_such: impl Fn(RowRef<'_>) -> bool) {
        while self.peek().is_some_and(&is_such) {
            self.next += 1;
        }
    }
}
