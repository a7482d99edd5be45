//! Errors of pages: what happened, and the next step.

use hyper::StatusCode;
use table_model::TableError;

/// An error that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    pub(crate) detail: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { status, title: title.into(), detail: detail.into() }
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
        Self::new(StatusCode::FORBIDDEN, "Read-only", "Start the explorer with --write to change data.")
    }

    /// A parameter is invalid.
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "Invalid request", detail)
    }
}

impl From<TableError> for Problem {
    fn from(error: TableError) -> Self {
        let status = StatusCode::from_u16(error.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(status, error.code().to_string(), error.to_string())
    }
}
