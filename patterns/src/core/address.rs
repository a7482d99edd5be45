//! Entity addresses.

use std::fmt;

use table_model::TableName;

use crate::core::place::Place;

/// Address of an entity: a table, a partition key and a row key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) row_key: String,
}

impl Address {
    /// Returns the table name.
    pub const fn table(&self) -> &TableName {
        &self.table
    }

    /// Returns the partition key.
    pub fn partition_key(&self) -> &str {
        &self.partition_key
    }

    /// Returns the row key.
    pub fn row_key(&self) -> &str {
        &self.row_key
    }

    /// Returns the row identity that encrypted values are bound to.
    pub(crate) fn place(&self) -> Place<'_> {
        let Self { table, partition_key, row_key } = self;
        Place { table: table.as_str(), partition_key, row_key }
    }

    /// Returns whether both addresses are in the same partition, so that one transaction can write both.
    pub fn same_partition(&self, other: &Self) -> bool {
        self.table == other.table && self.partition_key == other.partition_key
    }
}

/// Formats as the service does: `Employees(PartitionKey='Sales',RowKey='empid_000223')`.
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
