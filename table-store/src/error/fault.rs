use std::{io, sync::Arc};

/// What can go wrong below the service. It reaches callers inside a [`TableError`](crate::TableError) with the code
/// `InternalError`.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageFault {
    /// A record does not match its checksum, or cannot be read at all. Nothing of it is returned.
    #[error("a stored record is damaged: {what}")]
    Corrupt {
        /// Where the damage is and what was expected there.
        what: String,
    },
    /// No space is left on the device. Reads go on, and writes too once there is space. The write is not acknowledged
    /// and has as a rule changed nothing; only if the very last step of its commit failed does it hold all the same.
    #[error("no space is left on the device; the write is not acknowledged")]
    DiskFull,
    /// The operating system refused a read or a write. A write that was told so was not acknowledged; as with a lost
    /// answer, it may have been made all the same, whole: read to know.
    #[error("input or output failed: {0}")]
    Io(Arc<io::Error>),
    /// The store was closed while the request waited.
    #[error("the store is closed")]
    Closed,
    /// A bug of ours, or of a clock or disk that was handed over, caught before it could do harm; the request changed
    /// nothing.
    #[error("a request failed inside the store: {what}")]
    Bug {
        /// What is known of it.
        what: String,
    },
}

impl StorageFault {
    /// Returns one word for logs and metrics, which stays the same between releases.
    ///
    /// ```
    /// use table_store::StorageFault;
    ///
    /// assert_eq!(StorageFault::DiskFull.name(), "disk-full");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Corrupt { .. } => "corrupt",
            Self::DiskFull => "disk-full",
            Self::Io(_) => "io",
            Self::Closed => "closed",
            Self::Bug { .. } => "bug",
        }
    }
}
