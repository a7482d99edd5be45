//! Where an entity is.

use std::fmt;

use table_store::TableName;

use crate::sealing::Place;

/// A table and the two keys in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) row_key: String,
}

impl Address {
    /// The table's name.
    pub const fn table(&self) -> &TableName {
        &self.table
    }

    /// The PartitionKey.
    pub fn partition_key(&self) -> &str {
        &self.partition_key
    }

    /// The RowKey.
    pub fn row_key(&self) -> &str {
        &self.row_key
    }

    /// The row, as what is sealed is bound to it.
    pub(crate) fn place(&self) -> Place<'_> {
        let Self { table, partition_key, row_key } = self;
        Place { table: table.as_str(), partition_key, row_key }
    }

    /// Whether the two can be written in one transaction.
    pub fn same_partition(&self, other: &Self) -> bool {
        self.table == other.table && self.partition_key == other.partition_key
    }
}

/// `Employees(PartitionKey='Sales',RowKey='empid_000223')`, as the service writes it.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |key: &str| key.replace('\'', "''");
        write!(
            f,
            "{}(PartitionKey='{}',RowKey='{}')",
            self.table,
            quoted(&self.partition_key),
            quoted(&self.row_key)
        )
    }
}
