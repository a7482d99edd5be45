use std::fmt;

use table_model::{ErrorCode, limits};

use crate::{Address, Error};

/// Error of an invalid or rejected transaction. Operations are numbered from 0, in the order in which they were added; an entity's
/// index rows belong to its operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TransactionError {
    /// An operation could not be encoded, or the service rejected it because its entity exists or does not exist.
    Operation {
        /// Index of the operation.
        index: usize,
        /// Cause of the error.
        error: Box<Error>,
    },
    /// An operation is on another table than the first.
    OtherTable {
        /// Index of the operation.
        index: usize,
        /// Address of the operation.
        address: Address,
        /// Address of the first operation.
        first: Address,
    },
    /// An operation is in another partition than the first.
    OtherPartition {
        /// Index of the operation.
        index: usize,
        /// Address of the operation.
        address: Address,
        /// Address of the first operation.
        first: Address,
    },
    /// The transaction contains an entity twice.
    SameEntity {
        /// Index of the second operation on the entity.
        index: usize,
        /// Index of the first operation on the entity.
        earlier: usize,
        /// Address of the entity.
        address: Address,
    },
    /// The transaction contains more than 100 operations.
    TooMany {
        /// Number of operations on entities.
        entities: usize,
        /// Number of operations on index rows, and on parts of wide entities.
        copies: usize,
        /// One for the commit record, if rows in other partitions are affected.
        records: usize,
    },
    /// The transaction has 4 MiB or more.
    TooLarge {
        /// Index of the operation that reaches 4 MiB.
        index: usize,
        /// Number of bytes including this operation.
        bytes: usize,
    },
    /// The commit record of the transaction is larger than an entity may be (1 MiB), because the keys of the rows in
    /// other partitions are too long.
    RecordTooLarge {
        /// Index of the operation that exceeds the limit.
        index: usize,
        /// Number of bytes of the commit record including this operation.
        bytes: usize,
    },
}

impl Error {
    /// Returns the error of the operation for an operation that could not be added to its transaction, or that the service
    /// rejected ([`TransactionError::Operation`]), and this error otherwise. Match it to handle an invalid value in the same way
    /// whether the write is in a transaction or not.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let invalid = Employee { department: "a/b".into(), id: 1 };
    /// let error = tables.transact().insert(&invalid).commit().await.unwrap_err();
    /// assert!(matches!(error, Error::Transaction(_)));
    /// assert!(matches!(error.root(), Error::Key(_)));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn root(&self) -> &Self {
        match self {
            Self::Transaction(invalid) => match &**invalid {
                TransactionError::Operation { error, .. } => error.root(),
                _ => self,
            },
            _ => self,
        }
    }
}

impl TransactionError {
    /// Returns the code with which the service rejects such a transaction (`G-EGT-1`).
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Operation { error, .. } => error.code(),
            Self::OtherTable { .. } | Self::TooMany { .. } => Some(ErrorCode::InvalidInput),
            Self::OtherPartition { .. } => Some(ErrorCode::CommandsInBatchActOnDifferentPartitions),
            Self::SameEntity { .. } => Some(ErrorCode::InvalidDuplicateRow),
            Self::TooLarge { .. } => Some(ErrorCode::RequestBodyTooLarge),
            Self::RecordTooLarge { .. } => Some(ErrorCode::EntityTooLarge),
        }
    }

    /// Returns the index of the invalid operation. For too many operations, returns the index of the first operation
    /// above the limit.
    pub const fn index(&self) -> Option<usize> {
        match self {
            Self::Operation { index, .. }
            | Self::OtherTable { index, .. }
            | Self::OtherPartition { index, .. }
            | Self::SameEntity { index, .. }
            | Self::TooLarge { index, .. }
            | Self::RecordTooLarge { index, .. } => Some(*index),
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
                "operation {index} is on {address}, operation 0 on {first}: a transaction is limited to one \
                 table; use `bulk` for writes that need not be atomic"
            ),
            Self::OtherPartition { index, address, first } => write!(
                f,
                "operation {index} is on {address}, operation 0 on {first}: a transaction is limited to one \
                 partition; use `bulk` for writes that need not be atomic"
            ),
            Self::SameEntity { index, earlier, address } => write!(
                f,
                "operations {earlier} and {index} are both on {address}: a transaction can contain an entity \
                 only once; combine the operations"
            ),
            Self::TooMany { entities, copies, records } => {
                write!(f, "{} operations", entities + copies + records)?;
                if copies + records > 0 {
                    write!(f, " ({entities} on entities, {copies} on their other rows")?;
                    let record = if *records > 0 { ", 1 for the commit record" } else { "" };
                    write!(f, "{record})")?;
                }
                write!(
                    f,
                    ": a transaction has at most {} operations; use `bulk` for writes that need not be atomic",
                    limits::TRANSACTION_OPERATIONS
                )
            }
            Self::TooLarge { index, bytes } => write!(
                f,
                "{bytes} bytes with operation {index}: a transaction must be smaller than {} bytes (4 MiB); \
                 use `bulk` for writes that need not be atomic",
                limits::TRANSACTION_BYTES
            ),
            Self::RecordTooLarge { index, bytes } => write!(
                f,
                "the commit record has {bytes} bytes with operation {index}: it must be smaller than 1 MiB, because \
                 it is an entity; use `bulk` for writes that need not be atomic, or shorter keys"
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
