use std::{
    io::{self, ErrorKind},
    sync::Arc,
};

use ::redb::{CommitError, DatabaseError, SetDurabilityError, StorageError, TableError, TransactionError};

use table_model::StorageFault;

use super::pages;
use crate::{disk, refusal::Refusal};

/// An error of redb, converted to a storage fault.
#[derive(Debug)]
pub(super) struct Failure {
    fault: StorageFault,
    /// redb must be opened again; the file may be intact.
    stale: bool,
}

/// Converts an error of the disk to a storage fault.
pub(crate) fn io(error: io::Error) -> StorageFault {
    if pages::is_damage(&error) {
        return StorageFault::Corrupt { what: error.to_string() };
    }
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            StorageFault::DiskFull { file: disk::full_path(&error).map(Into::into) }
        }
        _ => StorageFault::Io(Arc::new(error)),
    }
}

impl Failure {
    pub(super) fn closed() -> Self {
        StorageFault::Closed.into()
    }

    pub(super) fn stale() -> Self {
        let error = io::Error::other("the file must be reopened after an earlier error");
        Self { fault: StorageFault::Io(Arc::new(error)), stale: true }
    }

    pub(super) fn damaged(what: impl Into<String>) -> Self {
        StorageFault::Corrupt { what: what.into() }.into()
    }

    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }

    pub(super) fn into_fault(self) -> StorageFault {
        self.fault
    }

    /// Converts the error for a file that is being opened: invalid bytes are damage, not a disk error.
    pub(super) fn into_refusal(self) -> Refusal {
        match self.fault {
            StorageFault::Corrupt { what } => Refusal::Damaged(what),
            StorageFault::Io(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::InvalidInput
                ) =>
            {
                Refusal::Damaged(error.to_string())
            }
            fault => Refusal::Storage(fault),
        }
    }
}

impl From<StorageFault> for Failure {
    fn from(fault: StorageFault) -> Self {
        Self { fault, stale: false }
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Io(error) => io(error).into(),
            StorageError::Corrupted(what) => Self::damaged(what),
            StorageError::PreviousIo | StorageError::DatabaseClosed | StorageError::LockPoisoned(_) => {
                Self::stale()
            }
            other => StorageFault::Bug { what: other.to_string() }.into(),
        }
    }
}

impl From<TransactionError> for Failure {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Storage(error) => error.into(),
            other => StorageFault::Bug { what: other.to_string() }.into(),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Storage(error) => error.into(),
            other => Self::damaged(other.to_string()),
        }
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Storage(error) => error.into(),
            other => StorageFault::Bug { what: other.to_string() }.into(),
        }
    }
}

impl From<SetDurabilityError> for Failure {
    fn from(error: SetDurabilityError) -> Self {
        StorageFault::Bug { what: error.to_string() }.into()
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Storage(error) => error.into(),
            other => Self::damaged(other.to_string()),
        }
    }
}
