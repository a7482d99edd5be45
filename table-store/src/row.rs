//! An entity as it is read.

use crate::{ETag, Entity, Properties, Timestamp};

/// What a read gives: the entity's version, and the properties that were asked for.
///
/// With a selection ([`Query::select`](crate::Query::select)) only the named properties are there, also of the keys
/// and the timestamp, as the service does it; hence their `Option`s. Without one they are always `Some`.
///
/// ```
/// use table_store::{Properties, Row, Timestamp};
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
    /// The version, for conditional writes.
    pub etag: ETag,
    /// The PartitionKey, unless a selection left it out.
    pub partition_key: Option<String>,
    /// The RowKey, unless a selection left it out.
    pub row_key: Option<String>,
    /// When it was last written, unless a selection left it out.
    pub timestamp: Option<Timestamp>,
    /// The user's properties.
    pub properties: Properties,
}

impl Row {
    /// The entity without its version; `None` if a selection left out a key.
    pub fn into_entity(self) -> Option<Entity> {
        Some(Entity {
            partition_key: self.partition_key?,
            row_key: self.row_key?,
            properties: self.properties,
        })
    }
}
