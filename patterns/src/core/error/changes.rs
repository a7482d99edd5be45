use crate::Address;

/// Error of a change feed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeFeedError {
    /// The record of a change would be rejected by the service. Nothing was sent.
    #[error(
        "the record of a change of {address} would have {properties} properties and {bytes} bytes, more than the \
         service allows; a record contains the properties of the entity and up to three more: split the entity"
    )]
    RecordTooLarge {
        /// Address of the entity.
        address: Box<Address>,
        /// Number of properties of the record.
        properties: usize,
        /// Number of bytes of the record.
        bytes: usize,
    },
    /// Records after the position were removed, because the retention period is over.
    #[error(
        "the changes {expected} to {} of `{entity}` in partition {partition_key:?} were removed before they were \
         read; take a new position with `end()`, read the table, then continue from the new position",
        oldest.saturating_sub(1)
    )]
    Expired {
        /// Name of the entity type.
        entity: &'static str,
        /// Partition key.
        partition_key: String,
        /// Number of the first change that was not read.
        expected: u64,
        /// Number of the oldest change that still exists.
        oldest: u64,
    },
    /// The record of the position does not exist, or is another one: the table was deleted and created again, or is
    /// another table with the same name.
    #[error(
        "change {sequence} of `{entity}` in partition {partition_key:?} is not the one that was read; if the table was \
         created again or restored, take a new position with `end()`, read the table, then continue from the new \
         position"
    )]
    UnknownPosition {
        /// Name of the entity type.
        entity: &'static str,
        /// Partition key.
        partition_key: String,
        /// Number of the last change that was read.
        sequence: u64,
    },
    /// The position belongs to another entity type or table.
    #[error(
        "the position belongs to another change feed than that of `{entity}`; use it with the type that it was \
             read with"
    )]
    OtherFeed {
        /// Name of the entity type.
        entity: &'static str,
    },
    /// The string was not produced by a position, or was truncated.
    #[error("invalid position {0:?}; pass the string unchanged")]
    InvalidPosition(String),
    /// A record does not have the properties of a record.
    #[error(
        "change {sequence} in partition {partition_key:?} cannot be decoded; run `scrub` to check the file for damage"
    )]
    Damaged {
        /// Partition key.
        partition_key: String,
        /// Number of the change.
        sequence: u64,
    },
}

impl From<ChangeFeedError> for crate::Error {
    fn from(error: ChangeFeedError) -> Self {
        Self::Changes(Box::new(error))
    }
}
