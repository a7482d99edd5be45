use std::fmt;

use table_store::{ErrorCode, limits};

use crate::{Address, Error};

/// A transaction that cannot be one. Indexes count its operations from 0, in the order in which they were added; the rows
/// of an entity's indexes count as its own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TransactionError {
    /// An operation could not be encoded.
    Operation {
        /// Which one.
        index: usize,
        /// Why.
        error: Box<Error>,
    },
    /// An operation is on another table than the first.
    OtherTable {
        /// Which one.
        index: usize,
        /// What it is on.
        address: Address,
        /// What the first one is on.
        first: Address,
    },
    /// An operation is in another partition than the first.
    OtherPartition {
        /// Which one.
        index: usize,
        /// What it is on.
        address: Address,
        /// What the first one is on.
        first: Address,
    },
    /// An entity stands in it twice.
    SameEntity {
        /// The second operation on it.
        index: usize,
        /// The first operation on it.
        earlier: usize,
        /// Which entity.
        address: Address,
    },
    /// More than 100 operations.
    TooMany {
        /// How many are on entities.
        entities: usize,
        /// How many are on the rows that indexes keep of them, and on parts of wide ones.
        copies: usize,
        /// One for the record of the commit, where rows in other partitions follow.
        records: usize,
    },
    /// 4 MiB or more.
    TooLarge {
        /// The operation with which it reaches 4 MiB.
        index: usize,
        /// How many bytes it has with it.
        bytes: usize,
    },
}

impl TransactionError {
    /// The code with which the service refuses such a transaction (`G-EGT-1`).
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Operation { error, .. } => error.code(),
            Self::OtherTable { .. } | Self::TooMany { .. } => Some(ErrorCode::InvalidInput),
            Self::OtherPartition { .. } => Some(ErrorCode::CommandsInBatchActOnDifferentPartitions),
            Self::SameEntity { .. } => Some(ErrorCode::InvalidDuplicateRow),
            Self::TooLarge { .. } => Some(ErrorCode::RequestBodyTooLarge),
        }
    }

    /// Which operation is at fault. For too many operations it is the first above the limit.
    pub const fn index(&self) -> Option<usize> {
        match self {
            Self::Operation { index, .. }
            | Self::OtherTable { index, .. }
            | Self::OtherPartition { index, .. }
            | Self::SameEntity { index, .. }
            | Self::TooLarge { index, .. } => Some(*index),
            Self::TooMany { .. } => Some(limits::TRANSACTION_OPERATIONS),
        }
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation { index, error } => write!(f, "operation {index}: {error}"),
            Self::OtherTable { index, address, first } => write!(
                f,
                "operation {index} is on {address}, operation 0 on {first}: a transaction stays in one table; \
                 use `bulk` where not all of it must happen together"
            ),
            Self::OtherPartition { index, address, first } => write!(
                f,
                "operation {index} is on {address}, operation 0 on {first}: a transaction stays in one partition; \
                 use `bulk` where not all of it must happen together"
            ),
            Self::SameEntity { index, earlier, address } => write!(
                f,
                "operations {earlier} and {index} are both on {address}: \
                 an entity can stand in a transaction once; join the two"
            ),
            Self::TooMany { entities, copies, records } => {
                write!(f, "{} operations", entities + copies + records)?;
                if copies + records > 0 {
                    write!(f, " ({entities} on entities, {copies} on their other rows")?;
                    let record = if *records > 0 { ", 1 for the record of the commit" } else { "" };
                    write!(f, "{record})")?;
                }
                write!(
                    f,
                    ": a transaction holds {}; use `bulk` where not all of it must happen together",
                    limits::TRANSACTION_OPERATIONS
                )
            }
            Self::TooLarge { index, bytes } => write!(
                f,
                "{bytes} bytes with operation {index}: a transaction stays below {} (4 MiB); \
                 use `bulk` where not all of it must happen together",
                limits::TRANSACTION_BYTES
            ),
        }
    }
}

impl std::error::Error for TransactionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Operation { error, .. } => Some(error),
            _ => None,
        }
    }
}
