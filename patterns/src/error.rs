//! What can go wrong, in one type.

mod blob;
mod decode;
mod log;
mod registry;
mod task;
mod transaction;
mod unique;
mod unknown;
mod value;

pub use blob::BlobError;
pub use decode::{DecodeError, RowProblem};
pub use log::LogError;
pub use registry::RegistryError;
pub use task::TaskError;
pub use transaction::TransactionError;
pub use unique::{IndexConflict, UniqueViolation};
pub use unknown::OutcomeUnknown;
pub use value::PropertyOf;

use std::sync::Arc;

use table_store::{ErrorCode, TableError, embedded::OpenError};

use crate::{Address, ValueError, cursor::CursorError, design::Collision, key::KeyProblem};

/// Everything that a verb or a query can answer besides its result.
///
/// What was found before a request was sent has its own case; what the service refused is [`Error::Service`], and
/// [`Error::code`] is its code.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store could not be opened. Its file is as it was.
    #[error(transparent)]
    Open(Arc<OpenError>),
    /// The service refused, or the store failed.
    #[error(transparent)]
    Service(#[from] TableError),
    /// A value cannot be part of a key. Nothing was sent.
    #[error(transparent)]
    Key(#[from] Box<KeyProblem>),
    /// A value by itself: a date that is none, a value that has no stored form.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A value cannot be stored in its property. Nothing was sent.
    #[error(transparent)]
    Property(#[from] Box<PropertyOf>),
    /// A row could not be read as the entity that was asked for.
    #[error(transparent)]
    Decode(#[from] Box<DecodeError>),
    /// `replace` of an entity whose key fields were changed after it was read. Nothing was sent.
    #[error(
        "the key was changed from {from} to {to}: `replace` would write another entity; {}",
        way_to(from, to)
    )]
    KeyChanged {
        /// Where it was read.
        from: Box<Address>,
        /// What its fields say now.
        to: Box<Address>,
    },
    /// `rekey` to another partition or table, which no single transaction can do. Nothing was sent.
    #[error(
        "{from} cannot be moved to {to} in one transaction: they are in different partitions; \
         insert the new entity, then delete the old one"
    )]
    MovesPartition {
        /// Where it was read.
        from: Box<Address>,
        /// What its fields say now.
        to: Box<Address>,
    },
    /// `rekey` of an entity that keeps its key in a unique index of another partition: that row names the entity, and no
    /// transaction can have it name another. Nothing was sent.
    #[error(
        "{entity} holds its `{index}` key, which cannot be handed over to another entity; \
         delete it, then insert the new one"
    )]
    HoldsUnique {
        /// The entity.
        entity: Box<Address>,
        /// The index.
        index: &'static str,
    },
    /// A write that reads first, of an entity or of a list that it stands in, met other writers at each of its attempts.
    /// Nothing was written.
    #[error("{address} was changed by others during each of {attempts} attempts; try again later")]
    Contended {
        /// What the others changed.
        address: Box<Address>,
        /// How often it was tried.
        attempts: u32,
    },
    /// `update` of an entity that is not there.
    #[error("{0} is not there; insert it first")]
    NotFound(Box<Address>),
    /// A merge of a bag from which a property was removed: a merge keeps what it does not name. Nothing was sent.
    #[error("property `{property}` was removed, and a merge of {address} would keep it; use `replace`")]
    RemovedByMerge {
        /// The entity.
        address: Box<Address>,
        /// The property.
        property: String,
    },
    /// The answer to a write was lost, and what became of it could not be found out.
    #[error(transparent)]
    OutcomeUnknown(#[from] Box<OutcomeUnknown>),
    /// Another entity has the same key in a unique index. Nothing was written.
    #[error(transparent)]
    Unique(#[from] Box<UniqueViolation>),
    /// An insert-or-merge of an entity from which rows are derived, in which others keep values, or of a value that goes to a
    /// blob: where it inserts, what belongs to the entity beside its row would be missing. Nothing was sent.
    #[error(
        "{address} has indexes, totals or blobs, which an insert-or-merge of some of its properties cannot keep; \
         use `update` where it is there, `upsert` of a whole entity where it may not be"
    )]
    PartOfIndexed {
        /// The entity.
        address: Box<Address>,
    },
    /// A filter on rows of an index asks for a property that they do not hold. Nothing was sent.
    #[error(
        "rows of `{index}` do not hold `{property}` of `{entity}`: if its key has it, use `at`, `between` or \
         `starts_with`; else filter the entity's own rows"
    )]
    NotInIndex {
        /// The entity type.
        entity: &'static str,
        /// The index.
        index: &'static str,
        /// The property.
        property: String,
    },
    /// A commit record that cannot be read.
    #[error("the commit record {record} cannot be read; `scrub` says whether the file is damaged")]
    OutboxDamaged {
        /// Where it is.
        record: Box<Address>,
    },
    /// A read with [`after`](crate::Query::after) or [`settled`](crate::Query::settled) needs a commit that is parked, and it
    /// still cannot be applied: rows of its entities in other partitions may be missing or out of date.
    #[error(
        "the commit record {record} is parked and still cannot be applied, so rows in other partitions may be missing: \
         {cause}; remove this cause, then read again or call `tables.retry_parked()`"
    )]
    Parked {
        /// Where the record is.
        record: Box<Address>,
        /// Why it cannot be applied.
        cause: Box<Self>,
    },
    /// A commit record is of an entity that this handle has not met.
    #[error(
        "`{name}` is not known here; say `tables.knows::<{name}>()`, or give it to the worker with `knows`"
    )]
    UnknownEntity {
        /// The entity's name.
        name: String,
    },
    /// Two entity types of one table keep derived rows whose keys can be the same. The type that came second is not
    /// registered. Nothing was sent.
    #[error(transparent)]
    Collision(#[from] Box<Collision>),
    /// Two entities say that they have the same row of an index that is not `unique`.
    #[error(transparent)]
    IndexConflict(#[from] Box<IndexConflict>),
    /// The registry of indexes does not allow it.
    #[error(transparent)]
    Registry(Box<RegistryError>),
    /// An index that the entity does not have. Nothing was sent.
    #[error("`{entity}` has no index `{index}`; its design names: {}", names(known))]
    NoSuchIndex {
        /// The entity.
        entity: &'static str,
        /// What was asked for.
        index: String,
        /// The indexes that there are.
        known: Vec<&'static str>,
    },
    /// A write by property bag to a row that indexes keep rows of, which the bag does not know. Nothing was sent.
    #[error(
        "{address} has rows in indexes, which a property bag does not know: write it through its own type"
    )]
    HasIndexes {
        /// The entity.
        address: Box<Address>,
    },
    /// The key of a sink cannot be made of an entity's fields: they are not of the same types. Nothing was sent.
    #[error("`{entity}` does not have the fields of the key of `{sink}` in the same types")]
    NoSinkKey {
        /// The entity.
        entity: &'static str,
        /// What it is counted in.
        sink: &'static str,
    },
    /// A patch by key of a field that is copied into the row of another entity: whether this one is copied, and into
    /// which, is known only of one that was read. Nothing was sent.
    #[error(
        "`{property}` of a `{entity}` is copied into a `{sink}`, and a patch by key does not know which; \
         read the `{entity}` and use `stored.patch()`, or use `update`"
    )]
    CopiedElsewhere {
        /// The entity.
        entity: &'static str,
        /// The property.
        property: &'static str,
        /// The entity that holds the copy.
        sink: &'static str,
    },
    /// A patch of a field that says in which sink the entity is counted. Nothing was sent.
    #[error(
        "`{property}` says in which `{sink}` a `{entity}` is counted, which a patch cannot change; use `update`"
    )]
    DecidesSink {
        /// The entity.
        entity: &'static str,
        /// The property.
        property: &'static str,
        /// What it is counted in.
        sink: &'static str,
    },
    /// The system gave no random bytes.
    #[error("the system gave no random bytes: {0}")]
    NoRandom(Arc<str>),
    /// A verb for the one table of an entity that has a table for each period. Nothing was sent.
    #[error(
        "`{entity}` has no one table: its tables are named `{table}`; writes make them, \
         and `drop_before` deletes those of past periods"
    )]
    OneForEachPeriod {
        /// The entity.
        entity: &'static str,
        /// The template of the tables' names.
        table: &'static str,
    },
    /// A transaction that the service would refuse. Nothing was sent.
    #[error(transparent)]
    Transaction(#[from] Box<TransactionError>),
    /// A task that cannot be sent, or a step outside of one. Nothing was sent.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A write that others must find, on a handle without a queue service to tell them by. Nothing was sent.
    #[error(
        "what follows a write of `{entity}` is found by messages here, and these tables have no queues beside them; \
         name a queue service with `Tables::with_queues`"
    )]
    NoHints {
        /// The entity.
        entity: String,
    },
    /// A log, or an entity with blobs or with lists in blobs, on a handle without a blob service. Nothing was sent.
    #[error("these tables have no blobs beside them; name a blob service with `Tables::with_blobs`")]
    NoBlobs,
    /// What only values in blobs can answer.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// What only logs can answer.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A cursor that is not one of this query. Nothing was sent.
    #[error(transparent)]
    Cursor(#[from] CursorError),
}

impl Error {
    /// The service's code: what it answered, or would have answered had the request been sent. None for what only the
    /// library refuses, such as a key that does not fit its template, or a value that has no stored form.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Service(error) => Some(error.code()),
            Self::Transaction(error) => error.code(),
            Self::Key(problem) => problem.code(),
            Self::NotFound(_) => Some(ErrorCode::ResourceNotFound),
            Self::Contended { .. } => Some(ErrorCode::UpdateConditionNotSatisfied),
            Self::Unique(_) => Some(ErrorCode::EntityAlreadyExists),
            Self::OutcomeUnknown(unknown) => Some(unknown.error.code()),
            _ => None,
        }
    }

    pub(crate) fn no_random(why: getrandom::Error) -> Self {
        Self::NoRandom(why.to_string().into())
    }

    /// The same error, said of one operation of several.
    pub(crate) fn at(self, index: usize) -> Self {
        match self {
            Self::Service(error) => Self::Service(error.at(index)),
            other => other,
        }
    }

    /// The error of a verb, which sent its own transaction: an index in that says nothing to the caller.
    pub(crate) fn alone(self) -> Self {
        match self {
            Self::Service(error) => Self::Service(error.without_index()),
            other => other,
        }
    }

    /// Which operation of a transaction it is about, counted from 0.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Service(error) => error.index(),
            Self::Transaction(error) => error.index(),
            Self::Unique(violation) => Some(violation.operation),
            _ => None,
        }
    }

    /// The entity or its table is not there.
    pub fn is_not_found(&self) -> bool {
        match self {
            Self::Service(error) => error.is_not_found(),
            Self::NotFound(_) => true,
            _ => false,
        }
    }

    /// Whether the write was done cannot be told from this: read what is there, and decide. All other errors of a write say
    /// that nothing was written.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Service(error) => error.is_unknown(),
            Self::OutcomeUnknown(_) => true,
            _ => false,
        }
    }

    /// Another writer was faster: the entity was changed since it was read, or exists already. Read again and decide.
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Service(error) => error.is_conflict(),
            Self::Contended { .. } => true,
            _ => false,
        }
    }
}

impl From<KeyProblem> for Error {
    fn from(problem: KeyProblem) -> Self {
        Box::new(problem).into()
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Box::new(error).into()
    }
}

impl From<PropertyOf> for Error {
    fn from(error: PropertyOf) -> Self {
        Box::new(error).into()
    }
}

fn names(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// How an entity gets from one key to another.
fn way_to(from: &Address, to: &Address) -> &'static str {
    if from.same_partition(to) {
        "move it with `rekey`"
    } else {
        "insert the new entity, then delete the old one"
    }
}

#[cfg(test)]
mod tests {
    use table_schema::key::{KeyKind, KeyWriter, STRICT_UNITS};

    use super::*;
    use crate::key::WhyNoKey;

    #[test]
    fn a_key_that_the_service_would_refuse_has_its_code() {
        let refused = |text: &str| {
            let mut writer = KeyWriter::new(KeyKind::Partition);
            let key = writer.text("name", text, Some('_')).and_then(|()| writer.finish(STRICT_UNITS));
            let why = WhyNoKey::Key(key.unwrap_err());
            Error::from(KeyProblem { entity: "Employee", template: "{name}_x", why }).code()
        };
        assert_eq!(refused("a/b"), Some(ErrorCode::OutOfRangeInput));
        assert_eq!(refused(&"x".repeat(600)), Some(ErrorCode::KeyValueTooLarge));
        // The service would take it; that it could not be read back is the library's own rule.
        assert_eq!(refused("a_b"), None);
    }
}
