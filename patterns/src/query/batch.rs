use std::sync::Arc;

use table_store::{RowRef, Rows, TableName};

/// The rows of one step of a run that are still to be given, each with its table.
#[derive(Debug, Default)]
pub(super) struct Batch {
    parts: Vec<(TableName, Arc<Rows>)>,
    /// Part and place in it, of each row in turn; none for the rows of the only part as they are.
    order: Option<Vec<(usize, usize)>>,
    next: usize,
}

impl Batch {
    /// The rows of one table.
    pub(super) fn new(table: TableName, rows: Rows) -> Self {
        Self { parts: vec![(table, Arc::new(rows))], order: None, next: 0 }
    }

    /// Rows of several parts in this order.
    pub(super) const fn ordered(parts: Vec<(TableName, Arc<Rows>)>, order: Vec<(usize, usize)>) -> Self {
        Self { parts, order: Some(order), next: 0 }
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        let all = match &self.order {
            Some(order) => order.len(),
            None => self.parts.first().map_or(0, |(_, rows)| rows.len()),
        };
        all.saturating_sub(self.next)
    }

    /// Whether none is left.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next one, which stays.
    pub(super) fn peek(&self) -> Option<(&TableName, RowRef<'_>)> {
        let (part, index) = match &self.order {
            Some(order) => *order.get(self.next)?,
            None => (0, self.next),
        };
        let (table, rows) = self.parts.get(part)?;
        Some((table, rows.get(index)?))
    }

    /// Passes over the next one.
    pub(super) const fn advance(&mut self) {
        self.next += 1;
    }

    /// Passes over the first ones, as long as they are such.
    pub(super) fn skip_while(&mut self, is_such: impl Fn(RowRef<'_>) -> bool) {
        while self.peek().is_some_and(|(_, row)| is_such(row)) {
            self.next += 1;
        }
    }
}
