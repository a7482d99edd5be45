use std::borrow::Cow;

use table_model::{ErrorCode, TableError};

/// An error response: the error of the service, and additional XML elements (`HeaderName`, `QueryParameterName`,
/// `AuthenticationErrorDetail`).
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Code, status and message.
    pub error: TableError,
    /// Additional elements of an XML error, in order.
    pub details: Vec<(&'static str, String)>,
    /// The cause for the server log, if it is more specific than the message. Contains no credential and no content.
    pub cause: Option<Cow<'static, str>>,
}

impl Refusal {
    /// Adds an element.
    #[must_use]
    pub fn with(mut self, element: &'static str, text: impl Into<String>) -> Self {
        self.details.push((element, text.into()));
        self
    }

    /// Sets the cause for the server log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Cow<'static, str>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Returns `true` if the server log contains the cause: for each 5xx, 401 and 403.
    pub(crate) fn is_logged(&self) -> bool {
        matches!(self.error.status(), 401 | 403 | 500..)
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Self { error, details: Vec::new(), cause: None }
    }
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Self {
        TableError::new(code).into()
    }
}
