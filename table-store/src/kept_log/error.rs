use std::{io, path::PathBuf};

use table_model::{StorageFault, Timestamp};

use crate::{BackupError, OpenError};

/// Error of a restoration. No file was created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The backup cannot be read, or the new file cannot be created.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The store had no kept log when the backup was made.
    #[error("{}: the backup was made without a kept log, so no log continues it; use it as it is", .backup.display())]
    NoPosition {
        /// Path of the backup.
        backup: PathBuf,
    },
    /// The backup was made after the requested point.
    #[error(
        "the backup contains commit {number} of {time}, after the requested point; use an earlier backup"
    )]
    TooEarly {
        /// Number of the last commit in the backup.
        number: u64,
        /// Time of the last commit in the backup.
        time: Timestamp,
    },
    /// The folder contains the log of another store, or of an earlier or later time of the same store.
    #[error("{}: the segment does not continue the backup; specify the folder of the log that was kept then", .segment.display())]
    OtherLog {
        /// Path of the segment.
        segment: PathBuf,
    },
    /// Commits are missing in the log, or are damaged.
    #[error(
        "{}: the commits {first} to {last} are missing or damaged; put their segments back, restore to a point before \
         them, or use a later backup", .folder.display()
    )]
    Gap {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of the first missing commit.
        first: u64,
        /// Number of the last missing commit.
        last: u64,
    },
    /// The log ends before the requested commit.
    #[error("{}: the log ends with commit {last}; restore to this commit, or add the later segments", .folder.display())]
    NotReached {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of the last commit.
        last: u64,
    },
    /// The folder cannot be read.
    #[error("{}: {error}", .folder.display())]
    Log {
        /// Path of the folder.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
}

impl From<OpenError> for RestoreError {
    fn from(error: OpenError) -> Self {
        Self::Backup(error.into())
    }
}

impl From<StorageFault> for RestoreError {
    fn from(fault: StorageFault) -> Self {
        Self::Backup(fault.into())
    }
}
