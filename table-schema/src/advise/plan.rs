//! What one write takes: its transaction, and what follows it.

mod planner;

use std::fmt;

pub(super) use planner::plans;

/// A kind of write that the load speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WriteKind {
    /// A new entity.
    Insert,
    /// One that may be there.
    Upsert,
    /// Some fields, or all.
    Update,
    /// Removed.
    Delete,
    /// Moved to another table.
    Archive,
}

impl WriteKind {
    /// Its name: `insert`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Upsert => "upsert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Archive => "archive",
        }
    }
}

/// What a step does to a row or a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A new row.
    Insert,
    /// A row, whether or not it is there.
    InsertOrReplace,
    /// All of a row.
    Replace,
    /// Some properties of a row.
    Merge,
    /// A row less.
    Delete,
    /// A blob.
    PutBlob,
    /// A blob less.
    DeleteBlob,
}

impl Effect {
    /// Its name: `insert-or-replace`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::InsertOrReplace => "insert-or-replace",
            Self::Replace => "replace",
            Self::Merge => "merge",
            Self::Delete => "delete",
            Self::PutBlob => "put-blob",
            Self::DeleteBlob => "delete-blob",
        }
    }

    /// Whether it is about a blob.
    #[must_use]
    pub const fn is_of_blob(self) -> bool {
        matches!(self, Self::PutBlob | Self::DeleteBlob)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One row or blob that a write touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which: the entity, an index or lookup, a total of another entity, a blob.
    pub what: String,
    /// How.
    pub effect: Effect,
    /// Its size.
    pub bytes: f64,
    /// How often, on average.
    pub times: f64,
    /// How often at most.
    pub most: f64,
    /// The partitions that it lies in; none of a blob.
    pub group: Option<String>,
    /// Of the writes there, the share of the busiest partition.
    pub(super) busiest: f64,
    /// Of the rows there, the share of the largest partition.
    pub(super) largest: f64,
}

/// What one write takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The entity.
    pub entity: String,
    /// The kind of write.
    pub kind: WriteKind,
    /// The fields that an update changes; none where it replaces all.
    pub fields: Option<Vec<String>>,
    /// What is written in one transaction.
    pub transaction: Vec<Step>,
    /// What follows it.
    pub follow: Vec<Step>,
    /// Entities read before it.
    pub reads: f64,
    /// Operations of the transaction, on average.
    pub operations: f64,
    /// Operations of the transaction, at most.
    pub most_operations: f64,
    /// Bytes of the transaction, on average.
    pub bytes: f64,
    /// Requests to tables and blobs.
    pub requests: f64,
    /// Requests to queues.
    pub queue_requests: f64,
    /// Rows written for one entity.
    pub amplification: f64,
    /// Bytes written for a byte of the entity's own.
    pub byte_amplification: f64,
    /// Writes a second.
    pub rate: f64,
    /// Whether it is part of another entity's transaction, and counted there.
    pub is_inside: bool,
}

impl Plan {
    /// Its name in a report: `Employee.update(age,photo)`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.fields {
            Some(fields) => format!("{}.{}({})", self.entity, self.kind.as_str(), fields.join(",")),
            None => format!("{}.{}", self.entity, self.kind.as_str()),
        }
    }
}
