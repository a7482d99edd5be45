use std::{io, path::PathBuf};

use table_rest::server::IdentityError;
use table_store::{TableError, embedded::OpenError};

use super::account::AccountError;

/// Error of starting or stopping the server.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    #[error(
        "the key of devstoreaccount1 is known to everybody: it is served on loopback only. Name accounts with keys of their own: --account NAME:KEY"
    )]
    KnownKey,
    #[error("other machines are served over TLS only: --cert FILE --key FILE, or --host 127.0.0.1")]
    InTheClear,
    #[error("{} can be changed by other users; other machines are served only from a directory that is safe from them (chmod go-w)", .0.display())]
    OpenToOthers(PathBuf),
    #[error("{} cannot be used: {error}", .directory.display())]
    Data { directory: PathBuf, error: io::Error },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("--account is not valid: {0}; it is not shown, as it may contain a key")]
    Account(#[from] AccountError),
    #[error("cannot listen: {0}")]
    Listen(io::Error),
    #[error("the log's level or filter is not understood: {0}")]
    Log(String),
    #[error("a store was not closed well: {0}")]
    Close(TableError),
    #[error("ended by a second signal, before all was done")]
    Hurried,
    #[error(transparent)]
    System(#[from] io::Error),
}
