//! How fresh what a query finds must be.

use table_store::TableName;

use super::{One, PointQuery, Rows};
use crate::{
    Address, Error, FromRow, TableEntity, Tables, Written,
    follow::reader::{apply_all, apply_of_entity},
    kinds::Kind,
};

/// How often a commit is concluded where the answer of one of its writes is lost. Each attempt reads what is there, and each write
/// is under the version that was read: nothing is done twice.
const ATTEMPTS: u32 = 4;

/// What must have been followed before a query reads, and whether what it reads is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    /// Writes that must be seen: the entity, and the token of the commit if it left a record.
    pub(crate) after: Vec<(Address, Option<String>)>,
    /// Partitions all of whose writes must be.
    pub(crate) settled: Vec<Result<(TableName, String), Error>>,
    /// Whether each row is compared with its entity.
    pub(crate) checked: bool,
}

impl Fresh {
    /// Adds a write that must be seen, unless its entity can have no rows in other partitions.
    pub(super) fn see(&mut self, written: &Written) {
        let token = written.receipt.as_ref().map(|receipt| receipt.token.clone());
        if written.is_far || token.is_some() {
            self.after.push((written.address.clone(), token));
        }
    }

    /// Whether something must be seen.
    pub(super) const fn asks(&self) -> bool {
        !self.after.is_empty() || !self.settled.is_empty()
    }

    /// Follows what must be seen. What was done is not done again where it is called once more after a failure.
    pub(super) async fn prepare(&mut self, tables: &Tables, of: Option<(Kind, usize)>) -> Result<(), Error> {
        if let Some((kind, _)) = of {
            tables.kinds().learn(kind)?;
        }
        let mut attempt = 1;
        loop {
            match self.follow(tables).await {
                Err(error) if error.is_unknown() && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    /// Follows what is left to be seen.
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

/// What is in one partition, and so says which: `Employee::rows("Sales")`, `Employee::point("Sales", 223)`.
pub trait InPartition {
    /// The table and the PartitionKey.
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
