//! The effects of one write: its transaction and the updates that follow.

mod planner;

use std::fmt;

pub(super) use planner::{deletion, plans};

/// A kind of write in the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WriteKind {
    /// A new entity.
    Insert,
    /// An insert or replacement of an entity that may exist.
    Upsert,
    /// An update of some or all fields.
    Update,
    /// A deletion.
    Delete,
    /// A move to another table.
    Archive,
}

impl WriteKind {
    /// Returns the name of the kind: `insert`.
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

/// The effect of a step on a row or a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Inserts a new row.
    Insert,
    /// Inserts or replaces a row.
    InsertOrReplace,
    /// Replaces all properties of a row.
    Replace,
    /// Merges some properties into a row.
    Merge,
    /// Deletes a row.
    Delete,
    /// Uploads a blob.
    PutBlob,
    /// Deletes a blob.
    DeleteBlob,
}

impl Effect {
    /// Returns the name of the effect: `insert-or-replace`.
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

    /// Returns whether the effect concerns a blob.
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

/// An operation of a write on one row or blob.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The object: the entity, an index or lookup, an aggregate of another entity, a blob.
    pub what: String,
    /// The effect.
    pub effect: Effect,
    /// The size in bytes.
    pub bytes: f64,
    /// Average number of executions per write.
    pub times: f64,
    /// Maximum number of executions per write.
    pub most: f64,
    /// The group of partitions that contains the row. `None` for a blob.
    pub group: Option<String>,
    /// The distribution of new rows: the fraction in the busiest partition, and the number of partitions.
    pub(super) new: [f64; 2],
    /// The distribution of all rows.
    pub(super) any: [f64; 2],
}

/// The plan of one write.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name of the entity.
    pub entity: String,
    /// The kind of write.
    pub kind: WriteKind,
    /// The fields that an update changes. `None` if it replaces all fields.
    pub fields: Option<Vec<String>>,
    /// The steps of the transaction.
    pub transaction: Vec<Step>,
    /// The steps that follow asynchronously.
    pub follow: Vec<Step>,
    /// Number of entities read before the write.
    pub reads: f64,
    /// Average number of operations of the transaction.
    pub operations: f64,
    /// Maximum number of operations of the transaction.
    pub most_operations: f64,
    /// Average size of the transaction in bytes.
    pub bytes: f64,
    /// Requests to tables and blobs.
    pub requests: f64,
    /// Requests to queues.
    pub queue_requests: f64,
    /// Rows written per entity.
    pub amplification: f64,
    /// Bytes written per byte of the entity.
    pub byte_amplification: f64,
    /// Writes per second.
    pub rate: f64,
    /// `true` if the write is part of the transaction of another entity and is counted there.
    pub is_inside: bool,
}

impl Plan {
    /// Returns the steps that are counted here. The transaction of a write inside another one is counted there.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Step> {
        let own = if self.is_inside { &[] } else { self.transaction.as_slice() };
        own.iter().chain(&self.follow)
    }

    /// Returns the requests to tables and blobs that are counted here.
    pub(super) fn counted_requests(&self) -> f64 {
        if self.is_inside { self.follow.iter().map(|step| step.times).sum() } else { self.requests }
    }

    /// Returns the name for reports: `Employee.update(age,photo)`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.fields {
            Some(fields) => format!("{}.{}({})", self.entity, self.kind.as_str(), fields.join(",")),
            None => format!("{}.{}", self.entity, self.kind.as_str()),
        }
    }
}
