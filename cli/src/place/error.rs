use std::{io, path::PathBuf};

use table_store::{TableError, embedded::OpenError};

/// Error of opening a location. Text that may contain a key is not repeated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{0}")]
    Account(#[from] TableError),
    #[error("{} cannot be read: {error}", .folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{}: no store is in this folder; say which to make with --account", .0.display())]
    Empty(PathBuf),
    #[error("{}: there are several accounts; say which with --account: {}", .folder.display(), .accounts.join(", "))]
    Several { folder: PathBuf, accounts: Vec<String> },
    #[error("--account is for folders that hold a file for each account")]
    NoFolder,
    #[error("an address needs a shared access signature behind its `?`; or use a connection string")]
    Unsigned,
    #[error(
        "the location is not a file, a connection string or a signed URL; it is not shown, as it may contain a key"
    )]
    Malformed,
    #[error("this works on a store's file only, not on an account behind the protocol")]
    NoFile,
}
