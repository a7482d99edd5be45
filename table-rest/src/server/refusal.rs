use std::borrow::Cow;

use table_store::{ErrorCode, TableError};

/// An error on its way to the client: the service's own, and what an XML error says beside it (`HeaderName`,
/// `QueryParameterName`, `AuthenticationErrorDetail`).
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Code, status and message.
    pub error: TableError,
    /// Further elements of an XML error, in their order.
    pub details: Vec<(&'static str, String)>,
    /// The cause for the server's log, where it says more than the message. Contains no credential and no content.
    pub cause: Option<Cow<'static, str>>,
}

impl Refusal {
    /// The same with one element more.
    #[must_use]
    pub fn with(mut self, element: &'static str, text: impl Into<String>) -> Self {
        self.details.push((element, text.into()));
        self
    }

    /// Returns the refusal with the cause for the server's log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Cow<'static, str>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Returns whether the server's log names the cause: for each 5xx, 401 and 403.
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
