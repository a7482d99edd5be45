//! Scans of rows in memory over rows of the file.

use std::{cmp::Ordering, ops::ControlFlow};

use table_model::StorageFault;

use super::changes::Change;
use crate::{checksum, engine::Visit};

/// Rows in key order.
pub(super) trait Source {
    /// `true` if the order is descending.
    const IS_DESCENDING: bool = false;

    /// Compares two keys by the order of the rows.
    fn order(one: &[u8], other: &[u8]) -> Ordering {
        if Self::IS_DESCENDING { other.cmp(one) } else { one.cmp(other) }
    }

    /// Returns the key of the current row; `None` at the end.
    fn key(&self) -> Option<&[u8]>;
    /// Returns the value of the current row, or `None` if it is a removal.
    fn value(&self) -> Change<'_>;
    /// Moves to the next row.
    fn advance(&mut self);
}

/// Two sources; rows of the first hide rows of the second with the same key.
pub(super) struct Over<A, B> {
    first: A,
    second: B,
    /// Order of the current keys. Keys are read for each row of the file, and compared once.
    order: Ordering,
}

impl<A: Source, B: Source> Over<A, B> {
    pub(super) fn new(first: A, second: B) -> Self {
        let mut over = Self { first, second, order: Ordering::Equal };
        over.compare();
        over
    }

    fn compare(&mut self) {
        self.order = match (self.first.key(), self.second.key()) {
            (Some(first), Some(second)) => A::order(first, second),
            (_, None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
    }
}

impl<A: Source, B: Source> Source for Over<A, B> {
    const IS_DESCENDING: bool = A::IS_DESCENDING;

    fn key(&self) -> Option<&[u8]> {
        if self.order.is_gt() { self.second.key() } else { self.first.key() }
    }

    fn value(&self) -> Change<'_> {
        if self.order.is_gt() { self.second.value() } else { self.first.value() }
    }

    fn advance(&mut self) {
        if self.order.is_ge() {
            self.second.advance();
        }
        if self.order.is_le() {
            self.first.advance();
        }
        self.compare();
    }
}

impl<S: Source> Source for Option<S> {
    const IS_DESCENDING: bool = S::IS_DESCENDING;

    fn key(&self) -> Option<&[u8]> {
        self.as_ref()?.key()
    }

    fn value(&self) -> Change<'_> {
        self.as_ref()?.value()
    }

    fn advance(&mut self) {
        if let Some(source) = self {
            source.advance();
        }
    }
}

/// An iterator of rows as a source.
pub(super) struct Rows<'r, I> {
    next: Option<(&'r [u8], Change<'r>)>,
    rest: I,
}

impl<'r, I: Iterator<Item = (&'r [u8], Change<'r>)>> Rows<'r, I> {
    pub(super) fn new(mut rest: I) -> Self {
        Self { next: rest.next(), rest }
    }
}

impl<'r, I: Iterator<Item = (&'r [u8], Change<'r>)>> Source for Rows<'r, I> {
    fn key(&self) -> Option<&[u8]> {
        self.next.map(|(key, _)| key)
    }

    fn value(&self) -> Change<'_> {
        self.next.and_then(|(_, change)| change)
    }

    fn advance(&mut self) {
        self.next = self.rest.next();
    }
}

/// Passes the rows of both to `visit` in the order of `over`. Rows of `over` hide rows of `base`, which scans the same range in
/// the same order.
///
/// With `whole`, verifies the rows of the base that `visit` does not see: a hidden row, and the row after a row of
/// `over` at which `visit` breaks. Such a row may be another row of the range with a damaged key.
pub(super) fn scan<S: Source>(
    mut over: S,
    whole: bool,
    base: impl FnOnce(Visit<'_>) -> Result<(), StorageFault>,
    visit: Visit<'_>,
) -> Result<(), StorageFault> {
    if over.key().is_none() {
        return base(visit);
    }
    let (mut ended, mut damage) = (false, None);
    let mut verify = |key: &[u8], value: &[u8]| {
        damage = if whole { checksum::unseal(key, value).err() } else { None };
        if damage.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    base(&mut |key, value| {
        let mut order = over.key().map(|next| S::order(next, key));
        let mut flow = ControlFlow::Continue(());
        if order == Some(Ordering::Less) {
            flow = pass(&mut over, Some(key), visit);
            order = over.key().map(|next| S::order(next, key));
        }
        if flow.is_break() {
            let _ = verify(key, value);
        } else if order == Some(Ordering::Equal) {
            flow = verify(key, value);
            if let (ControlFlow::Continue(()), Some(newer)) = (flow, over.value()) {
                flow = visit(key, newer);
            }
            over.advance();
        } else {
            flow = visit(key, value);
        }
        ended = flow.is_break();
        flow
    })?;
    if let Some(fault) = damage {
        return Err(fault);
    }
    if !ended {
        let _ = pass(&mut over, None, visit);
    }
    Ok(())
}

/// Passes the rows before a key, or all rows, to `visit`.
fn pass<S: Source>(over: &mut S, before: Option<&[u8]>, visit: Visit<'_>) -> ControlFlow<()> {
    while let Some(key) = over.key().filter(|key| before.is_none_or(|before| S::order(key, before).is_lt())) {
        if let Some(value) = over.value() {
            visit(key, value)?;
        }
        over.advance();
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (&'static [u8], Change<'static>);

    fn sealed(key: &[u8], value: &[u8]) -> Vec<u8> {
        let mut value = value.to_vec();
        checksum::seal(key, &mut value);
        value
    }

    /// Scans a base with `keys`, of which `damaged` has a wrong checksum, and returns the keys up to `last`.
    fn scanned(
        over: &[Row],
        keys: &[&[u8]],
        damaged: &[u8],
        last: &[u8],
    ) -> Result<Vec<Vec<u8>>, StorageFault> {
        let mut seen = Vec::new();
        let base = |visit: Visit<'_>| {
            for key in keys {
                let value = sealed(if *key == damaged { b"other" } else { key }, b"base");
                if visit(key, &value).is_break() {
                    break;
                }
            }
            Ok(())
        };
        scan(Rows::new(over.iter().copied()), true, base, &mut |key, _| {
            seen.push(key.to_vec());
            if key == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(seen)
    }

    #[test]
    fn rows_in_memory_hide_rows_of_the_file_and_removals_hide_them_completely() {
        let newer: [Row; 4] = [(b"a", Some(b"1")), (b"c", None), (b"e", Some(b"1")), (b"x", None)];
        let older: [Row; 3] = [(b"b", None), (b"c", Some(b"2")), (b"f", Some(b"2"))];
        let mut over = Over::new(Rows::new(newer.into_iter()), Rows::new(older.into_iter()));
        let mut merged = Vec::new();
        while let Some(key) = over.key() {
            merged.push((key.to_vec(), over.value().is_some()));
            over.advance();
        }
        let expected = [("a", true), ("b", false), ("c", false), ("e", true), ("f", true), ("x", false)];
        assert_eq!(merged, expected.map(|(key, value)| (key.as_bytes().to_vec(), value)));

        let over = merged.iter().map(|(key, value)| (&**key, value.then_some(&b"1"[..])));
        let mut seen = Vec::new();
        let base = |visit: Visit<'_>| {
            for key in [b"b", b"c", b"d", b"e"] {
                let _ = visit(key, b"base");
            }
            Ok(())
        };
        scan(Rows::new(over), false, base, &mut |key, value| {
            seen.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        })
        .unwrap();
        let expected = [("a", "1"), ("d", "base"), ("e", "1"), ("f", "1")];
        assert_eq!(seen, expected.map(|(key, value)| (key.as_bytes().to_vec(), value.as_bytes().to_vec())));
    }

    #[test]
    fn hidden_and_following_rows_of_the_file_are_verified() {
        let over: [Row; 2] = [(b"b", Some(b"1")), (b"d", None)];
        let keys: [&[u8]; 3] = [b"a", b"d", b"e"];
        assert_eq!(scanned(&over, &keys, b"", b"").unwrap(), [b"a", b"b", b"e"]);
        assert_eq!(scanned(&over, &keys, b"", b"b").unwrap(), [b"a", b"b"]);
        assert!(scanned(&over, &keys, b"d", b"").is_err(), "a hidden row");
        assert!(scanned(&over, &keys, b"d", b"b").is_err(), "the row after the end");
        assert_eq!(scanned(&over, &keys, b"e", b"b").unwrap(), [b"a", b"b"], "a row that is not read");
    }
}
