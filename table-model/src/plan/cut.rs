use std::cmp::Ordering;

use crate::key::compare;

/// Position between two keys of a table, in the order (PartitionKey, RowKey).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Before every key.
    Start,
    /// Immediately before this key. With an empty RowKey: before the whole partition.
    Before(String, String),
    /// Immediately after this key.
    After(String, String),
    /// After the last key of this partition.
    AfterPartition(String),
    /// After every key.
    End,
}

impl Ord for Cut {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp_to(&other.place())
    }
}

impl PartialOrd for Cut {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Decomposed cut for comparison field by field.
struct Place<'a> {
    edge: i8,
    partition: &'a str,
    after_partition: bool,
    row: &'a str,
    after_row: bool,
}

impl Cut {
    fn place(&self) -> Place<'_> {
        let inside = |partition, after_partition, row, after_row| Place {
            edge: 0,
            partition,
            after_partition,
            row,
            after_row,
        };
        match self {
            Self::Start => Place { edge: -1, ..inside("", false, "", false) },
            Self::End => Place { edge: 1, ..inside("", false, "", false) },
            Self::Before(partition, row) => inside(partition, false, row, false),
            Self::After(partition, row) => inside(partition, false, row, true),
            Self::AfterPartition(partition) => inside(partition, true, "", false),
        }
    }
}

impl Place<'_> {
    fn cmp_to(&self, other: &Self) -> Ordering {
        self.edge
            .cmp(&other.edge)
            .then_with(|| compare(self.partition, other.partition))
            .then_with(|| self.after_partition.cmp(&other.after_partition))
            .then_with(|| compare(self.row, other.row))
            .then_with(|| self.after_row.cmp(&other.after_row))
    }
}

/// Range of keys between two cuts.
///
/// ```
/// use table_model::{Filter, Plan};
///
/// let filter = Filter::eq("PartitionKey", "a").and(Filter::eq("RowKey", "1"));
/// let plan = Plan::of(Some(&filter));
/// assert_eq!(plan.ranges[0].point(), Some(("a", "1")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Lower bound.
    pub lower: Cut,
    /// Upper bound, always above `lower`.
    pub upper: Cut,
}

impl KeyRange {
    /// Returns the key if the range contains exactly one key.
    pub fn point(&self) -> Option<(&str, &str)> {
        match (&self.lower, &self.upper) {
            (Cut::Before(p1, r1), Cut::After(p2, r2)) if p1 == p2 && r1 == r2 => Some((p1, r1)),
            _ => None,
        }
    }

    /// Returns the partition key if the range is in one partition.
    pub fn partition(&self) -> Option<&str> {
        match (&self.lower, &self.upper) {
            (
                Cut::Before(lower, _) | Cut::After(lower, _),
                Cut::Before(upper, _) | Cut::After(upper, _) | Cut::AfterPartition(upper),
            ) if lower == upper => Some(lower),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_in_key_order() {
        let text = String::from;
        let ascending = [
            Cut::Start,
            Cut::Before(text(""), text("")),
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
        assert!(ascending.is_sorted_by(|a, b| a < b));
    }
}
