use futures_util::{StreamExt, stream};
use table_model::{ErrorCode, Pending, TableError, TableName, TableService};

use super::window::{Group, Window};
use crate::send::{concurrency, create, send};

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
        Box::pin(create(self.service, self.table))
    }

    /// Writes a window. If the service rejects a transaction because of an entity, its entities are sent again one by
    /// one, so that all valid entities are written.
    ///
    /// # Errors
    /// Returns errors that do not concern a single entity: the table was deleted, the service does not respond, or the
    /// disk is full. Parts of the window may have been written.
    pub fn send(&self, window: Window) -> Pending<'s, Sent> {
        let this = *self;
        let at_once = concurrency(this.service);
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
        let outcome = send(self.service, self.table, &group.operations).await?;
        let refused = |(index, error): (usize, TableError)| {
            let line = group.lines.get(index).copied().unwrap_or_default();
            Refused { line, code: error.code(), reason: error.message().to_owned() }
        };
        let refused = outcome.rejected.into_iter().map(refused).collect();
        Ok(Sent { written: outcome.written, transactions: outcome.transactions, refused })
    }
}
