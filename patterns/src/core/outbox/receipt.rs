use table_model::TableName;

use super::{DEAD_LETTERS, FIRST};
use crate::Address;

/// Receipt of a write that updates rows in other partitions. Readers with the receipt see the write in these rows:
/// [`Query::after`](crate::Query::after).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Receipt {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) token: String,
}

impl Receipt {
    /// Returns the RowKey of the commit record.
    pub(crate) fn row_key(&self) -> String {
        format!("{FIRST}{}", self.token)
    }

    /// Returns the address of the commit record until it is applied.
    pub(crate) fn address(&self) -> Address {
        let (table, partition_key) = (self.table.clone(), self.partition_key.clone());
        Address { table, partition_key, row_key: self.row_key() }
    }

    /// Returns the address of the commit record after it was dead-lettered.
    pub(crate) fn dead_letter_address(&self) -> Address {
        Address { row_key: format!("{DEAD_LETTERS}{}", self.token), ..self.address() }
    }
}
