use table_store::{ErrorCode, TableError};

/// An error on its way to the client: the service's own, and what an XML error says beside it (`HeaderName`,
/// `QueryParameterName`, `AuthenticationErrorDetail`).
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Code, status and message.
    pub error: TableError,
    /// Further elements of an XML error, in their order.
    pub details: Vec<(&'static str, String)>,
}

impl Refusal {
    /// The same with one element more.
    #[must_use]
    pub fn with(mut self, element: &'static str, text: impl Into<String>) -> Self {
        self.details.push((element, text.into()));
        self
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Self { error, details: Vec::new() }
    }
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Self {
        TableError::new(code).into()
    }
}
