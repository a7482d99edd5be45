use crate::{ETag, Timestamp};

/// What a row has besides its properties. With a selection only the named ones of the keys and the timestamp are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowHead<'k> {
    /// The version.
    pub etag: ETag,
    /// The PartitionKey, unless a selection left it out.
    pub partition_key: Option<&'k str>,
    /// The RowKey, unless a selection left it out.
    pub row_key: Option<&'k str>,
    /// When it was last written, unless a selection left it out.
    pub timestamp: Option<Timestamp>,
}

impl<'k> RowHead<'k> {
    /// Of a row that was written at this time, with nothing left out.
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
