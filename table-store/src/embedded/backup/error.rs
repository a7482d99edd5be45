use crate::{
    StorageFault,
    embedded::{OpenError, Place},
};

/// Why there is no copy. The name is free then, unless it was taken before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is something under the name. Nothing is ever written over.
    #[error("{place}: there is something already, and it is not written over; give the copy another name")]
    Taken {
        /// Where.
        place: Place,
    },
    /// The folder is not there.
    #[error("{place}: there is no such folder; make it first")]
    NoFolder {
        /// Where the copy was to be.
        place: Place,
    },
    /// The file of the copy cannot be made or written.
    #[error(transparent)]
    File(#[from] OpenError),
    /// The store cannot be read: it is damaged, or was closed meanwhile.
    #[error("the store was not copied: {0}")]
    Store(#[from] StorageFault),
}
