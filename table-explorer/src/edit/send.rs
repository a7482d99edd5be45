//! Writes and their failures.

use table_model::{ErrorCode, Operation, TableName};
use table_patterns::Address;

use crate::Place;

/// Failure of a write.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// Another version is stored than the write requires.
    Changed,
    /// The entity does not exist.
    Deleted,
    /// An entity with the keys exists.
    Exists,
    /// The outcome of the write is unknown.
    Unknown(String),
    /// A row has the key that a row of the entity requires.
    Taken(String, Box<Address>),
    /// The service or its rules rejected the write.
    Rejected(String),
}

/// What to do about a row in the way.
const REMEDY: &str = "Choose another value, or open that row: its page shows the entity that it belongs to. If it belongs to none, \"Verify \
                      and repair\" there removes it; a row that was written without the design is deleted by an explorer with --write --raw.";

impl Failure {
    /// Returns why a change in the basket is not committed.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Changed => "The entity has changed since its change was added.".to_owned(),
            Self::Deleted => "The entity has been deleted since its change was added.".to_owned(),
            Self::Exists => "An entity with these keys exists.".to_owned(),
            Self::Taken(error, _) => format!("{error}.\n{REMEDY}"),
            Self::Unknown(error) | Self::Rejected(error) => error.clone(),
        }
    }
}

/// Checks operations by the rules of the service, and sends them as they are: one alone, several as one transaction.
///
/// # Errors
///
/// Returns the failure, and the index of the failed operation of a transaction. Nothing is sent again.
pub(crate) async fn send(
    place: &Place,
    table: &TableName,
    operations: &[Operation],
) -> Result<(), (Option<usize>, Failure)> {
    let tables = &place.tables;
    let length = tables.capabilities().key_length;
    let sent = match (Operation::check_transaction(operations, length), operations) {
        (Err(error), _) => Err(error),
        (Ok(()), [operation]) => tables.execute(table, operation).await.map(drop),
        (Ok(()), operations) => tables.transact(table, operations).await.map(drop),
    };
    sent.map_err(|error| {
        let failure = match error.code() {
            ErrorCode::UpdateConditionNotSatisfied => Failure::Changed,
            ErrorCode::ResourceNotFound => Failure::Deleted,
            ErrorCode::EntityAlreadyExists => Failure::Exists,
            _ if error.is_outcome_unknown() => Failure::Unknown(error.to_string()),
            _ => Failure::Rejected(error.to_string()),
        };
        (error.index(), failure)
    })
}
