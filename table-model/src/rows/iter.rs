use super::{Head, RowRef, Rows};
use crate::Row;

/// Iterator over rows by reference, in order.
#[derive(Clone, Debug)]
pub struct Iter<'r> {
    pub(super) rows: &'r Rows,
    pub(super) heads: std::slice::Iter<'r, Head>,
}

impl<'r> Iterator for Iter<'r> {
    type Item = RowRef<'r>;

    fn next(&mut self) -> Option<RowRef<'r>> {
        self.rows.view(self.heads.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.heads.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'r> IntoIterator for &'r Rows {
    type Item = RowRef<'r>;
    type IntoIter = Iter<'r>;

    fn into_iter(self) -> Iter<'r> {
        self.iter()
    }
}

/// Iterator over rows by value, in order.
#[derive(Clone, Debug)]
pub struct IntoIter {
    rows: Rows,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let row = self.rows.get(self.next)?.to_row();
        self.next += 1;
        Some(row)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl IntoIterator for Rows {
    type Item = Row;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter { rows: self, next: 0 }
    }
}
