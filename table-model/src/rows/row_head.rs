use crate::{ETag, Timestamp};

/// Fields of a row other than its user properties. A selection can exclude keys and timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowHead<'k> {
    /// Version of the entity.
    pub etag: ETag,
    /// PartitionKey, unless a selection excludes it.
    pub partition_key: Option<&'k str>,
    /// RowKey, unless a selection excludes it.
    pub row_key: Option<&'k str>,
    /// Time of the last write, unless a selection excludes it.
    pub timestamp: Option<Timestamp>,
}

impl<'k> RowHead<'k> {
    /// Creates the head of a row with the given write time and all fields.
    #[must_use]
    pub fn whole(partition_key: &'k str, row_key: &'k str, timestamp: Timestamp) -> Self {
        Self {
            etag: timestamp.into(),
            partition_key: Some(partition_key),
            row_key: Some(row_key),
            timestamp: Some(timestamp),
        }
    }
}
