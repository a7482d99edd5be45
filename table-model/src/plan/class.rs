use std::fmt;

use super::stretch::{Extent, Stretch};

/// Cost class of a query by its shape, best first: the four classes of `G-QRY-1` and their variants for several
/// partitions.
///
/// The class describes the amount of data that is read, not the number of ranges. A range with a few excluded keys is
/// still a scan: `RowKey ne 'x'` in one partition is a partition scan, and `PartitionKey ne 'a'` is a table scan. A
/// query with parts of different classes has the worst of them, in the variant for several partitions.
///
/// ```
/// use table_model::{Filter, Plan, QueryClass};
///
/// let class = |text: &str| Filter::parse(text).map(|filter| Plan::of(Some(&filter)).class);
/// assert_eq!(class("PartitionKey eq 'a' and RowKey eq '1'")?, QueryClass::Point);
/// assert_eq!(class("RowKey eq '1'")?, QueryClass::TableScan);
/// assert!(QueryClass::Point < QueryClass::TableScan);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueryClass {
    /// One entity by both keys. Also a query that no entity can match, which reads nothing.
    Point,
    /// Several entities by both keys.
    MultiPoint,
    /// One range of RowKey values in one partition.
    RowRange,
    /// Several ranges of RowKey values, in one partition or more.
    FanOut,
    /// One whole partition, possibly without single keys.
    PartitionScan,
    /// Several whole partitions.
    FanOutScan,
    /// Range of PartitionKey values. The design guide classifies it as a table scan.
    KeyRange,
    /// The whole table, possibly without single partitions or parts of them.
    TableScan,
}

impl QueryClass {
    /// All classes, best first.
    pub const ALL: [Self; 8] = [
        Self::Point,
        Self::MultiPoint,
        Self::RowRange,
        Self::FanOut,
        Self::PartitionScan,
        Self::FanOutScan,
        Self::KeyRange,
        Self::TableScan,
    ];

    /// Returns the display name used in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::MultiPoint => "multi-point",
            Self::RowRange => "row-range",
            Self::FanOut => "fan-out",
            Self::PartitionScan => "partition-scan",
            Self::FanOutScan => "fan-out-scan",
            Self::KeyRange => "key-range",
            Self::TableScan => "table-scan",
        }
    }

    /// Returns the class of a query that reads the given stretches.
    pub(super) fn of(stretches: &[Stretch]) -> Self {
        if stretches.iter().any(|stretch| stretch.extent() == Extent::Across) {
            let gaps = Stretch::table().without(stretches);
            let bounded = gaps.iter().any(|gap| gap.extent() == Extent::Across);
            return if bounded { Self::KeyRange } else { Self::TableScan };
        }
        let (mut keys, mut ranges, mut partitions) = (0, 0, 0);
        for in_partition in stretches.chunk_by(|a, b| a.partition() == b.partition()) {
            if leaves_only_keys(in_partition) {
                partitions += 1;
                continue;
            }
            for stretch in in_partition {
                match stretch.extent() {
                    Extent::Keys(count) => keys += count,
                    Extent::WholePartitions(count) => partitions += count,
                    Extent::Rows | Extent::Across => ranges += 1,
                }
            }
        }
        match (partitions, ranges, keys) {
            (0, 0, 0 | 1) => Self::Point,
            (0, 0, _) => Self::MultiPoint,
            (0, 1, 0) => Self::RowRange,
            (0, _, _) => Self::FanOut,
            (1, 0, 0) => Self::PartitionScan,
            _ => Self::FanOutScan,
        }
    }
}

/// Returns whether the stretches, all in one partition, cover it except for single keys.
fn leaves_only_keys(stretches: &[Stretch]) -> bool {
    let Some(first) = stretches.first() else { return false };
    if matches!(first.extent(), Extent::WholePartitions(_)) {
        return false;
    }
    let gaps = first.its_partition().without(stretches);
    gaps.iter().all(|gap| matches!(gap.extent(), Extent::Keys(_)))
}

impl fmt::Display for QueryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
