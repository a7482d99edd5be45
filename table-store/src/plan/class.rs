use std::fmt;

/// What a query costs by its shape, best first: `G-QRY-1`'s four classes and their many-partition forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueryClass {
    /// One entity by both keys.
    Point,
    /// Several entities by both keys.
    MultiPoint,
    /// One range of RowKeys in one partition.
    RowRange,
    /// Several ranges of RowKeys, in one partition or more.
    FanOut,
    /// All of one partition.
    PartitionScan,
    /// All of several partitions.
    FanOutScan,
    /// A range of PartitionKeys: for the guide, a table scan.
    KeyRange,
    /// The whole table.
    TableScan,
}

impl QueryClass {
    /// The class in words, as reports print it.
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
}

impl fmt::Display for QueryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
