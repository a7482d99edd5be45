//! Errors of opening a store.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use table_model::StorageFault;

use crate::KeptLogProblem;

/// Error of opening or creating a store. The file is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file does not exist and must not be created, or its directory does not exist.
    #[error(
        "{place}: the store does not exist; check the path and its directory, or allow the creation of the store with \
         `OpenOptions::create(true)`"
    )]
    Missing {
        /// Location of the store.
        place: Place,
    },
    /// Another store holds the lock of the file, in this or another process.
    #[error("{place}: the store is in use by another process or another `Store`; close that store first")]
    Locked {
        /// Location of the store.
        place: Place,
    },
    /// The path is a directory, a symbolic link or a device.
    #[error("{place}: expected a regular file, found {found}; specify another path")]
    NotAFile {
        /// Location of the store.
        place: Place,
        /// Kind of the existing object.
        found: &'static str,
    },
    /// The file is not a store.
    #[error("{place}: the file is not a table store: {reason}; specify another path, or move the file")]
    NotOurs {
        /// Location of the file.
        place: Place,
        /// Description of the content.
        reason: String,
    },
    /// The store is damaged: truncated, or changed by another program.
    #[error(
        "{place}: the store is damaged: {what}; keep the file, and restore a backup or use `tables salvage`"
    )]
    Damaged {
        /// Location of the store.
        place: Place,
        /// Description of the damage.
        what: String,
    },
    /// The store was not closed, and the log with its last commits is missing, or the file with its name is another log.
    #[error(
        "{place}: its log, the file with the suffix -log, {found}; put it back, or restore a backup; `tables backup \
         --accept-lost-log` copies the rest"
    )]
    LogMissing {
        /// Location of the store.
        place: Place,
        /// Description of the state of the log.
        found: &'static str,
    },
    /// The store was not closed, and the log with its last commits is damaged, incomplete, or an older copy:
    /// acknowledged commits are missing.
    #[error(
        "{place}: its log, the file with the suffix -log, lacks commits: {what}; restore a backup; `tables backup \
         --accept-lost-log` copies the rest"
    )]
    LogDamaged {
        /// Location of the store.
        place: Place,
        /// Description of the damage.
        what: String,
    },
    /// A file has the name of the store's log, but is something else, the log of another store, or the log of a store
    /// that does not exist.
    #[error("{place}: the file with the suffix -log {found}; move it away, or put its store back next to it")]
    StrayLog {
        /// Location of the store.
        place: Place,
        /// Description of the file.
        found: &'static str,
    },
    /// The [kept log](crate::KeepLog) does not continue the store, or cannot be used.
    #[error("{place}: the kept log in {} {problem}; {}", .folder.display(), .problem.remedy())]
    KeptLog {
        /// Location of the store.
        place: Place,
        /// Path of the folder.
        folder: PathBuf,
        /// The problem.
        #[source]
        problem: KeptLogProblem,
    },
    /// The store has a [kept log](crate::KeepLog), but was opened for writing without it. A write would be missing in the
    /// log, and later commits could not be restored.
    #[error(
        "{place}: the store has a kept log with its commits up to {commit}; open it with `OpenOptions::keep_log` and the \
         folder of the log, or end the log with `OpenOptions::end_kept_log`"
    )]
    KeptLogRequired {
        /// Location of the store.
        place: Place,
        /// Number of the last commit of the store.
        commit: u64,
    },
    /// A later version wrote the store.
    #[error(
        "{place}: the store has format {found}, but this version supports formats up to {known}; use a later \
         version"
    )]
    Newer {
        /// Location of the store.
        place: Place,
        /// Format version of the store.
        found: u32,
        /// Latest supported format version.
        known: u32,
    },
    /// A later version wrote the store with additional format features.
    #[error(
        "{place}: the store has the features {found:#x}, but this version supports {known:#x}; use a later \
         version"
    )]
    UnknownFeatures {
        /// Location of the store.
        place: Place,
        /// Feature bits of the store.
        found: u32,
        /// Supported feature bits.
        known: u32,
    },
    /// The permissions of the file or its directory do not allow reading or writing.
    #[error(
        "{place}: no permission to read and write the store; check the owner and mode of the file and its \
         directory"
    )]
    Denied {
        /// Location of the store.
        place: Place,
    },
    /// The file system of the file is mounted for reading only.
    #[error(
        "{place}: the file system is read-only; mount it for writing, choose a path on another one, or open an existing \
         store with `OpenOptions::read_only`"
    )]
    ReadOnlyFileSystem {
        /// Location of the store.
        place: Place,
    },
    /// The disk failed or is full.
    #[error("{place}: {fault}")]
    Storage {
        /// Location of the store.
        place: Place,
        /// Fault of the disk.
        #[source]
        fault: StorageFault,
    },
}

/// Location of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Path of a file.
    File(PathBuf),
    /// A [`Disk`](crate::Disk) provided by the caller.
    Disk,
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Disk => f.write_str("the provided disk"),
        }
    }
}

/// An [`OpenError`] without the location.
#[derive(Debug)]
pub(crate) enum Refusal {
    NotOurs(String),
    Damaged(String),
    NoLog(&'static str),
    BadLog(String),
    StrayLog(&'static str),
    KeptLog { folder: PathBuf, problem: KeptLogProblem },
    KeptLogRequired { commit: u64 },
    Newer { found: u32, known: u32 },
    UnknownFeatures { found: u32, known: u32 },
    Storage(StorageFault),
}

impl Refusal {
    pub(crate) fn at(self, place: Place) -> OpenError {
        match self {
            Self::NotOurs(reason) => OpenError::NotOurs { place, reason },
            Self::Damaged(what) | Self::Storage(StorageFault::Corrupt { what }) => {
                OpenError::Damaged { place, what }
            }
            Self::NoLog(found) => OpenError::LogMissing { place, found },
            Self::BadLog(what) => OpenError::LogDamaged { place, what },
            Self::StrayLog(found) => OpenError::StrayLog { place, found },
            Self::KeptLog { folder, problem } => OpenError::KeptLog { place, folder, problem },
            Self::KeptLogRequired { commit } => OpenError::KeptLogRequired { place, commit },
            Self::Newer { found, known } => OpenError::Newer { place, found, known },
            Self::UnknownFeatures { found, known } => OpenError::UnknownFeatures { place, found, known },
            Self::Storage(fault) => OpenError::Storage { place, fault },
        }
    }

    /// Converts the error for a store that was already open.
    pub(crate) fn into_fault(self) -> StorageFault {
        match self {
            Self::Storage(fault) => fault,
            other => StorageFault::Corrupt { what: other.at(Place::Disk).to_string() },
        }
    }
}

impl From<StorageFault> for Refusal {
    fn from(fault: StorageFault) -> Self {
        Self::Storage(fault)
    }
}
