use std::{io, path::PathBuf};

use table_model::{StorageFault, Timestamp};

use super::SegmentDamage;
use crate::{BackupError, OpenError};

/// Problem of a store with its [kept log](crate::KeepLog).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptLogProblem {
    /// The store is opened with `read_only`.
    #[error("cannot continue a store that is only read")]
    ReadOnly,
    /// A new log requires an empty folder.
    #[error("already exists")]
    Exists,
    /// The folder contains no log, but the store has one.
    #[error("does not exist")]
    Missing,
    /// The folder contains the log of another store, or an earlier log of this store.
    #[error("is that of another store, or of an earlier time")]
    Other,
    /// A segment has a damaged header.
    #[error("has the damaged segment {name}")]
    DamagedSegment {
        /// Name of the file.
        name: String,
    },
    /// Segments are missing before the last one, or after it, or one of them lost its end.
    #[error("lacks {}", commits(*first, *last))]
    Gap {
        /// Number of the first missing commit.
        first: u64,
        /// Number of the last missing commit.
        last: u64,
    },
    /// A segment contains the log of another store, or of another time of this store.
    #[error("has the segment {name}, which does not continue the one before it")]
    OtherSegment {
        /// Name of the file.
        name: String,
    },
    /// The last segment contains commits of which only a part can be read.
    #[error("is damaged or cut off in the segment {name}: {} cannot be read", commits(*first, *last))]
    DamagedCommits {
        /// Name of the file.
        name: String,
        /// Number of the first damaged commit.
        first: u64,
        /// Number of the last damaged commit.
        last: u64,
    },
    /// The log lacks commits of the store, or the store lacks confirmed commits of the log.
    #[error("ends at commit {log}, but the store at commit {store}")]
    Differs {
        /// Number of the last commit in the log.
        log: u64,
        /// Number of the last commit in the store.
        store: u64,
    },
    /// The log contains another commit with the number of the last commit of the store.
    #[error("does not contain the last commit of the store")]
    Diverged,
    /// The folder or a file cannot be used.
    #[error("cannot be used: {0}")]
    Io(#[from] io::Error),
}

impl KeptLogProblem {
    /// Returns `true` if a [new log](crate::KeepLog::start_new) in an empty folder is a remedy.
    #[must_use]
    pub const fn allows_new_log(&self) -> bool {
        !matches!(self, Self::ReadOnly | Self::Exists | Self::Io(_))
    }

    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Self::ReadOnly => "open it without `keep_log` or without `read_only`",
            Self::Exists => {
                "specify an empty folder; a store that was restored, or whose log has ended, starts a new log"
            }
            Self::Io(error) if error.kind() == io::ErrorKind::NotFound => "create the folder first",
            Self::Io(error) => remedy(error, "check the folder, its permissions, and other users of it"),
            _ => {
                "put the right files back, end the log with `OpenOptions::end_kept_log`, or start a new log in an empty \
                 folder with `KeepLog::start_new`, and make a new backup then"
            }
        }
    }
}

/// Error of a restoration. No file was created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The backup cannot be read, or the new file cannot be created.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The backup does not exist.
    #[error("{}: the backup does not exist; check its path", .backup.display())]
    NoBackup {
        /// Path of the backup.
        backup: PathBuf,
    },
    /// The store had no kept log when the backup was made.
    #[error("{}: the backup was made without a kept log; use it as it is", .backup.display())]
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
    /// The folder contains no segment. A store creates the first one before its first backup with a position in the log.
    #[error(
        "{}: the folder contains no kept log; specify the folder with the files *.tables-kept", .folder.display()
    )]
    NoLog {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// The folder contains the log of another store, or of an earlier or later time of the same store.
    #[error("{}: the log does not continue the backup; specify the log that was kept then", .segment.display())]
    OtherLog {
        /// Path of the segment.
        segment: PathBuf,
    },
    /// The log starts after the backup. Its oldest segments are deleted at the limit of the log.
    #[error(
        "{}: the log starts with commit {first}, but the backup ends with commit {backup}; use a later backup, or add \
         the older segments", .folder.display()
    )]
    Expired {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of the first commit in the log.
        first: u64,
        /// Number of the last commit in the backup.
        backup: u64,
    },
    /// Commits are missing in the log, or are damaged.
    #[error(
        "{}: {} {} missing or damaged{}; put their files back, or restore to an earlier point", .folder.display(),
        commits(*first, *last), if first == last { "is" } else { "are" }, place(damage.as_ref())
    )]
    Gap {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of the first missing commit.
        first: u64,
        /// Number of the last missing commit. Later ones may be missing too.
        last: u64,
        /// The damage, if the commits are not missing with their files.
        damage: Option<SegmentDamage>,
    },
    /// The log ends before the requested commit or time, and does not prove that no later commit existed at this time.
    #[error(
        "{}: the log ends with commit {last} of {time}, before the requested point; restore to commit {last}, or add \
         later files", .folder.display()
    )]
    NotReached {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of the last commit.
        last: u64,
        /// Time of the last commit, or of the start of the log if `last` is 0.
        time: Timestamp,
    },
    /// The folder cannot be read.
    #[error(
        "cannot read the kept log in {}: {error}; {}", .folder.display(),
        remedy(error, "check its path and permissions")
    )]
    Log {
        /// Path of the folder.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
}

/// Returns the remedy of an error of a folder.
fn remedy(error: &io::Error, other: &'static str) -> &'static str {
    match error.kind() {
        io::ErrorKind::InvalidInput => "put the file itself in its place",
        _ => other,
    }
}

/// Returns a segment of a folder that was named before, and its damaged byte.
fn place(damage: Option<&SegmentDamage>) -> String {
    let name = |damage: &SegmentDamage| damage.segment.file_name().unwrap_or_default().display().to_string();
    damage.map_or_else(String::new, |damage| format!(" ({}, byte {})", name(damage), damage.byte))
}

fn commits(first: u64, last: u64) -> String {
    if first == last { format!("commit {first}") } else { format!("commits {first} to {last}") }
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
