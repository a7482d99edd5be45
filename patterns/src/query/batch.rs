use std::sync::Arc;

use table_model::{ErrorCode, RowRef, Rows, TableError, TableName, rows::TooLarge};

/// Rows fetched by one step of a run that have not been returned yet, each with its table.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    parts: Vec<(TableName, Arc<Rows>)>,
    /// Part index and row index of each row, in return order. `None` if there is a single part, returned in its stored
    /// order.
    order: Option<Vec<(usize, usize)>>,
    next: usize,
}

/// Result of comparing a row with its entity.
#[derive(Debug)]
pub(crate) enum Verdict {
    Keep,
    Drop,
    /// The row is replaced by the first of these rows.
    Instead(TableName, Rows),
}

impl Batch {
    /// Creates a batch of the rows of one table.
    pub(crate) fn new(table: TableName, rows: Rows) -> Self {
        Self { parts: vec![(table, Arc::new(rows))], order: None, next: 0 }
    }

    /// Creates a batch of rows from several parts, in the given order.
    pub(crate) const fn ordered(parts: Vec<(TableName, Arc<Rows>)>, order: Vec<(usize, usize)>) -> Self {
        Self { parts, order: Some(order), next: 0 }
    }

    /// Returns the number of remaining rows.
    pub(crate) fn len(&self) -> usize {
        let all = match &self.order {
            Some(order) => order.len(),
            None => self.parts.first().map_or(0, |(_, rows)| rows.len()),
        };
        all.saturating_sub(self.next)
    }

    /// Returns `true` if no rows remain.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the next row without consuming it.
    pub(crate) fn peek(&self) -> Option<(&TableName, RowRef<'_>)> {
        let (part, index) = self.place(self.next)?;
        let (table, rows) = self.parts.get(part)?;
        Some((table, rows.get(index)?))
    }

    /// Consumes the next row.
    pub(crate) const fn advance(&mut self) {
        self.next += 1;
    }

    /// Iterates over the remaining rows in return order.
    pub(crate) fn left(&self) -> impl Iterator<Item = (&TableName, RowRef<'_>)> {
        (self.next..self.next + self.len()).filter_map(|index| {
            let (table, rows) = self.parts.get(self.place(index)?.0)?;
            Some((table, rows.get(self.place(index)?.1)?))
        })
    }

    /// Returns the part index and the row index of the row at `index`.
    fn place(&self, index: usize) -> Option<(usize, usize)> {
        match &self.order {
            Some(order) => order.get(index).copied(),
            None => Some((0, index)),
        }
    }

    /// Applies a verdict to each remaining row.
    pub(crate) fn judged(mut self, verdicts: Vec<Verdict>) -> Self {
        let mut order = Vec::with_capacity(verdicts.len());
        for (index, verdict) in (self.next..).zip(verdicts) {
            match verdict {
                Verdict::Keep => order.extend(self.place(index)),
                Verdict::Drop => {}
                Verdict::Instead(table, rows) => {
                    order.push((self.parts.len(), 0));
                    self.parts.push((table, Arc::new(rows)));
                }
            }
        }
        Self { parts: self.parts, order: Some(order), next: 0 }
    }

    /// Reverses the order of the remaining rows.
    pub(crate) fn reverse(&mut self) {
        let order = (self.next..self.next + self.len()).rev().filter_map(|index| self.place(index));
        (self.order, self.next) = (Some(order.collect()), 0);
    }

    /// Skips rows from the front while the predicate is true.
    pub(crate) fn skip_while(&mut self, is_such: impl Fn(RowRef<'_>) -> bool) {
        while self.peek().is_some_and(|(_, row)| is_such(row)) {
            self.next += 1;
        }
    }
}

pub(crate) fn too_large(error: TooLarge) -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, format!("{error}; request fewer rows"))
}
