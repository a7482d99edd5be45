use crate::{ETag, Entity, PropertiesRef, Row, Timestamp};

/// A [`Row`] by reference: what going through [`Rows`](super::Rows) gives. Its fields are those of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRef<'r> {
    /// The version, for conditional writes.
    pub etag: &'r ETag,
    /// The PartitionKey, unless a selection left it out.
    pub partition_key: Option<&'r str>,
    /// The RowKey, unless a selection left it out.
    pub row_key: Option<&'r str>,
    /// When it was last written, unless a selection left it out.
    pub timestamp: Option<Timestamp>,
    /// The user's properties.
    pub properties: PropertiesRef<'r>,
}

impl RowRef<'_> {
    /// The same row, decoded.
    #[must_use]
    pub fn to_row(self) -> Row {
        Row {
            etag: self.etag.clone(),
            partition_key: self.partition_key.map(str::to_owned),
            row_key: self.row_key.map(str::to_owned),
            timestamp: self.timestamp,
            properties: self.properties.to_properties(),
        }
    }

    /// The entity without its version; `None` if a selection left out a key.
    #[must_use]
    pub fn to_entity(self) -> Option<Entity> {
        self.to_row().into_entity()
    }
}

/// A row that was decoded is the row it was decoded from.
impl PartialEq<Row> for RowRef<'_> {
    fn eq(&self, other: &Row) -> bool {
        *self.etag == other.etag
            && self.partition_key == other.partition_key.as_deref()
            && self.row_key == other.row_key.as_deref()
            && self.timestamp == other.timestamp
            && self.properties.iter().eq(other.properties.refs())
    }
}
