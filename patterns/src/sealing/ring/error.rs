use std::{io, path::PathBuf, sync::Arc};

/// Why there is no key ring, or why it could not be saved. It never shows a key.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRingError {
    /// The file could not be read or written.
    #[error("{path}: {why}", path = .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: Arc<io::Error>,
    },
    /// Others than its owner may read or write the file.
    #[error("{path} is open to others (mode {mode:03o}): say `chmod 600 {path}`, and rotate the key", path = .path.display())]
    OpenToOthers {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The file is not a key ring.
    #[error("{path} is no key ring: {why}", path = .path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The keys were wrapped with something else.
    #[error("{path} has keys wrapped with `{found}`, not with `{given}`", path = .path.display())]
    OtherWrap {
        /// The file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What was given.
        given: String,
    },
    /// A key could not be wrapped or unwrapped.
    #[error("key {id} could not be wrapped or unwrapped: {why}")]
    Wrap {
        /// The key's id.
        id: u32,
        /// Why.
        why: String,
    },
    /// Two keys have one id.
    #[error("two keys have the id {id}")]
    Twice {
        /// The id.
        id: u32,
    },
    /// The current key is not among the keys.
    #[error("key {id} is to be current, but is not in the ring")]
    NoCurrent {
        /// The id.
        id: u32,
    },
    /// There is no greater id.
    #[error("no id is left for a new key")]
    NoMoreIds,
    /// The system gave no random bytes.
    #[error("the system gave no random bytes: {0}")]
    NoRandom(String),
}
