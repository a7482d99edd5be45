use futures_util::{StreamExt, stream};
use table_model::{ErrorCode, Operation, Pending, TableError, TableName, TableService};

use super::window::{Group, Window};

/// Maximum number of concurrent transactions.
const AT_ONCE: usize = 16;
/// Maximum number of concurrent transactions if the service groups many transactions into one commit.
const AT_ONCE_IN_ORDER: usize = 128;

/// Writes windows to a table.
#[derive(Clone, Copy, Debug)]
pub struct Import<'s> {
    service: &'s dyn TableService,
    table: &'s TableName,
}

/// The result of writing a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Number of written entities.
    pub written: u64,
    /// Number of transactions that wrote them. An entity that was written alone counts as one transaction.
    pub transactions: u64,
    /// The lines that the service rejected, in line order.
    pub refused: Vec<Refused>,
}

/// A line whose entity the service rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {code}: {reason}")]
pub struct Refused {
    /// The line number.
    pub line: u64,
    /// The error code of the service.
    pub code: ErrorCode,
    /// The error message of the service.
    pub reason: String,
}

impl<'s> Import<'s> {
    /// Creates an import into `table`.
    pub const fn new(service: &'s dyn TableService, table: &'s TableName) -> Self {
        Self { service, table }
    }

    /// Creates the table if it is missing. Missing permission to create tables is ignored; the writes report it if the
    /// table does not exist.
    ///
    /// # Errors
    /// Returns every other error of the service.
    pub fn prepare(&self) -> Pending<'s, ()> {
        let created = self.service.create_table(self.table);
        Box::pin(async {
            match created.await {
                Err(error) if !may_go_on(error.code()) => Err(error),
                _ => Ok(()),
            }
        })
    }

    /// Writes a window. If the service rejects a transaction because of an entity, its entities are sent again one by
    /// one, so that all valid entities are written.
    ///
    /// # Errors
    /// Returns errors that do not concern a single entity: the table was deleted, the service does not respond, or the
    /// disk is full. Parts of the window may have been written.
    pub fn send(&self, window: Window) -> Pending<'s, Sent> {
        let this = *self;
        let keeps_order = this.service.capabilities().keeps_order;
        let at_once = if keeps_order { AT_ONCE_IN_ORDER } else { AT_ONCE };
        Box::pin(async move {
            let groups = window.groups.into_iter().map(|group| this.group(group));
            let mut outcomes = stream::iter(groups).buffer_unordered(at_once);
            let mut sum = Sent::default();
            while let Some(sent) = outcomes.next().await {
                let sent = sent?;
                sum.written += sent.written;
                sum.transactions += sent.transactions;
                sum.refused.extend(sent.refused);
            }
            sum.refused.sort_by_key(|refused| refused.line);
            Ok(sum)
        })
    }

    async fn group(self, group: Group) -> Result<Sent, TableError> {
        let Group { operations, lines, .. } = group;
        let one = match operations.as_slice() {
            [operation] => self.service.execute(self.table, operation).await.map(drop),
            all => self.service.transact(self.table, all).await.map(drop),
        };
        match one {
            Ok(()) => Ok(Sent { written: count(lines.len()), transactions: 1, refused: Vec::new() }),
            Err(error) if !is_about_entity(&error) => Err(error),
            Err(error) if operations.len() == 1 => Ok(refused(&lines, &error)),
            Err(_) => self.one_by_one(&operations, &lines).await,
        }
    }

    async fn one_by_one(self, operations: &[Operation], lines: &[u64]) -> Result<Sent, TableError> {
        let mut sum = Sent::default();
        for (operation, line) in operations.iter().zip(lines) {
            match self.service.execute(self.table, operation).await {
                Ok(_) => {
                    sum.written += 1;
                    sum.transactions += 1;
                }
                Err(error) if is_about_entity(&error) => {
                    sum.refused.extend(refused(&[*line], &error).refused);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(sum)
    }
}

fn refused(lines: &[u64], error: &TableError) -> Sent {
    let refused =
        |line: &u64| Refused { line: *line, code: error.code(), reason: error.message().to_owned() };
    Sent { refused: lines.iter().map(refused).collect(), ..Sent::default() }
}

/// Returns whether an error concerns the sent entity, rather than the table or the service.
fn is_about_entity(error: &TableError) -> bool {
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
