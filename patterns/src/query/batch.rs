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

/// What is to become of a row.
#[derive(Debug)]
pub(super) enum Verdict {
    Keep,
    Drop,
    /// The first of these comes in its place.
    Instead(TableName, Rows),
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
        let (part, index) = self.place(self.next)?;
        let (table, rows) = self.parts.get(part)?;
        Some((table, rows.get(index)?))
    }

    /// Passes over the next one.
    pub(super) const fn advance(&mut self) {
        self.next += 1;
    }

    /// Those that are left, in turn.
    pub(super) fn left(&self) -> impl Iterator<Item = (&TableName, RowRef<'_>)> {
        (self.next..self.next + self.len()).filter_map(|index| {
            let (table, rows) = self.parts.get(self.place(index)?.0)?;
            Some((table, rows.get(self.place(index)?.1)?))
        })
    }

    /// Where a row of the order is: its part, and its place in that.
    fn place(&self, index: usize) -> Option<(usize, usize)> {
        match &self.order {
            Some(order) => order.get(index).copied(),
            None => Some((0, index)),
        }
    }

    /// The same after a verdict on each that is left.
    pub(super) fn judged(mut self, verdicts: Vec<Verdict>) -> Self {
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

    /// Passes over the first ones, as long as they are such.
    pub(super) fn skip_while(&mut self, is_such: impl Fn(RowRef<'_>) -> bool) {
        while self.peek().is_some_and(|(_, row)| is_such(row)) {
            self.next += 1;
        }
    }
}
