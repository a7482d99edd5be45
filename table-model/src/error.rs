//! Service errors and their codes.

mod code;
mod fault;

pub use code::ErrorCode;
pub use fault::StorageFault;

use std::fmt;

/// An error of the service: its code, the HTTP status of the code, a message and, for an entity group transaction, the
/// index of the failed operation (`G-EGT-2`).
///
/// ```
/// use table_model::{ErrorCode, TableError};
///
/// let error = TableError::new(ErrorCode::EntityAlreadyExists).at(3);
/// assert_eq!(error.status(), 409);
/// assert_eq!(error.index(), Some(3));
/// assert_eq!(error.to_string(), "EntityAlreadyExists (409), operation 3: The specified entity already exists.");
/// ```
#[derive(Clone)]
pub struct TableError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: ErrorCode,
    message: Option<String>,
    index: Option<usize>,
    fault: Option<StorageFault>,
    /// A conditional read found no change. This is not a failure and has a different status.
    not_modified: bool,
    /// No connection to the server was established.
    not_connected: bool,
    /// Id that the service gave the request.
    request_id: Option<Box<str>>,
}

impl TableError {
    /// Creates an error with the service's standard message for `code`.
    #[must_use]
    pub fn new(code: ErrorCode) -> Self {
        Self(Box::new(Inner {
            code,
            message: None,
            index: None,
            fault: None,
            not_modified: false,
            not_connected: false,
            request_id: None,
        }))
    }

    /// Creates the result of a conditional read that found no change: `ConditionNotMet` with status 304.
    #[must_use]
    pub fn not_modified() -> Self {
        let mut error = Self::new(ErrorCode::ConditionNotMet);
        error.0.not_modified = true;
        error
    }

    /// Creates an error with a more specific message than the standard one.
    #[must_use]
    pub fn with_message(code: ErrorCode, message: impl Into<String>) -> Self {
        let mut error = Self::new(code);
        error.0.message = Some(message.into());
        error
    }

    /// Creates an error for a request without a response, because the connection failed or the request timed out. `reason`
    /// describes the cause.
    ///
    /// ```
    /// use table_model::{ErrorCode, TableError};
    ///
    /// assert!(TableError::no_response("the connection was reset").is_outcome_unknown());
    /// assert!(!TableError::new(ErrorCode::EntityAlreadyExists).is_outcome_unknown());
    /// ```
    #[must_use]
    pub fn no_response(reason: impl Into<String>) -> Self {
        Self::with_message(ErrorCode::OperationTimedOut, reason)
    }

    /// Creates an error for a request that was not sent, because no connection was established. `message` contains the
    /// address and the cause. The code is `ServerBusy`, as the request was not executed.
    ///
    /// ```
    /// use table_model::{ErrorCode, TableError};
    ///
    /// let error = TableError::not_connected("cannot connect to http://127.0.0.1:1: connection refused");
    /// assert!(error.is_not_connected() && !error.is_outcome_unknown());
    /// assert_eq!(error.code(), ErrorCode::ServerBusy);
    /// assert_eq!(error.to_string(), "cannot connect to http://127.0.0.1:1: connection refused");
    /// ```
    #[must_use]
    pub fn not_connected(message: impl Into<String>) -> Self {
        let mut error = Self::with_message(ErrorCode::ServerBusy, message);
        error.0.not_connected = true;
        error
    }

    /// Replaces the message.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.0.message = Some(message.into());
        self
    }

    /// Sets the id that the service gave the request.
    #[must_use]
    pub fn of_request(mut self, id: &str) -> Self {
        self.0.request_id = Some(id.into());
        self
    }

    /// Sets the index of the failed operation of a transaction, counted from 0.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.0.index = Some(index);
        self
    }

    /// Removes the operation index.
    #[must_use]
    pub fn without_index(mut self) -> Self {
        self.0.index = None;
        self
    }

    /// Returns the service's error code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Returns the HTTP status of the error.
    pub fn status(&self) -> u16 {
        if self.0.not_modified { 304 } else { self.0.code.status() }
    }

    /// Returns the message for display, without the operation index; see [`TableError::index`].
    pub fn message(&self) -> &str {
        self.0.message.as_deref().unwrap_or_else(|| self.0.code.message())
    }

    /// Returns the index of the failed operation of a transaction, counted from 0.
    pub fn index(&self) -> Option<usize> {
        self.0.index
    }

    /// Returns the id that the service gave the request, for its support and its logs. `None` if no service responded.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Returns the storage fault that caused the error: a disk error or a damaged record.
    pub fn fault(&self) -> Option<&StorageFault> {
        self.0.fault.as_ref()
    }

    /// Returns `true` if the requested resource or its parent does not exist.
    pub fn is_not_found(&self) -> bool {
        self.status() == 404
    }

    /// Returns `true` if a condition failed: the ETag has changed, or the resource to create already exists. A
    /// conditional read that found no change is not a conflict.
    pub fn is_conflict(&self) -> bool {
        matches!(
            self.code(),
            ErrorCode::UpdateConditionNotSatisfied
                | ErrorCode::EntityAlreadyExists
                | ErrorCode::TableAlreadyExists
                | ErrorCode::ConditionNotMet
                | ErrorCode::AppendPositionConditionNotMet
                | ErrorCode::BlobAlreadyExists
                | ErrorCode::ContainerAlreadyExists
                | ErrorCode::QueueAlreadyExists
        ) && !self.is_not_modified()
    }

    /// Returns `true` if the outcome of the request is unknown, because no response arrived or the response does not
    /// report the outcome. A write may have been applied, may still be applied later, or may never be applied. All
    /// other errors mean that the request was not executed.
    ///
    /// [`TableError::no_response`] creates the error of a broken connection. `ServerBusy` is not included: the service
    /// rejects such a request before executing it.
    pub fn is_outcome_unknown(&self) -> bool {
        match self.fault() {
            Some(fault) => matches!(fault, StorageFault::Io(_) | StorageFault::DiskFull { .. }),
            None => matches!(self.code(), ErrorCode::OperationTimedOut | ErrorCode::InternalError),
        }
    }

    /// Returns `true` if no connection to the server was established. No server has returned the code of the error.
    pub fn is_not_connected(&self) -> bool {
        self.0.not_connected
    }

    /// Returns `true` if a conditional read found no change.
    pub fn is_not_modified(&self) -> bool {
        self.0.not_modified
    }
}

impl From<StorageFault> for TableError {
    fn from(fault: StorageFault) -> Self {
        let message = format!("The server encountered an internal error: {fault}");
        let mut error = Self::with_message(ErrorCode::InternalError, message);
        error.0.fault = Some(fault);
        error
    }
}

impl From<ErrorCode> for TableError {
    fn from(code: ErrorCode) -> Self {
        Self::new(code)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_not_connected() {
            return f.write_str(self.message());
        }
        write!(f, "{} ({})", self.code(), self.status())?;
        if let Some(index) = self.index() {
            write!(f, ", operation {index}")?;
        }
        write!(f, ": {}", self.message())
    }
}

impl fmt::Debug for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableError")
            .field("code", &self.code())
            .field("status", &self.status())
            .field("index", &self.index())
            .field("message", &self.message())
            .finish()
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.fault.as_ref().map(|fault| fault as _)
    }
}
