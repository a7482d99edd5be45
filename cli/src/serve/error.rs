use std::{io, path::PathBuf};

use table_rest::{
    ServiceKind,
    server::{IdentityError, ListenError},
};
use table_store::{KeptLogProblem, OpenError, Place, TableError};

use super::account::AccountError;
use crate::{error::CommandError, location::StoreLocationError};

/// Error of starting or stopping the server.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    #[error(
        "the key of devstoreaccount1 is public and accepted on loopback only; use accounts with private keys: --account NAME:KEY"
    )]
    KnownKey,
    #[error("other machines are served over TLS only; use --cert FILE --key FILE, or --host 127.0.0.1")]
    InTheClear,
    #[error("{} is writable by other users; run `chmod go-w` on it, or use --host 127.0.0.1", .0.display())]
    OpenToOthers(PathBuf),
    #[error("cannot use the directory {}: {error}", .directory.display())]
    Data { directory: PathBuf, error: io::Error },
    #[error("cannot record requests in {}: {error}; choose a new file with --record", .path.display())]
    Record { path: PathBuf, error: io::Error },
    #[error("{option}: {error}")]
    Design { option: &'static str, error: Box<CommandError> },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Open(StoreLocationError),
    #[error(
        "--store requires the address of a database: postgres://USER@HOST/DATABASE; use --data for a directory"
    )]
    NoDatabase,
    #[error(
        "several accounts require a schema each; write {{account}} in the address of the database, such as \
         ?schema={{account}}"
    )]
    OneSchema,
    #[error(
        "{place}: the kept log in {} {problem}; put the right files back, end the log with --end-kept-log, or start a new \
         log in an empty folder with --start-new-log, and make a new backup then",
        .folder.display()
    )]
    KeptLog { place: Place, folder: PathBuf, problem: KeptLogProblem },
    #[error("invalid --account: {0} (value not shown, as it may contain a key)")]
    Account(#[from] AccountError),
    /// The server cannot start; the remedy names an option of the command.
    #[error("{error}{remedy}")]
    Listen { error: io::Error, remedy: String },
    #[error("invalid log level or filter: {0}")]
    Log(String),
    #[cfg(feature = "otlp")]
    #[error(
        "cannot export spans: {0}; correct the variables OTEL_EXPORTER_OTLP_*, or set OTEL_SDK_DISABLED=true"
    )]
    Export(String),
    #[error("a store was not closed cleanly: {0}")]
    Close(TableError),
    #[error("stopped by a second signal before the shutdown was complete")]
    Hurried,
    #[error(transparent)]
    System(#[from] io::Error),
}

impl ServeError {
    /// Returns the error of a design that cannot be read.
    pub(super) fn design(option: &'static str, error: CommandError) -> Self {
        Self::Design { option, error: Box::new(error) }
    }

    /// Returns the error of a server that cannot start. `option` returns the option for the port of a service.
    pub(crate) fn listen(error: io::Error, option: impl FnOnce(ServiceKind) -> String) -> Self {
        let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<ListenError>());
        let remedy = match cause {
            Some(cause) if error.kind() == io::ErrorKind::AddrInUse => {
                format!("; stop the other program or choose another port with {}", option(cause.kind))
            }
            _ => String::new(),
        };
        Self::Listen { error, remedy }
    }
}

impl From<OpenError> for ServeError {
    fn from(error: OpenError) -> Self {
        match error {
            // The library names its own options, and another command that of the server.
            OpenError::KeptLog { place, folder, problem } if problem.allows_new_log() => {
                Self::KeptLog { place, folder, problem }
            }
            error => Self::Open(error.into()),
        }
    }
}
