//! Entities returned by reads.

use crate::{ETag, Entity, Properties, Timestamp};

/// An entity returned by a read: its version and the selected properties.
///
/// With a selection ([`Query::select`](crate::Query::select)), only the selected properties are present. As in the
/// service, this includes the keys and the timestamp, which is why they are `Option`s. Without a selection they are
/// always `Some`.
///
/// ```
/// use table_model::{Properties, Row, Timestamp};
///
/// let at = Timestamp::UNIX_EPOCH;
/// let row = Row {
///     etag: at.into(),
///     partition_key: Some("Sales".to_owned()),
///     row_key: None,
///     timestamp: Some(at),
///     properties: Properties::new(),
/// };
/// assert_eq!(row.into_entity(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Version of the entity, for conditional writes.
    pub etag: ETag,
    /// PartitionKey, unless a selection excludes it.
    pub partition_key: Option<String>,
    /// RowKey, unless a selection excludes it.
    pub row_key: Option<String>,
    /// Time of the last write, unless a selection excludes it.
    pub timestamp: Option<Timestamp>,
    /// User properties.
    pub properties: Properties,
}

impl Row {
    /// Converts to an entity without a version. Returns `None` if a selection excluded a key.
    pub fn into_entity(self) -> Option<Entity> {
        Some(Entity {
            partition_key: self.partition_key?,
            row_key: self.row_key?,
            properties: self.properties,
        })
    }
}
