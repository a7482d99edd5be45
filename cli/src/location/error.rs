use std::{io, path::PathBuf};

use table_store::{ErrorCode, KeptLogProblem, OpenError, Place, TableError};

/// Error when opening a store location. Values that may contain a key are not repeated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreLocationError {
    #[error(transparent)]
    Open(OpenError),
    #[error(
        "{0}: the store does not exist; check the path and its directory; `tables import` and `tables serve` create a \
         store"
    )]
    Missing(Place),
    #[error(
        "{0}: the store is in use by another process; stop it, or, if it is a server, use its connection string instead of \
         the file: --store UseDevelopmentStorage=true for `tables emulator`, the line `connect` of `tables serve`"
    )]
    InUse(Place),
    #[error(
        "{0}: the file system is read-only; mount it for writing, or choose a path on another one; commands that only read \
         accept a store on it"
    )]
    ReadOnlyFileSystem(Place),
    #[error("{0}")]
    Account(#[from] TableError),
    #[error("cannot read {}: {error}", .folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{}: the directory contains no store; specify an account with --account", .0.display())]
    Empty(PathBuf),
    #[error("{}: the directory contains several accounts; select one with --account, or specify its file: {}", .folder.display(), .accounts.join(", "))]
    Several { folder: PathBuf, accounts: Vec<String> },
    #[error(
        "--account requires a data directory with one file per account, or {{account}} in the address of a database"
    )]
    NoFolder,
    #[error("the address of the database contains {{account}}; specify the account with --account")]
    NoAccount,
    /// The address of a database is invalid. The message does not contain it.
    #[error("{}", .0.message())]
    Address(TableError),
    #[error("{place}: {}", .error.message())]
    Database { place: String, error: TableError },
    #[error(
        "{0}: the database has no such schema with tables; check the address; `tables import` and `tables serve` create the \
         schema"
    )]
    MissingSchema(String),
    /// What to use instead of the command.
    #[error("this command requires a store file, not a database; {0}")]
    IsDatabase(&'static str),
    #[error("the URL has no shared access signature; append one after `?`, or use a connection string")]
    Unsigned,
    #[error(
        "invalid store location; expected a file, a connection string or a signed URL (not shown, as it may contain a key)"
    )]
    Malformed,
    #[error(
        "the store location is empty; specify a file, a data directory, a connection string, a signed URL, or the address of \
         a database"
    )]
    Unspecified,
    #[error("this command requires a store file, not a served account")]
    NoFile,
    #[error("--keep-log and --end-kept-log require a store file; the server of an account keeps its log")]
    NoKeptLog,
    /// The arguments are contradictory.
    #[error("--end-kept-log ends the kept log when the store is written, but {0}; omit --end-kept-log")]
    EndsByReading(&'static str),
    #[error("{0}: the store has a kept log; continue it with --keep-log DIR, or end it with --end-kept-log")]
    KeptLogRequired(Place),
    #[error(
        "{place}: the kept log in {} {problem}; put the right files back, end the log with --end-kept-log, or start a new \
         log in an empty folder with `tables serve --start-new-log`, and make a new backup then", .folder.display()
    )]
    KeptLog { place: Place, folder: PathBuf, problem: KeptLogProblem },
}

impl StoreLocationError {
    /// Returns the error of a database that cannot be opened.
    pub(crate) fn database(place: &str, error: TableError) -> Self {
        match error.code() {
            ErrorCode::ResourceNotFound => Self::MissingSchema(place.to_owned()),
            _ => Self::Database { place: place.to_owned(), error },
        }
    }
}

impl From<OpenError> for StoreLocationError {
    fn from(error: OpenError) -> Self {
        match error {
            // The library names its own options.
            OpenError::Missing { place } => Self::Missing(place),
            OpenError::Locked { place } => Self::InUse(place),
            OpenError::ReadOnlyFileSystem { place } => Self::ReadOnlyFileSystem(place),
            OpenError::KeptLogRequired { place, .. } => Self::KeptLogRequired(place),
            OpenError::KeptLog { place, folder, problem } if problem.allows_new_log() => {
                Self::KeptLog { place, folder, problem }
            }
            error => Self::Open(error),
        }
    }
}
