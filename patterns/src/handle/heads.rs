//! Heads of change feeds that this process has read or written, so that a write need not read them again.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use table_model::ETag;

use crate::Address;

/// Maximum number of heads stored. Removing an entry costs one read.
const MOST: usize = 4_096;

/// The last record of a change feed in one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Number of the last record.
    pub(crate) sequence: u64,
    /// Version of the row of the head.
    pub(crate) etag: ETag,
}

/// The heads by the address of their row. Shared by all clones of a handle. An entry may be out of date: the write that
/// relies on it is then rejected, and the head is read.
#[derive(Debug, Default)]
pub(crate) struct Heads(Mutex<HashMap<Address, Head>>);

impl Heads {
    pub(crate) fn get(&self, row: &Address) -> Option<Head> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(row).cloned()
    }

    pub(crate) fn put(&self, row: Address, head: Head) {
        let mut heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if heads.len() >= MOST && !heads.contains_key(&row) {
            heads.clear();
        }
        heads.insert(row, head);
    }
}

#[cfg(test)]
mod tests {
    use table_model::{TableName, Timestamp};

    use super::*;

    #[test]
    fn number_of_heads_is_limited() {
        let (heads, table) = (Heads::default(), TableName::new("Orders").unwrap());
        let row = |number: usize| Address {
            table: table.clone(),
            partition_key: number.to_string(),
            row_key: "!h_Order".into(),
        };
        let head = |sequence| Head { sequence, etag: ETag::from(Timestamp::UNIX_EPOCH) };
        for number in 0..2 * MOST {
            heads.put(row(number), head(1));
        }
        assert!(heads.0.lock().unwrap().len() <= MOST);
        heads.put(row(2 * MOST), head(7));
        assert_eq!(heads.get(&row(2 * MOST)), Some(head(7)));
        assert_eq!(heads.get(&row(3 * MOST)), None);
    }
}
