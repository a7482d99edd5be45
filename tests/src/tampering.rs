//! A table service that modifies its transactions, for tests that must detect this.

use std::fmt;

use table_store::{Operation, Result, TableName, TableService, Written, service::Pending};

use crate::forward;

/// A service that modifies its transactions.
pub struct Tampering<S, F> {
    below: S,
    change: F,
}

impl<S, F: Fn(&mut Vec<Operation>)> Tampering<S, F> {
    /// Creates the service. `change` modifies the operations of a transaction. Removed operations are reported as
    /// successful.
    pub const fn new(below: S, change: F) -> Self {
        Self { below, change }
    }
}

impl<S: fmt::Debug, F> fmt::Debug for Tampering<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tampering").field(&self.below).finish()
    }
}

impl<S: TableService, F: Fn(&mut Vec<Operation>) + Send + Sync> TableService for Tampering<S, F> {
    forward!(self, to self.below => capabilities create_table delete_table list_tables find query execute);

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        Box::pin(async move {
            let mut changed = operations.to_vec();
            (self.change)(&mut changed);
            let mut answers: Result<Vec<Written>> = self.below.transact(table, &changed).await;
            if let Ok(answers) = &mut answers {
                answers.resize(operations.len(), Written::Deleted);
            }
            answers
        })
    }
}
