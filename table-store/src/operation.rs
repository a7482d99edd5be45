//! The writes of the service (`G-OP-1` to `G-OP-3`).

mod check;

use crate::{ETag, Entity, Timestamp};

/// When a write to an existing entity may go ahead.
///
/// ```
/// use table_store::{Condition, ETag, Timestamp};
///
/// let read = ETag::from(Timestamp::UNIX_EPOCH);
/// assert_eq!(Condition::from(read.clone()), Condition::Matches(read));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The entity must exist, in whatever version: `If-Match: *`.
    Exists,
    /// The entity must exist in this version: `If-Match` with an ETag.
    Matches(ETag),
}

impl From<ETag> for Condition {
    fn from(etag: ETag) -> Self {
        Self::Matches(etag)
    }
}

/// One write of one entity, alone or as a part of an entity group transaction.
///
/// Replace drops the properties that the request leaves out, Merge keeps them. Both fail on an absent entity; the
/// `InsertOr…` forms create it (`G-OP-2`).
///
/// ```
/// use table_store::{Condition, Entity, Operation};
///
/// let raise = Entity::new("Sales", "empid_000223").with("Age", 35);
/// let operation = Operation::Merge(raise, Condition::Exists);
/// assert_eq!((operation.partition_key(), operation.row_key()), ("Sales", "empid_000223"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Creates the entity; `EntityAlreadyExists` if it is there.
    Insert(Entity),
    /// Writes the entity in place of the stored one.
    Replace(Entity, Condition),
    /// Writes the properties given and keeps the others. The limits hold for the result.
    Merge(Entity, Condition),
    /// Writes the entity whether or not one is there.
    InsertOrReplace(Entity),
    /// Creates the entity, or merges into the stored one.
    InsertOrMerge(Entity),
    /// Removes the entity.
    Delete {
        /// Its PartitionKey.
        partition_key: String,
        /// Its RowKey.
        row_key: String,
        /// Its version, or [`Condition::Exists`].
        condition: Condition,
    },
}

impl Operation {
    /// The PartitionKey that the operation addresses.
    pub fn partition_key(&self) -> &str {
        match self {
            Self::Delete { partition_key, .. } => partition_key,
            _ => self.entity().map_or("", |entity| &entity.partition_key),
        }
    }

    /// The RowKey that the operation addresses.
    pub fn row_key(&self) -> &str {
        match self {
            Self::Delete { row_key, .. } => row_key,
            _ => self.entity().map_or("", |entity| &entity.row_key),
        }
    }

    /// PartitionKey and RowKey.
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

    /// The entity sent; none for a delete.
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

    /// Bytes that the operation counts towards the 4 MiB of a transaction: the entity's size, or that of its keys.
    pub fn size(&self) -> usize {
        match self {
            Self::Delete { partition_key, row_key, .. } => {
                4 + 2 * (crate::key::utf16_units(partition_key) + crate::key::utf16_units(row_key))
            }
            _ => self.entity().map_or(0, Entity::size),
        }
    }
}

/// What a write answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// The entity's new version.
    Version {
        /// For the next conditional write.
        etag: ETag,
        /// When it was written.
        timestamp: Timestamp,
    },
    /// The entity was removed.
    Deleted,
}

impl Written {
    /// The new version; none after a delete.
    pub fn etag(&self) -> Option<&ETag> {
        match self {
            Self::Version { etag, .. } => Some(etag),
            Self::Deleted => None,
        }
    }

    /// When it was written; none after a delete.
    pub fn timestamp(&self) -> Option<Timestamp> {
        match self {
            Self::Version { timestamp, .. } => Some(*timestamp),
            Self::Deleted => None,
        }
    }
}
