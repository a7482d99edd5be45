//! How fresh what a query finds must be.

use table_store::TableName;

use super::{One, PointQuery, Rows};
use crate::{Error, FromRow, Receipt, TableEntity, Tables, follow, kinds::Kind};

/// What must have been followed before a query reads, and whether what it reads is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    /// Writes that must be seen.
    pub(crate) after: Vec<Receipt>,
    /// Partitions all of whose writes must be.
    pub(crate) settled: Vec<Result<(TableName, String), Error>>,
    /// Whether each row is compared with its entity.
    pub(crate) checked: bool,
}

impl Fresh {
    /// Whether something must be seen.
    pub(super) const fn asks(&self) -> bool {
        !self.after.is_empty() || !self.settled.is_empty()
    }

    /// Follows what must be seen. What was done is not done again where it is called once more after a failure.
    pub(super) async fn prepare(&mut self, tables: &Tables, of: Option<(Kind, usize)>) -> Result<(), Error> {
        if let Some((kind, _)) = of {
            tables.kinds().learn(kind);
        }
        while let Some(receipt) = self.after.last() {
            follow::help(tables, receipt).await?;
            self.after.pop();
        }
        while let Some(partition) = self.settled.last().cloned() {
            let (table, partition_key) = partition?;
            follow::partition::help(tables, &table, &partition_key).await?;
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
