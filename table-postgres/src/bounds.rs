//! Ranges of the plan as pairs of bytes, and positions in a query.

use table_model::{
    key::push_ordered,
    plan::{Cut, KeyRange},
};

/// Bound of a range: the position immediately before this pair of encoded keys.
pub(crate) type Bound = (Vec<u8>, Vec<u8>);

/// Separator of both keys in a position. Keys contain no control characters.
const ROW: u8 = 0;

/// Encodes a key in the order of the service.
pub(crate) fn ordered(key: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(key.len());
    push_ordered(&mut bytes, key);
    bytes
}

/// Returns the bounds of a range: inclusive, exclusive.
pub(crate) fn of_range(range: &KeyRange) -> (Bound, Bound) {
    (before(&range.lower), before(&range.upper))
}

fn before(cut: &Cut) -> Bound {
    match cut {
        Cut::Start => (Vec::new(), Vec::new()),
        Cut::Before(partition_key, row_key) => (ordered(partition_key), ordered(row_key)),
        Cut::After(partition_key, row_key) => (ordered(partition_key), next(ordered(row_key))),
        Cut::AfterPartition(partition_key) => (next(ordered(partition_key)), Vec::new()),
        // Above every key: no string contains a byte FF.
        Cut::End => (vec![0xff], Vec::new()),
    }
}

/// Returns the first bytes after `bytes`.
fn next(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(0);
    bytes
}

/// Returns the bound immediately before a row, or after it.
pub(crate) fn beside((partition_key, row_key): (&[u8], &[u8]), is_before: bool) -> Bound {
    let row_key = row_key.to_vec();
    (partition_key.to_vec(), if is_before { row_key } else { next(row_key) })
}

/// Encodes a bound as a position of a continuation token.
pub(crate) fn to_position((partition_key, row_key): &Bound) -> Vec<u8> {
    [partition_key.as_slice(), &[ROW], row_key].concat()
}

/// Decodes a position of a continuation token.
pub(crate) fn from_position(position: &[u8]) -> Option<Bound> {
    let at = position.iter().position(|byte| *byte == ROW)?;
    Some((position.get(..at)?.to_vec(), position.get(at + 1..)?.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_sort_as_cuts_do() {
        let text = String::from;
        let ascending = [
            Cut::Start,
            Cut::AfterPartition(text("")),
            Cut::Before(text("a"), text("")),
            Cut::After(text("a"), text("")),
            Cut::Before(text("a"), text("x")),
            Cut::After(text("a"), text("x")),
            Cut::Before(text("a"), text("x0")),
            Cut::AfterPartition(text("a")),
            Cut::Before(text("a\u{10000}"), text("")),
            Cut::Before(text("a\u{e000}"), text("")),
            Cut::Before(text("b"), text("")),
            Cut::End,
        ];
        let bounds: Vec<Bound> = ascending.iter().map(before).collect();
        assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
        for bound in bounds {
            // A partition is never left in its middle, so only its end contains a separator.
            if !bound.0.contains(&ROW) {
                assert_eq!(from_position(&to_position(&bound)), Some(bound));
            }
        }
    }
}
