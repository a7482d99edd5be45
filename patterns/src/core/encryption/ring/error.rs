use std::{io, path::PathBuf, sync::Arc};

/// Error in creating, loading or saving a key ring. It never contains a key.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRingError {
    /// The file could not be read or written.
    #[error("{path}: {reason}", path = .path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        reason: Arc<io::Error>,
    },
    /// The file can be accessed by other users than its owner.
    #[error("{path} is accessible by other users (mode {mode:03o}); run `chmod 600 {path}`, and rotate the \
             key", path = .path.display())]
    OpenToOthers {
        /// Path of the file.
        path: PathBuf,
        /// Permissions of the file.
        mode: u32,
    },
    /// The file is not a valid key ring.
    #[error("{path} is not a valid key ring: {reason}", path = .path.display())]
    Form {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        reason: String,
    },
    /// The keys in the file were wrapped by another [`KeyWrap`](crate::KeyWrap).
    #[error("{path} contains keys wrapped with `{found}`, expected `{given}`", path = .path.display())]
    OtherWrap {
        /// Path of the file.
        path: PathBuf,
        /// Name in the file.
        found: String,
        /// Name of the given wrap.
        given: String,
    },
    /// The file contains keys that the ring to be saved does not contain, or contains with other bytes: another process has
    /// saved them since the ring was loaded. The file is unchanged.
    #[error(
        "{path} contains keys with the ids {ids:?} that this ring does not have, and which would be lost; load the file \
         again with `from_file`, and change that ring; remove a key with `without`",
        path = .path.display()
    )]
    OtherKeys {
        /// Path of the file.
        path: PathBuf,
        /// Ids of these keys.
        ids: Vec<u32>,
    },
    /// A key could not be wrapped or unwrapped.
    #[error("key {id} could not be wrapped or unwrapped: {reason}")]
    Wrap {
        /// Key id.
        id: u32,
        /// Cause.
        reason: String,
    },
    /// Two keys have the same id.
    #[error("duplicate key id {id}")]
    Twice {
        /// The duplicate id.
        id: u32,
    },
    /// The ring does not contain the current key.
    #[error("the current key {id} is missing in the ring")]
    NoCurrent {
        /// Id of the current key.
        id: u32,
    },
    /// No greater id exists.
    #[error("the greatest key id is already used")]
    NoMoreIds,
    /// The system provided no random bytes.
    #[error("the system provided no random bytes: {0}")]
    NoRandom(String),
}
