use std::fmt;

use table_model::{Operation, TableError};

/// Kind of a difference between source and target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// The target does not contain it.
    Missing,
    /// Source and target have different content.
    Different,
    /// The source does not contain it.
    Extra,
}

impl DifferenceKind {
    /// Returns the kind of the difference that a write removes.
    pub(super) const fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Insert(_) => Self::Missing,
            Operation::Delete { .. } => Self::Extra,
            _ => Self::Different,
        }
    }

    /// Returns the name of the kind.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Different => "different",
            Self::Extra => "extra",
        }
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An entity in which source and target still differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Kind of the difference.
    pub kind: DifferenceKind,
    /// PartitionKey of the entity.
    pub partition_key: String,
    /// RowKey of the entity.
    pub row_key: String,
    /// Error of the target, if it rejected the write that would have removed the difference.
    pub rejected: Option<TableError>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, partition_key, row_key, rejected } = self;
        write!(f, "{kind:<9} (PartitionKey='{partition_key}',RowKey='{row_key}')")?;
        rejected.as_ref().map_or(Ok(()), |error| write!(f, ": {}: {}", error.code(), error.message()))
    }
}
