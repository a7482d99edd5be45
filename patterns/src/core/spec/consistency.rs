//! Consistency requirements of a query.

use table_model::TableName;

use crate::{Address, Error, WriteResult};

/// Commits that must be applied before a query reads, and whether the query validates its rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    /// Writes that must be visible: the address of the entity, and the token of the commit if it left a commit record.
    pub(crate) after: Vec<(Address, Option<String>)>,
    /// Partitions whose writes must all be visible.
    pub(crate) settled: Vec<Result<(TableName, String), Error>>,
    /// `true` if each row is compared with its entity.
    pub(crate) checked: bool,
    /// `true` if a write must be visible, also if its entity has no rows in other partitions.
    sees: bool,
}

impl Fresh {
    /// Adds a write that must be visible, unless its entity cannot have rows in other partitions.
    pub(crate) fn see(&mut self, written: &WriteResult) {
        self.sees = true;
        let token = written.receipt.as_ref().map(|receipt| receipt.token.clone());
        if written.is_far || token.is_some() {
            self.after.push((written.address.clone(), token));
        }
    }

    /// Returns `true` if any consistency requirement was specified. A cached result does not meet it.
    pub(crate) const fn is_required(&self) -> bool {
        self.sees || self.checked || !self.settled.is_empty()
    }

    /// Returns `true` if commits must be applied first.
    pub(crate) const fn asks(&self) -> bool {
        !self.after.is_empty() || !self.settled.is_empty()
    }
}

/// A query that is restricted to one partition: `Employee::rows("Sales")`, `Employee::point("Sales", 223)`.
pub trait InPartition {
    /// Returns the table and the PartitionKey.
    #[doc(hidden)]
    fn partition(&self) -> Result<(TableName, String), Error>;
}
