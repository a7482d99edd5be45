use table_store::TableName;

use super::{FIRST, PARKED};
use crate::Address;

/// The proof of a write that rows in other partitions follow. A reader that is given it sees the write in them:
/// [`Query::after`](crate::Query::after).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Receipt {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) token: String,
}

impl Receipt {
    /// The RowKey of the commit record.
    pub(crate) fn row_key(&self) -> String {
        format!("{FIRST}{}", self.token)
    }

    /// Where the commit record is until all has followed.
    pub(crate) fn address(&self) -> Address {
        let (table, partition_key) = (self.table.clone(), self.partition_key.clone());
        Address { table, partition_key, row_key: self.row_key() }
    }

    /// Where the commit record is once it is parked.
    pub(crate) fn parked_address(&self) -> Address {
        Address { row_key: format!("{PARKED}{}", self.token), ..self.address() }
    }
}
