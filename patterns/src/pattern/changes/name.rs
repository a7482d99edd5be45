//! Keys of the rows of a change feed.

use std::fmt::Write as _;

use table_model::TableName;

use crate::{Address, Error, core::spec::digest, core::table::table_of, design::Design};

/// Number of digits of a record's number. The keys of records sort by number.
const DIGITS: usize = 20;

/// Suffix of the row with the previous state. It sorts immediately after the record.
const OLD: &str = "o";

/// Maximum number of UTF-16 units of a PartitionKey that is part of the RowKey in the list of partitions.
const MOST_UNITS: usize = 400;

/// The change feed of one entity type.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeedName {
    pub(super) design: &'static Design,
}

impl FeedName {
    pub(super) const fn of(design: &'static Design) -> Self {
        Self { design }
    }

    pub(super) fn table(self) -> Result<TableName, Error> {
        table_of(self.design)
    }

    /// Returns the RowKey of the head.
    pub(super) fn head(self) -> String {
        format!("!h_{}", self.text())
    }

    /// Returns the RowKey of a record.
    pub(super) fn record(self, sequence: u64) -> String {
        format!("!f_{}_{sequence:0DIGITS$}", self.text())
    }

    /// Returns the RowKey of the previous state of a record.
    pub(super) fn old(self, sequence: u64) -> String {
        self.record(sequence) + OLD
    }

    /// Returns an upper bound of the RowKeys of all records.
    pub(super) fn last(self) -> String {
        self.old(u64::MAX)
    }

    /// Returns the number in the RowKey of a record, and whether the row contains the previous state.
    pub(super) fn parse(self, row_key: &str) -> Option<(u64, bool)> {
        let digits = row_key.strip_prefix("!f_")?.strip_prefix(&*self.text())?.strip_prefix('_')?;
        let (digits, is_old) = match digits.strip_suffix(OLD) {
            Some(digits) => (digits, true),
            None => (digits, false),
        };
        Some((digits.parse().ok().filter(|_| digits.len() == DIGITS)?, is_old))
    }

    /// Returns the PartitionKey of the list of partitions that have records.
    pub(super) fn list(self) -> String {
        format!("!f_{}", self.text())
    }

    /// Returns the address of a partition in the list of partitions. A key that is too long for this is shortened.
    pub(super) fn listed(self, table: TableName, partition_key: &str) -> Address {
        let mut row_key = format!("!{partition_key}");
        if partition_key.encode_utf16().count() > MOST_UNITS {
            let start: String = partition_key.chars().take(MOST_UNITS / 2).collect();
            row_key = format!("!{start}_{:016x}", digest([partition_key]));
        }
        Address { table, partition_key: self.list(), row_key }
    }

    /// Returns the name that identifies the feed in positions.
    pub(super) fn digest(self) -> u64 {
        digest(["changes", self.design.table, self.design.stored_name()])
    }

    /// Returns the name of the entity type without characters that a key must not contain, and without `_`, which ends
    /// the name.
    fn text(self) -> String {
        let mut text = String::new();
        for byte in self.design.stored_name().bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-') {
                text.push(byte.into());
            } else {
                // Writing to a string cannot fail.
                let _ = write!(text, "~{byte:02x}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ORDER: Design = Design { name: "Order", table: "Orders", ..Design::EMPTY };
    static ORDER_2: Design = Design { name: "Order_2", table: "Orders", ..Design::EMPTY };
    static STRANGE: Design = Design { name: "X", stored_as: Some("a/b_1"), ..Design::EMPTY };

    #[test]
    fn records_sort_by_number_and_only_those_of_a_feed_are_in_its_range() {
        let (order, other) = (FeedName::of(&ORDER), FeedName::of(&ORDER_2));
        let keys: Vec<String> = [1, 9, 10, u64::MAX]
            .into_iter()
            .flat_map(|number| [order.record(number), order.old(number)])
            .collect();
        assert!(keys.is_sorted() && keys.iter().all(|key| (order.record(0)..=order.last()).contains(key)));
        for key in [other.record(1), other.head(), order.head(), other.record(u64::MAX)] {
            assert!(!(order.record(0)..=order.last()).contains(&key), "{key}");
            assert_eq!(order.parse(&key), None, "{key}");
        }
        assert_eq!(order.parse(&order.record(12)), Some((12, false)));
        assert_eq!(order.parse(&order.old(12)), Some((12, true)));
        assert_eq!(order.parse("!f_Order_12"), None);
    }

    #[test]
    fn names_and_partitions_become_valid_keys() {
        assert_eq!(FeedName::of(&STRANGE).head(), "!h_a~2fb~5f1");
        let listed = |key: &str| FeedName::of(&ORDER).listed(TableName::new("Orders").unwrap(), key).row_key;
        assert_eq!(listed("jo"), "!jo");
        let long = "é".repeat(512);
        assert!(listed(&long).encode_utf16().count() < 512 && listed(&long) != listed(&(long.clone() + "e")));
    }
}
