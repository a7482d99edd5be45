//! Rows of the outbox: the commit records of writes that also affect rows in other partitions.
//!
//! A writer inserts a commit record in the transaction of its write, and a worker deletes it after it was applied. A
//! backend that supports [`TableService::list_outbox`] recognizes these rows by their RowKeys and one property, so that
//! it lists the records of all clients, also of those that write through REST.

use crate::{PropertiesRef, TableName, ValueRef};

#[cfg(doc)]
use crate::TableService;

/// Name of the property that contains the type of a row of the outbox.
pub const RECORD_TYPE: &str = "_k";

/// Value of [`RECORD_TYPE`] in a commit record.
pub const COMMIT_RECORD: &str = "c";

/// Value of [`RECORD_TYPE`] in an abort record. It is stored at the key of the commit record of an aborted attempt and
/// prevents its insertion. Nothing in it has to be applied.
pub const ABORT_RECORD: &str = "a";

/// Returns whether the properties of a row of the outbox are those of an abort record.
pub fn is_abort_record(properties: PropertiesRef<'_>) -> bool {
    properties.get(RECORD_TYPE) == Some(ValueRef::String(ABORT_RECORD))
}

/// Kind of the rows that [`TableService::list_outbox`] lists. It is determined by the RowKey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutboxKind {
    /// Commit records that have not been applied yet. Abort records have the same RowKeys; a backend does not list
    /// them.
    Commits,
    /// Dead-lettered commit records.
    DeadLetters,
}

impl OutboxKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Commits, Self::DeadLetters];

    /// Returns the kind of a row with this RowKey, as a string or its UTF-8 bytes; `None` for all other rows.
    ///
    /// ```
    /// use table_model::outbox::OutboxKind;
    ///
    /// assert_eq!(OutboxKind::of("!o_01"), Some(OutboxKind::Commits));
    /// assert_eq!(OutboxKind::of("empid_000223"), None);
    /// ```
    pub fn of(row_key: impl AsRef<[u8]>) -> Option<Self> {
        let row_key = row_key.as_ref();
        Self::ALL.into_iter().find(|kind| row_key.starts_with(kind.prefix().as_bytes()))
    }

    /// Returns the prefix of the RowKeys.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Commits => "!o_",
            Self::DeadLetters => "!x_",
        }
    }

    /// Returns the exclusive upper bound of the RowKeys in key order.
    pub const fn end(self) -> &'static str {
        match self {
            Self::Commits => "!p",
            Self::DeadLetters => "!y",
        }
    }

    /// Returns the byte that identifies the kind in stored data.
    pub const fn tag(self) -> u8 {
        match self {
            Self::Commits => b'o',
            Self::DeadLetters => b'x',
        }
    }
}

/// A row listed by [`TableService::list_outbox`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutboxRow {
    /// Table of the row.
    pub table: TableName,
    /// PartitionKey of the row.
    pub partition_key: String,
    /// RowKey of the row.
    pub row_key: String,
}

#[cfg(test)]
mod tests {
    use super::OutboxKind;

    #[test]
    fn bounds_contain_exactly_the_keys_of_a_kind() {
        for kind in OutboxKind::ALL {
            let key = format!("{}01", kind.prefix());
            assert_eq!(OutboxKind::of(&key), Some(kind));
            assert!(kind.prefix() <= key.as_str() && key.as_str() < kind.end());
            assert_eq!(kind.prefix().as_bytes().get(1), Some(&kind.tag()));
        }
        for other in ["", "!", "!o", "!x", "o_1", "!m_task_step", "!O_1"] {
            assert_eq!(OutboxKind::of(other), None, "{other}");
        }
    }
}
