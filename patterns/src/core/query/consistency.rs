//! Consistency requirements of a query.

use table_model::TableName;

use super::{One, PointQuery, Rows};
use crate::{
    Address, Error, FromRow, TableEntity, Tables, WriteResult,
    core::kinds::Kind,
    follow::reader::{apply_all, apply_of_entity},
};

/// Maximum number of attempts to apply a commit if the response to a write is lost. Each attempt reads the current
/// rows, and each write is conditional on the ETag that was read, so no write is applied twice.
const ATTEMPTS: u32 = 4;

/// Commits that must be applied before a query reads, and whether the query validates its rows.
#[derive(Clone, Debug)]
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
    /// Returns no requirement.
    pub(super) const fn none() -> Self {
        Self { after: Vec::new(), settled: Vec::new(), checked: false, sees: false }
    }

    /// Adds a write that must be visible, unless its entity cannot have rows in other partitions.
    pub(super) fn see(&mut self, written: &WriteResult) {
        self.sees = true;
        let token = written.receipt.as_ref().map(|receipt| receipt.token.clone());
        if written.is_far || token.is_some() {
            self.after.push((written.address.clone(), token));
        }
    }

    /// Returns `true` if any consistency requirement was specified. A cached result does not meet it.
    pub(super) const fn is_required(&self) -> bool {
        self.sees || self.checked || !self.settled.is_empty()
    }

    /// Returns `true` if commits must be applied first.
    pub(super) const fn asks(&self) -> bool {
        !self.after.is_empty() || !self.settled.is_empty()
    }

    /// Applies the required commits. A call after a failure continues with the remaining commits.
    pub(super) async fn prepare(&mut self, tables: &Tables, of: Option<(Kind, usize)>) -> Result<(), Error> {
        if let Some((kind, _)) = of {
            tables.kinds().learn(kind)?;
        }
        let mut attempt = 1;
        loop {
            match self.follow(tables).await {
                Err(error) if error.is_outcome_unknown() && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    /// Applies the remaining commits.
    async fn follow(&mut self, tables: &Tables) -> Result<(), Error> {
        while let Some((entity, token)) = self.after.last() {
            apply_of_entity(tables, entity, token.as_deref()).await?;
            self.after.pop();
        }
        while let Some(partition) = self.settled.last().cloned() {
            let (table, partition_key) = partition?;
            apply_all(tables, &table, &partition_key).await?;
            self.settled.pop();
        }
        Ok(())
    }
}

/// A query that is restricted to one partition: `Employee::rows("Sales")`, `Employee::point("Sales", 223)`.
pub trait InPartition {
    /// Returns the table and the PartitionKey.
    #[doc(hidden)]
    fn partition(&self) -> Result<(TableName, String), Error>;
}

impl<E: TableEntity, Parts, R: FromRow> InPartition for Rows<E, Parts, R, One> {
    fn partition(&self) -> Result<(TableName, String), Error> {
        self.home()
    }
}

impl<E: 'static, R: FromRow> InPartition for PointQuery<E, R> {
    fn partition(&self) -> Result<(TableName, String), Error> {
        self.address().map(|address| (address.table, address.partition_key))
    }
}
