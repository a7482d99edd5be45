use std::fmt;

use table_model::{
    Operation, TableError,
    blob::{BlobAddress, ContainerName},
    queue::QueueName,
};

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

/// Subject of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// An entity.
    Entity {
        /// PartitionKey of the entity.
        partition_key: String,
        /// RowKey of the entity.
        row_key: String,
    },
    /// A blob with its snapshots.
    Blob(BlobAddress),
    /// A container: it does not exist, or its metadata differs.
    Container(ContainerName),
    /// A queue: it does not exist, or its metadata differs.
    Queue(QueueName),
    /// A number of messages of a queue.
    Messages(u64),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entity { partition_key, row_key } => {
                write!(f, "(PartitionKey='{partition_key}',RowKey='{row_key}')")
            }
            Self::Blob(blob) => write!(f, "{blob}"),
            Self::Container(_) => f.write_str("container or its metadata"),
            Self::Queue(_) => f.write_str("queue or its metadata"),
            Self::Messages(1) => f.write_str("1 message"),
            Self::Messages(count) => write!(f, "{count} messages"),
        }
    }
}

/// A difference between source and target that remains.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Kind of the difference.
    pub kind: DifferenceKind,
    /// What differs.
    pub subject: Subject,
    /// Error of the target, if it rejected the write that would have removed the difference.
    pub rejected: Option<TableError>,
}

impl Difference {
    pub(super) fn of(operation: &Operation, kind: DifferenceKind, rejected: Option<TableError>) -> Self {
        let (partition_key, row_key) = (operation.partition_key().to_owned(), operation.row_key().to_owned());
        Self { kind, subject: Subject::Entity { partition_key, row_key }, rejected }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, subject, rejected } = self;
        write!(f, "{kind:<9} {subject}")?;
        rejected.as_ref().map_or(Ok(()), |error| write!(f, ": {}: {}", error.code(), error.message()))
    }
}
