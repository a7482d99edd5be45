//! Errors of pages: what happened, and the next step.

use hyper::StatusCode;
use table_model::{ErrorCode, StorageFault, TableError};
use table_rest::redacted;

/// An error that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    pub(crate) detail: String,
    /// The same request may succeed later, and repeating it changes nothing.
    pub(crate) is_temporary: bool,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { status, title: title.into(), detail: detail.into(), is_temporary: false }
    }

    /// The page or its subject does not exist.
    pub(crate) fn missing(what: impl Into<String>) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            what,
            "It may have been deleted or renamed; go back, or to the start page.",
        )
    }

    /// Creates the error of a change in a read-only explorer.
    pub(crate) fn read_only() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "Read-only",
            "Start the explorer with --write, or `tables serve` with --explorer-write, to change data.",
        )
    }

    /// A parameter is invalid.
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "Invalid request", detail)
    }
}

impl From<TableError> for Problem {
    fn from(error: TableError) -> Self {
        let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let title = if error.is_not_connected() {
            "The service is not reachable".to_owned()
        } else if let Some(StorageFault::Corrupt { .. }) = error.fault() {
            "A stored record is damaged".to_owned()
        } else {
            error.code().to_string()
        };
        let is_temporary = matches!(error.code(), ErrorCode::ServerBusy | ErrorCode::OperationTimedOut);
        Self { is_temporary, ..Self::new(status, title, detail(&error)) }
    }
}

/// Returns the message of a service with the id of the request and the next step, without credentials.
pub(crate) fn detail(error: &TableError) -> String {
    let mut detail = redacted(&error.to_string()).into_owned();
    if let Some(id) = error.request_id() {
        detail.push_str("\nRequest id: ");
        detail.push_str(id);
    }
    let next = match error.fault() {
        Some(StorageFault::Corrupt { .. }) => DAMAGED,
        Some(StorageFault::DiskFull { .. }) => "Reads still work.",
        _ => return detail,
    };
    detail.push('\n');
    detail.push_str(next);
    detail
}

/// What to do about damage of a store file.
pub(crate) const DAMAGED: &str = "Nothing of the record is returned. Stop the programs that use the file and run `tables scrub --store FILE`, \
                                  which lists all damage; then restore a backup, or copy what is readable with `tables salvage`.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_error_has_code_and_request_but_no_signature() {
        let error = TableError::with_message(ErrorCode::AuthenticationFailed, "no: ?sv=1&sig=abc%3D");
        let problem = Problem::from(error.of_request("r-1"));
        assert_eq!((problem.status.as_u16(), &*problem.title), (403, "AuthenticationFailed"));
        assert_eq!(problem.detail, "AuthenticationFailed (403): no: ?sv=1&sig=(hidden)\nRequest id: r-1");
        assert!(!problem.is_temporary);
    }

    #[test]
    fn a_fault_has_a_next_step() {
        let damaged = Problem::from(TableError::from(StorageFault::Corrupt { what: "x".to_owned() }));
        assert_eq!(damaged.title, "A stored record is damaged");
        assert!(damaged.detail.contains("tables scrub") && !damaged.is_temporary);
        let away = Problem::from(TableError::not_connected("cannot connect to http://127.0.0.1:1"));
        assert_eq!((&*away.title, away.is_temporary), ("The service is not reachable", true));
        assert!(Problem::from(TableError::new(ErrorCode::ServerBusy)).is_temporary);
    }
}
