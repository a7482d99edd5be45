use std::path::{Path, PathBuf};

use super::{
    error::RestoreError,
    listing::{self, KeptSegment},
};

/// Folder and limit of a kept log: all commits of a store, from which a backup is restored to a point in time.
///
/// ```
/// use table_store::{KeepLog, OpenOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let [path, log] = ["company.tables", "log"].map(|name| folder.path().join(name));
/// # std::fs::create_dir(&log)?;
/// let store = OpenOptions::new().keep_log(KeepLog::in_folder(&log).most_bytes(1 << 30)).open(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeepLog {
    pub(super) folder: PathBuf,
    pub(super) most_bytes: u64,
    pub(super) start_new: bool,
}

/// Use of the kept log that a caller requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum KeptLogUse {
    /// A store that has a kept log is only read.
    #[default]
    Unspecified,
    Keep(KeepLog),
    End,
}

/// The least limit: four segments must have room.
const LEAST_BYTES: u64 = 64 << 10;

impl KeepLog {
    /// Keeps the log in an existing folder that contains no other log, with a limit of 16 GiB.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), most_bytes: 16 << 30, start_new: false }
    }

    /// Lists the files in the folder of a kept log, which may be in use, with their first and last commits. Reads the start
    /// and the end of each file; a file that a crash has left without its last bytes is read completely.
    ///
    /// ```
    /// use table_store::{KeepLog, OpenOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [path, log] = ["company.tables", "log"].map(|name| folder.path().join(name));
    /// # std::fs::create_dir(&log)?;
    /// let options = OpenOptions::new().keep_log(KeepLog::in_folder(&log));
    /// let store = options.open(&path)?.blocking();
    /// store.create_table(&"Employees".parse()?)?;
    /// let segments = KeepLog::segments(&log)?;
    /// assert_eq!(segments[0].last.map(|commit| commit.number), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`RestoreError::Log`] if the folder or a file cannot be read.
    pub fn segments(folder: impl AsRef<Path>) -> Result<Vec<KeptSegment>, RestoreError> {
        listing::list(folder.as_ref())
    }

    /// Starts a new log although the store has another one, for example because its folder is lost, or the store is an
    /// older copy. The folder must be empty. Earlier backups cannot be restored with the new log: make a new backup.
    #[must_use]
    pub fn start_new(mut self) -> Self {
        self.start_new = true;
        self
    }

    /// Sets the maximum size of the folder, at least 64 KiB. A segment of the log has 16 MiB, or a quarter of the limit if
    /// that is less; a commit is never divided. When a new segment would exceed the limit, the oldest segments are deleted:
    /// backups that need them can no longer be restored to a point in time.
    #[must_use]
    pub fn most_bytes(mut self, bytes: u64) -> Self {
        self.most_bytes = bytes.max(LEAST_BYTES);
        self
    }
}
