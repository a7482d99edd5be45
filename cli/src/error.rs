use std::{io, path::PathBuf, process::ExitCode};

use serde_json::{Value, json};
use table_codegen::{Diagnostic, Diagnostics, generate::FileError};
use table_exchange::{ExportError, ReadError};
use table_patterns::{DesignError, Unverifiable};
use table_rest::redacted;
use table_store::{BackupError, RestoreError, TableError, filter::FilterError};

use crate::{emulator::EmulatorError, location::StoreLocationError, serve::ServeError, text::json_text};

/// Error of a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Emulator(#[from] EmulatorError),
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    /// The error message of git.
    #[error("{of} is not a file, and git cannot read it: {reason}")]
    Revision { of: String, reason: String },
    #[error("{0}")]
    Diagnostics(Diagnostics),
    /// Constructs of a design that cannot be generated as Rust, formatted as diagnostics.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the design specifies no load; add a `[load.<Entity>]` table or a `rate` to a query")]
    NothingAsked,
    #[error(transparent)]
    Location(#[from] StoreLocationError),
    /// An error of a service.
    #[error(transparent)]
    Service(#[from] TableError),
    #[error("invalid filter: {0}")]
    Filter(#[from] FilterError),
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Backup(BackupError),
    #[error(transparent)]
    Restore(#[from] RestoreError),
    #[error("only a store file can be backed up, not a served account; use `tables export` for its tables")]
    NoCopy,
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// Invalid arguments.
    #[error("{0}")]
    Called(String),
    #[error("{}: {error}", .path.display())]
    Input { path: PathBuf, error: ReadError },
    #[error(
        "{}, line {number}: not a recorded request: {reason}; use a file that `tables serve --record` wrote, or remove the line",
        .path.display()
    )]
    Trace { path: PathBuf, number: u64, reason: String },
    /// An import that cannot be resumed.
    #[error("{0}; omit --resume to restart the import")]
    Resume(String),
    /// An entity that cannot be processed by its design.
    #[error(transparent)]
    Design(#[from] DesignError),
    #[error("cannot be written from a design: {0}")]
    Unverifiable(Unverifiable),
    /// A design that differs from its lock file.
    #[error(transparent)]
    Lock(#[from] table_patterns::lock::LockError),
    /// An error of the library.
    #[error(transparent)]
    Tables(#[from] Box<table_patterns::Error>),
    /// An incomplete operation; completed changes are kept.
    #[error("{0}")]
    Unfinished(String),
    #[error("cannot start the runtime: {0}")]
    Runtime(io::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// Returns whether the command line is invalid, rather than what it names.
    pub(crate) const fn is_usage(&self) -> bool {
        match self {
            Self::Called(_)
            | Self::Serve(ServeError::Account(_))
            | Self::Location(StoreLocationError::EndsByReading(_)) => true,
            Self::Emulator(error) => error.is_usage(),
            _ => false,
        }
    }
}

impl CommandError {
    /// Prints the error as a JSON object on standard error, and returns its exit code.
    pub(crate) fn print_json(&self) -> ExitCode {
        let diagnostics = match self {
            Self::Diagnostics(diagnostics) => diagnostics.iter().map(diagnostic).collect(),
            _ => Vec::new(),
        };
        let message = match diagnostics.len() {
            0 => self.to_string(),
            1 => "the design is invalid: 1 diagnostic".to_owned(),
            count => format!("the design is invalid: {count} diagnostics"),
        };
        print_json(&message, &diagnostics);
        if self.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
    }
}

/// Prints an error as a JSON object on standard error, without credentials.
pub(crate) fn print_json(message: &str, diagnostics: &[Value]) {
    let message = redacted(message.strip_prefix("error: ").unwrap_or(message).trim_end());
    let error = json!({ "error": { "message": message, "diagnostics": diagnostics } });
    eprint!("{}", json_text(format_args!("{error:#}")));
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity().to_string(),
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
    })
}

impl From<BackupError> for CommandError {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::File(error) => Self::Location(error.into()),
            error => Self::Backup(error),
        }
    }
}

impl From<ExportError> for CommandError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Output(error) => Self::Output(error),
            ExportError::Service(error) => Self::Service(error),
            other => Self::Output(io::Error::other(other)),
        }
    }
}

impl From<table_patterns::Error> for CommandError {
    fn from(error: table_patterns::Error) -> Self {
        Self::Tables(Box::new(error))
    }
}
