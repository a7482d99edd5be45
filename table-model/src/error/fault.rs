use std::{io, path::Path, sync::Arc};

/// Failure below the service. Callers receive it in a [`TableError`](crate::TableError) with the code `InternalError`.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageFault {
    /// A record does not match its checksum or cannot be decoded. None of its content is returned.
    #[error("a stored record is damaged: {what}")]
    Corrupt {
        /// Location of the damage and the expected content.
        what: String,
    },
    /// The device has no space left. Reads continue to work, and writes work again after space is freed. The write is
    /// not acknowledged. Usually nothing has changed; the write can only be durable if the last step of its commit
    /// failed.
    #[error("no space is left {}; free space, and try again", device(file.as_deref()))]
    DiskFull {
        /// The file that could not be written or extended, if it is known: the store, its log, its kept log.
        file: Option<Arc<Path>>,
    },
    /// The operating system rejected a read or a write. A write that returned this error was not acknowledged. As with
    /// a lost response, it may have been applied completely; read the entity to find out.
    #[error("I/O failed: {0}")]
    Io(Arc<io::Error>),
    /// The store was opened for reading only. Nothing was changed.
    #[error("the store was opened for reading only; open it without `read_only` to write")]
    ReadOnly,
    /// A reader has a snapshot of a file that is to be compacted, so its pages cannot be moved. Nothing was changed.
    #[error(
        "a reader has a snapshot of the file, which a compaction cannot move; close the reader, and compact again"
    )]
    BeingRead,
    /// The store was closed while the request was waiting.
    #[error("the store is closed")]
    Closed,
    /// A bug in the store, or in a clock or disk provided by the caller, was detected before it caused damage. The
    /// request changed nothing.
    #[error("a request failed inside the store: {what}")]
    Bug {
        /// Description of the bug.
        what: String,
    },
}

impl StorageFault {
    /// Returns one word for logs and metrics, which stays the same between releases.
    ///
    /// ```
    /// use table_model::StorageFault;
    ///
    /// assert_eq!(StorageFault::DiskFull { file: None }.name(), "disk-full");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Corrupt { .. } => "corrupt",
            Self::DiskFull { .. } => "disk-full",
            Self::Io(_) => "io",
            Self::ReadOnly => "read-only",
            Self::BeingRead => "being-read",
            Self::Closed => "closed",
            Self::Bug { .. } => "bug",
        }
    }
}

fn device(file: Option<&Path>) -> String {
    file.map_or_else(|| "on the device".to_owned(), |file| format!("on the device of {}", file.display()))
}
