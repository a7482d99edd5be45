//! Errors of the database as errors of the service.

use std::{error::Error as _, fmt::Write as _, io};

use table_model::{ErrorCode, StorageFault, TableError};
use tokio_postgres::error::SqlState;

/// Text of the driver, whose errors have no code.
const MISSING_PASSWORD: &str = "invalid configuration: password missing";

/// What the failure of a statement means for its request.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The table does not exist (any more). The id of the name may have changed.
    NoTable,
    /// An entity to insert exists.
    Exists,
    /// The timestamp is not above that of a stored entity.
    Stale,
    /// Another transaction interfered. Repeat the request.
    Again,
    /// No response: a write may have been executed.
    Unknown(String),
    /// No response in time, with the same consequence. The database is not asked for the outcome, as it does not respond.
    Late(String),
    /// Any other error. Nothing was changed.
    Refused(TableError),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(cause) = error.as_db_error() else {
            if error.to_string() == MISSING_PASSWORD {
                return Self::Refused(TableError::with_message(
                    ErrorCode::AuthorizationFailure,
                    "The database requires a password. Add it to the address, or set PGPASSWORD.",
                ));
            }
            return Self::Unknown(disconnected(&error));
        };
        let (code, message) = (cause.code(), cause.message());
        match code.code() {
            _ if *code == SqlState::UNDEFINED_TABLE => Self::NoTable,
            _ if *code == SqlState::UNIQUE_VIOLATION => Self::Exists,
            _ if *code == SqlState::DIVISION_BY_ZERO => Self::Stale,
            _ if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED => {
                Self::Again
            }
            // An entry of an index is limited to about 2,700 bytes.
            _ if *code == SqlState::PROGRAM_LIMIT_EXCEEDED => Self::Refused(TableError::with_message(
                ErrorCode::KeyValueTooLarge,
                "The keys are too long for an index of the database: PostgreSQL allows about 2,700 bytes for both in UTF-8.",
            )),
            _ if *code == SqlState::QUERY_CANCELED => Self::Refused(busy(format!(
                "The database canceled the statement ({message}). Repeat the request, or increase the statement timeout."
            ))),
            _ if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::Refused(busy(
                "The database is a standby, which cannot write. Connect to the primary: list all hosts in the address, with \
                 target_session_attrs=read-write.",
            )),
            // A lock was not free in `lock_timeout`, or the transaction was idle for too long: it was rolled back.
            "55P03" | "25P03" => Self::Refused(busy(format!(
                "The database ended the transaction: {message}. Repeat the request."
            ))),
            // The server ends; a statement whose result is not known.
            "57P01" | "57P02" | "40003" => {
                Self::Unknown(format!("The database ended the connection: {message}."))
            }
            "57P03" => Self::Refused(TableError::not_connected(format!(
                "The database does not accept connections: {message}."
            ))),
            pooled @ ("08P01" | "26000" | "42P05") => Self::Refused(of_pooler(pooled, message)),
            "3D000" => Self::Refused(TableError::with_message(
                ErrorCode::InvalidInput,
                format!("No database: {message}."),
            )),
            class if class.starts_with("53") => {
                Self::Refused(busy(format!("The database has not enough resources: {message}.")))
            }
            // The account of the database, not that of the client, is refused.
            class if class.starts_with("28") => Self::Refused(TableError::not_connected(format!(
                "The database denied access: {message}. Check the user and the password of the address."
            ))),
            "42501" => Self::Refused(TableError::with_message(
                ErrorCode::AuthorizationFailure,
                format!("The database denied access: {message}."),
            )),
            other => Self::Refused(
                StorageFault::Bug { what: format!("the database rejected a statement: {message} ({other})") }
                    .into(),
            ),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::Refused(error)
    }
}

impl From<ErrorCode> for Failure {
    fn from(code: ErrorCode) -> Self {
        Self::Refused(code.into())
    }
}

impl From<StorageFault> for Failure {
    fn from(fault: StorageFault) -> Self {
        Self::Refused(fault.into())
    }
}

/// The error of a request whose failure has no better explanation. Those of a repeated request are handled before.
impl From<Failure> for TableError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoTable => ErrorCode::TableNotFound.into(),
            Failure::Exists => ErrorCode::EntityAlreadyExists.into(),
            Failure::Stale | Failure::Again => {
                busy("Other writers changed the same entities each time. Repeat the request.")
            }
            Failure::Unknown(reason) | Failure::Late(reason) => Self::no_response(reason),
            Failure::Refused(error) => error,
        }
    }
}

/// Returns the error of a pooler that does not keep the settings or the prepared statements of a connection.
fn of_pooler(code: &str, message: &str) -> TableError {
    let remedy = if code == "08P01" {
        "If a pooler such as PgBouncer is in between, add `options` to its ignore_startup_parameters, and set the settings of \
         the guide for the role"
    } else {
        "If a pooler such as PgBouncer is in between, use pool_mode=session: prepared statements belong to a connection"
    };
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!("The connection to the database failed: {message} ({code}). {remedy}."),
    )
}

/// Describes the failure of a connection with its causes.
fn disconnected(error: &tokio_postgres::Error) -> String {
    let mut text = format!("The connection to the database failed: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    let io = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    let tls = io.and_then(io::Error::get_ref).and_then(|cause| cause.downcast_ref());
    text.push_str(if matches!(tls, Some(rustls::Error::InvalidCertificate(_))) {
        ". Set root_certificates to the certificates of the authority of the server, and connect to a name in its certificate."
    } else {
        "."
    });
    text
}

pub(crate) fn busy(message: impl Into<String>) -> TableError {
    TableError::with_message(ErrorCode::ServerBusy, message)
}
