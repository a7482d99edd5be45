//! Failed calls, as an assistant reads them.

use std::{fmt, time::Duration};

use table_store::{ErrorCode, TableError};

use crate::{error::CommandError, location::StoreLocationError, text::counted};

/// A failed call: its cause and its remedy.
#[derive(Debug)]
pub(super) struct Failure {
    cause: String,
    remedy: Option<&'static str>,
}

impl Failure {
    pub(super) fn new(cause: impl Into<String>, remedy: &'static str) -> Self {
        Self { cause: cause.into(), remedy: Some(remedy) }
    }

    /// Creates a failure whose message contains its remedy, or has none.
    pub(super) fn told(cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), remedy: None }
    }

    pub(super) fn timed_out(timeout: Duration) -> Self {
        let time = counted(timeout.as_secs(), "second");
        Self::new(
            format!("the call took longer than {time}; a write may have taken effect"),
            "select fewer entities, or start `tables mcp` with a longer --timeout; after a write, read the entity",
        )
    }

    /// Creates the failure of a cancelled call, which is never sent: a cancelled request has no response.
    pub(super) fn cancelled() -> Self {
        Self::told("the call was cancelled")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Diagnostics of a design already have their severity.
        let prefix = if self.cause.starts_with("error") { "" } else { "error: " };
        write!(f, "{prefix}{}", self.cause.trim_end())?;
        match self.remedy {
            Some(remedy) => write!(f, "\nremedy: {remedy}"),
            None => Ok(()),
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Service(error) => error.into(),
            CommandError::Filter(_) => Self::new(
                error.to_string(),
                "see the resource tables://guide/filters; the key conditions can also be `partition` and `row`",
            ),
            CommandError::Location(StoreLocationError::InUse(place)) => Self::new(
                format!("{place}: the store is in use by another process"),
                "retry when the other program is done; for the file of `tables serve`, start `tables mcp` with the \
                 connection string of the server",
            ),
            error => Self::told(error.to_string()),
        }
    }
}

impl From<StoreLocationError> for Failure {
    fn from(error: StoreLocationError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        // The message of a failed connection contains the remedy, if there is one.
        let remedy = if error.is_not_connected() { None } else { remedy(error.code()) };
        Self { cause: error.to_string(), remedy }
    }
}

/// Returns the remedy for an error that the service reports without one.
fn remedy(code: ErrorCode) -> Option<&'static str> {
    Some(match code {
        ErrorCode::TableNotFound => "call `list_contents` for the names of the tables",
        ErrorCode::UpdateConditionNotSatisfied => {
            "another client has changed the entity; call `get_entity`, and retry with its `odata.etag`"
        }
        ErrorCode::ResourceNotFound => "call `query_entities` for the keys of existing entities",
        ErrorCode::InvalidInput => "compare the arguments with the examples of the tool",
        ErrorCode::AuthenticationFailed | ErrorCode::AuthorizationFailure => {
            "the key or signature in --store or TABLES_STORE does not permit this; ask the user"
        }
        ErrorCode::ServerBusy => "retry later, with fewer entities",
        _ => return None,
    })
}
