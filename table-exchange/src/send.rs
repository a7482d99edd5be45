//! Transactions on a table, whose valid entities are written even if the service rejects others of them.

use table_model::{ErrorCode, Operation, Result, TableError, TableName, TableService};

/// Maximum number of concurrent transactions.
const AT_ONCE: usize = 16;
/// Maximum number of concurrent transactions if the service groups many transactions into one commit.
const AT_ONCE_IN_ORDER: usize = 128;

/// The outcome of a transaction.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Number of executed operations.
    pub(crate) written: u64,
    /// Number of requests that executed them.
    pub(crate) transactions: u64,
    /// The operations that the service rejected, by their index, in order.
    pub(crate) rejected: Vec<(usize, TableError)>,
}

/// Returns the number of transactions to send concurrently.
pub(crate) fn concurrency(service: &dyn TableService) -> usize {
    if service.capabilities().keeps_order { AT_ONCE_IN_ORDER } else { AT_ONCE }
}

/// Creates a table if it is missing. Missing permission to create tables is ignored; the writes report it if the table
/// does not exist.
pub(crate) async fn create(service: &dyn TableService, table: &TableName) -> Result<()> {
    match service.create_table(table).await {
        Err(error) if !may_go_on(error.code()) => Err(error),
        _ => Ok(()),
    }
}

/// Executes operations on one partition. If the service rejects the transaction because of an entity, the operations are
/// sent again one by one.
///
/// # Errors
/// Returns errors that do not concern a single entity. Some operations may have been executed.
pub(crate) async fn send(
    service: &dyn TableService,
    table: &TableName,
    operations: &[Operation],
) -> Result<Outcome> {
    if operations.len() > 1 {
        match service.transact(table, operations).await {
            Ok(_) => {
                return Ok(Outcome {
                    written: count(operations.len()),
                    transactions: 1,
                    rejected: Vec::new(),
                });
            }
            Err(error) if !is_about_entity(&error) => return Err(error),
            Err(_) => {}
        }
    }
    let mut outcome = Outcome::default();
    for (index, operation) in operations.iter().enumerate() {
        match service.execute(table, operation).await {
            Ok(_) => {
                outcome.written += 1;
                outcome.transactions += 1;
            }
            Err(error) if is_about_entity(&error) => outcome.rejected.push((index, error)),
            Err(error) => return Err(error),
        }
    }
    Ok(outcome)
}

/// Returns whether an error concerns the sent entity, rather than the table or the service.
pub(crate) fn is_about_entity(error: &TableError) -> bool {
    let is_of_table = matches!(error.code(), ErrorCode::TableNotFound | ErrorCode::TableBeingDeleted);
    !is_of_table && matches!(error.status(), 400 | 404 | 409 | 412 | 413)
}

const fn may_go_on(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::TableAlreadyExists
            | ErrorCode::AuthorizationFailure
            | ErrorCode::AuthorizationPermissionMismatch
            | ErrorCode::AuthorizationResourceTypeMismatch
    )
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
