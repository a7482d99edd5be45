use std::fmt;

/// A query class, best first. These are the four classes of the design guide, each with a variant that requires several
/// requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// One entity by its complete key.
    Point,
    /// Several entities, each by its complete key.
    MultiPoint,
    /// Adjacent rows in one partition.
    RowRange,
    /// Adjacent rows in several partitions or tables.
    FanOut,
    /// All rows of one partition.
    PartitionScan,
    /// All rows of several partitions.
    FanOutScan,
    /// A range of adjacent partitions.
    KeyRange,
    /// All rows of a table.
    TableScan,
}

impl Class {
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

    /// Returns the name of the class: `row-range`.
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

    /// Returns whether entities are read by their complete keys, without pages of a query.
    #[must_use]
    pub const fn is_point(self) -> bool {
        matches!(self, Self::Point | Self::MultiPoint)
    }

    /// Returns whether the partition keys are unknown. `deny(table_scan)` rejects these classes.
    #[must_use]
    pub const fn is_over_partitions(self) -> bool {
        matches!(self, Self::KeyRange | Self::TableScan)
    }

    /// Returns the variant that requires several requests.
    #[must_use]
    pub const fn many(self) -> Self {
        match self {
            Self::Point => Self::MultiPoint,
            Self::RowRange => Self::FanOut,
            Self::PartitionScan => Self::FanOutScan,
            other => other,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
