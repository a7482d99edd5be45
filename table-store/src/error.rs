//! What the service refuses, and with which code.

mod code;
mod fault;

pub use code::ErrorCode;
pub use fault::StorageFault;

use std::fmt;

/// A refusal of the service: its code, the HTTP status that goes with it, a message, and in an entity group
/// transaction the index of the operation at fault (`G-EGT-2`).
///
/// ```
/// use table_store::{ErrorCode, TableError};
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
    /// A read found nothing new, which is no failure: another status.
    not_modified: bool,
}

impl TableError {
    /// The error with the service's own text for `code`.
    #[must_use]
    pub fn new(code: ErrorCode) -> Self {
        Self(Box::new(Inner { code, message: None, index: None, fault: None, not_modified: false }))
    }

    /// What a conditional read answers if there is nothing new: `ConditionNotMet` with status 304.
    #[must_use]
    pub fn not_modified() -> Self {
        let mut error = Self::new(ErrorCode::ConditionNotMet);
        error.0.not_modified = true;
        error
    }

    /// The error with a text that says more than the service's own.
    #[must_use]
    pub fn with_message(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = Some(message.into());
        Self(Box::new(Inner { code, message, index: None, fault: None, not_modified: false }))
    }

    /// No answer came: the connection broke, or nobody waited any longer. `why` says what is known of it.
    ///
    /// ```
    /// use table_store::{ErrorCode, TableError};
    ///
    /// assert!(TableError::unanswered("the connection was reset").is_unknown());
    /// assert!(!TableError::new(ErrorCode::EntityAlreadyExists).is_unknown());
    /// ```
    #[must_use]
    pub fn unanswered(why: impl Into<String>) -> Self {
        Self::with_message(ErrorCode::OperationTimedOut, why)
    }

    /// The same error, said of operation `index` (counted from 0) of a transaction.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.0.index = Some(index);
        self
    }

    /// The same error, said of no operation in particular.
    #[must_use]
    pub fn without_index(mut self) -> Self {
        self.0.index = None;
        self
    }

    /// The service's error code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The HTTP status that the service answers with.
    pub fn status(&self) -> u16 {
        if self.0.not_modified { 304 } else { self.0.code.status() }
    }

    /// The text for people. Without the index: see [`TableError::index`].
    pub fn message(&self) -> &str {
        self.0.message.as_deref().unwrap_or_else(|| self.0.code.message())
    }

    /// Which operation of a transaction was refused, counted from 0.
    pub fn index(&self) -> Option<usize> {
        self.0.index
    }

    /// What went wrong below the service: the disk, or a damaged record.
    pub fn fault(&self) -> Option<&StorageFault> {
        self.0.fault.as_ref()
    }

    /// What was asked for is not there, or what holds it.
    pub fn is_not_found(&self) -> bool {
        self.status() == 404
    }

    /// A condition failed: the ETag has moved, or what was to be new exists already. A conditional read that found
    /// nothing new is none.
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

    /// Whether the request was done cannot be told from this: no answer came, or one that does not say. A write may have
    /// been done, may be done still, or never. All other errors say that it was not done.
    ///
    /// A request whose connection broke is told with [`TableError::unanswered`]. `ServerBusy` is not among them: the
    /// service turns such a request away before it begins.
    pub fn is_unknown(&self) -> bool {
        match self.fault() {
            Some(fault) => matches!(fault, StorageFault::Io(_) | StorageFault::DiskFull),
            None => matches!(self.code(), ErrorCode::OperationTimedOut | ErrorCode::InternalError),
        }
    }

    /// A conditional read found nothing new.
    pub fn is_not_modified(&self) -> bool {
        self.0.not_modified
    }
}

impl From<StorageFault> for TableError {
    fn from(fault: StorageFault) -> Self {
        let message = format!("The server encountered an internal error: {fault}");
        Self(Box::new(Inner {
            code: ErrorCode::InternalError,
            message: Some(message),
            index: None,
            fault: Some(fault),
            not_modified: false,
        }))
    }
}

impl From<ErrorCode> for TableError {
    fn from(code: ErrorCode) -> Self {
        Self::new(code)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
