//! Write operations of the service (`G-OP-1` to `G-OP-3`).

mod check;
mod effect;
mod kind;

pub use effect::Effect;
pub use kind::OperationKind;

use crate::{ETag, Entity, Timestamp};

/// Precondition of a write to an existing entity.
///
/// ```
/// use table_model::{Condition, ETag, Timestamp};
///
/// let read = ETag::from(Timestamp::UNIX_EPOCH);
/// assert_eq!(Condition::from(read.clone()), Condition::Matches(read));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The entity must exist in any version: `If-Match: *`.
    Exists,
    /// The entity must exist in this version: `If-Match` with an ETag.
    Matches(ETag),
}

impl From<ETag> for Condition {
    fn from(etag: ETag) -> Self {
        Self::Matches(etag)
    }
}

/// A write of one entity, executed alone or in an entity group transaction.
///
/// Replace removes the properties that the request omits, Merge keeps them. Both fail if the entity does not exist; the
/// `InsertOr…` variants create it (`G-OP-2`).
///
/// The enum is exhaustive, because a backend implements every operation.
///
/// ```
/// use table_model::{Condition, Entity, Operation};
///
/// let raise = Entity::new("Sales", "empid_000223").with("Age", 35);
/// let operation = Operation::Merge(raise, Condition::Exists);
/// assert_eq!((operation.partition_key(), operation.row_key()), ("Sales", "empid_000223"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Creates the entity. Fails with `EntityAlreadyExists` if it exists.
    Insert(Entity),
    /// Replaces the stored entity.
    Replace(Entity, Condition),
    /// Writes the given properties and keeps the others. The limits apply to the merged entity.
    Merge(Entity, Condition),
    /// Creates the entity or replaces the stored one.
    InsertOrReplace(Entity),
    /// Creates the entity or merges into the stored one.
    InsertOrMerge(Entity),
    /// Deletes the entity.
    Delete {
        /// PartitionKey of the entity.
        partition_key: String,
        /// RowKey of the entity.
        row_key: String,
        /// Required version, or [`Condition::Exists`].
        condition: Condition,
    },
}

impl Operation {
    /// Returns the PartitionKey of the addressed entity.
    pub fn partition_key(&self) -> &str {
        match self {
            Self::Delete { partition_key, .. } => partition_key,
            _ => self.entity().map_or("", |entity| &entity.partition_key),
        }
    }

    /// Returns the RowKey of the addressed entity.
    pub fn row_key(&self) -> &str {
        match self {
            Self::Delete { row_key, .. } => row_key,
            _ => self.entity().map_or("", |entity| &entity.row_key),
        }
    }

    /// Converts into PartitionKey and RowKey.
    #[must_use]
    pub fn into_keys(self) -> (String, String) {
        match self {
            Self::Insert(entity)
            | Self::Replace(entity, _)
            | Self::Merge(entity, _)
            | Self::InsertOrReplace(entity)
            | Self::InsertOrMerge(entity) => (entity.partition_key, entity.row_key),
            Self::Delete { partition_key, row_key, .. } => (partition_key, row_key),
        }
    }

    /// Returns the entity to write; `None` for a delete.
    pub fn entity(&self) -> Option<&Entity> {
        match self {
            Self::Insert(entity)
            | Self::Replace(entity, _)
            | Self::Merge(entity, _)
            | Self::InsertOrReplace(entity)
            | Self::InsertOrMerge(entity) => Some(entity),
            Self::Delete { .. } => None,
        }
    }

    /// Returns the number of bytes that the operation counts towards the 4 MiB limit of a transaction: the size of the
    /// entity, or of its keys for a delete.
    pub fn size(&self) -> usize {
        match self {
            Self::Delete { partition_key, row_key, .. } => {
                4 + 2 * (crate::key::utf16_units(partition_key) + crate::key::utf16_units(row_key))
            }
            _ => self.entity().map_or(0, Entity::size),
        }
    }

    /// Returns an upper bound of [`size`](Self::size) in bytes without counting characters, like
    /// [`Entity::size_at_most`].
    ///
    /// ```
    /// use table_model::{Condition, Operation};
    ///
    /// let delete =
    ///     Operation::Delete { partition_key: "\u{fc}".into(), row_key: "1".into(), condition: Condition::Exists };
    /// assert_eq!((delete.size(), delete.size_at_most()), (8, 10));
    /// ```
    pub fn size_at_most(&self) -> usize {
        match self {
            Self::Delete { partition_key, row_key, .. } => 4 + 2 * (partition_key.len() + row_key.len()),
            _ => self.entity().map_or(0, Entity::size_at_most),
        }
    }
}

/// Result of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// The entity has a new version.
    Version {
        /// ETag for the next conditional write.
        etag: ETag,
        /// Time of the write.
        timestamp: Timestamp,
    },
    /// The entity was deleted.
    Deleted,
}

impl Written {
    /// Returns the new ETag; `None` after a delete.
    pub fn etag(&self) -> Option<&ETag> {
        match self {
            Self::Version { etag, .. } => Some(etag),
            Self::Deleted => None,
        }
    }

    /// Returns the time of the write; `None` after a delete.
    pub fn timestamp(&self) -> Option<Timestamp> {
        match self {
            Self::Version { timestamp, .. } => Some(*timestamp),
            Self::Deleted => None,
        }
    }
}
