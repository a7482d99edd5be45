use crate::{ETag, Entity, PropertiesRef, Row, Timestamp, ValueRef};

/// A borrowed [`Row`], the item type of iteration over [`Rows`](super::Rows).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRef<'r> {
    /// Version of the entity, for conditional writes.
    pub etag: &'r ETag,
    /// PartitionKey, unless a selection excludes it.
    pub partition_key: Option<&'r str>,
    /// RowKey, unless a selection excludes it.
    pub row_key: Option<&'r str>,
    /// Time of the last write, unless a selection excludes it.
    pub timestamp: Option<Timestamp>,
    /// User properties.
    pub properties: PropertiesRef<'r>,
}

impl<'r> RowRef<'r> {
    /// Returns the value of a property, a key or the timestamp by name, if it was read.
    #[must_use]
    pub fn get(self, name: &str) -> Option<ValueRef<'r>> {
        match name {
            "PartitionKey" => self.partition_key.map(ValueRef::String),
            "RowKey" => self.row_key.map(ValueRef::String),
            "Timestamp" => self.timestamp.map(ValueRef::DateTime),
            _ => self.properties.get(name),
        }
    }

    /// Decodes the row into an owned row.
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

    /// Converts to an entity without a version. Returns `None` if a selection excluded a key.
    #[must_use]
    pub fn to_entity(self) -> Option<Entity> {
        self.to_row().into_entity()
    }
}

/// A decoded row equals the row that it was decoded from.
impl PartialEq<Row> for RowRef<'_> {
    fn eq(&self, other: &Row) -> bool {
        *self.etag == other.etag
            && self.partition_key == other.partition_key.as_deref()
            && self.row_key == other.row_key.as_deref()
            && self.timestamp == other.timestamp
            && self.properties.iter().eq(other.properties.refs())
    }
}
