use table_model::StorageFault;

use crate::{OpenError, Place};

/// Error of a backup. No file was created; an existing file is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// A file with this name already exists. Existing files are never overwritten.
    #[error("{place} already exists; choose another file name")]
    Taken {
        /// Path of the file.
        place: Place,
    },
    /// The directory does not exist.
    #[error("{place}: the directory does not exist; create it first")]
    NoFolder {
        /// Path of the copy.
        place: Place,
    },
    /// The file of the copy cannot be created or written.
    #[error(transparent)]
    File(#[from] OpenError),
    /// The store cannot be read: it is damaged, or was closed concurrently.
    #[error("the backup failed: {0}")]
    Store(#[from] StorageFault),
}
