use std::fmt;

/// How a query is answered, best first. The guide's four classes, each with the form that takes several requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// One entity by its keys.
    Point,
    /// Several entities, each by its keys.
    MultiPoint,
    /// Neighbours in one partition.
    RowRange,
    /// Neighbours in several partitions or tables.
    FanOut,
    /// All of one partition.
    PartitionScan,
    /// All of several partitions.
    FanOutScan,
    /// Neighbouring partitions.
    KeyRange,
    /// All of a table.
    TableScan,
}

impl Class {
    /// All, best first.
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

    /// Its name: `row-range`.
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

    /// Entities by their keys: no page of a query.
    #[must_use]
    pub const fn is_point(self) -> bool {
        matches!(self, Self::Point | Self::MultiPoint)
    }

    /// The keys of partitions are not known: what `deny(table_scan)` stops.
    #[must_use]
    pub const fn is_over_partitions(self) -> bool {
        matches!(self, Self::KeyRange | Self::TableScan)
    }

    /// The form that takes several requests.
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
