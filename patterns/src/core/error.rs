//! The error type of the library.

mod blob;
mod changes;
mod convert;
mod decode;
mod http_status;
mod log;
mod order;
pub(crate) mod property;
mod reason;
mod registry;
mod task;
mod text;
mod transaction;
mod transient;
mod unique;
mod unknown;
mod validation;
mod value;

pub use blob::BlobError;
pub use changes::ChangeFeedError;
pub use decode::{DecodeError, RowError};
pub use log::LogError;
pub use order::OrderError;
pub use registry::RegistryError;
pub use task::TaskError;
pub use transaction::TransactionError;
pub(crate) use transient::may_pass;
pub use unique::{IndexConflictError, UniqueViolationError};
pub use unknown::OutcomeUnknownError;
pub use validation::{ValidationError, validated};
pub use value::PropertyValueError;

use std::sync::Arc;

use table_model::{ErrorCode, StorageFault, TableError};
#[cfg(feature = "embedded")]
use table_store::OpenError;

use self::text::{names, way_to};
use crate::{
    Address, ValueError,
    core::{cursor::CursorError, key::EntityKeyError},
    design::Collision,
};

/// Error of a verb or a query.
///
/// Conditions that are detected before a request is sent have their own variants. A request that the service rejected
/// is [`Error::Service`], and [`Error::code`] returns its code.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store could not be opened. Its file is unchanged.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Open(Arc<OpenError>),
    /// The service rejected the request, or the store failed.
    #[error(transparent)]
    Service(TableError),
    /// No connection to the server was established: no server listens at the address, the host name is unknown, or its
    /// certificate is invalid. Nothing was sent. The message contains the address, the cause and the remedy.
    #[error(transparent)]
    NotConnected(TableError),
    /// A value cannot be part of a key. Nothing was sent.
    #[error(transparent)]
    Key(#[from] Box<EntityKeyError>),
    /// A value is invalid: for example an invalid date, or a value without a stored form.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A value cannot be stored in its property. Nothing was sent.
    #[error(transparent)]
    Property(#[from] Box<PropertyValueError>),
    /// The function of `#[table(validate = function)]` rejected an entity. Nothing was sent.
    #[error(transparent)]
    Invalid(#[from] Box<ValidationError>),
    /// A row could not be decoded as the requested entity.
    #[error(transparent)]
    Decode(#[from] Box<DecodeError>),
    /// A `replace` of an entity whose key fields were changed after it was read. Nothing was sent.
    #[error(
        "the key was changed from {from} to {to}, and `replace` would write another entity; {}",
        way_to(from, to)
    )]
    KeyChanged {
        /// Address that the entity was read from.
        from: Box<Address>,
        /// Address of its current fields.
        to: Box<Address>,
    },
    /// A `rekey` to another partition or table, which is not possible in a single transaction. Nothing was sent.
    #[error(
        "{from} cannot be moved to {to} in one transaction, because they are in different partitions; insert \
         the new entity, then delete the old one"
    )]
    MovesPartition {
        /// Address that the entity was read from.
        from: Box<Address>,
        /// Address of its current fields.
        to: Box<Address>,
    },
    /// A `rekey` of an entity that has a key in a unique index in another partition. The index row names the entity,
    /// and no transaction can change it to name another entity. Nothing was sent.
    #[error(
        "{entity} has a key in the unique index `{index}`, which cannot be transferred to another entity; \
         delete the old entity, then insert the new one"
    )]
    HoldsUnique {
        /// Address of the entity.
        entity: Box<Address>,
        /// Name of the index.
        index: &'static str,
    },
    /// A read-modify-write of an entity, or of a list that contains it, conflicted with concurrent writers at every
    /// attempt. Nothing was written.
    #[error("conflict on {address}: concurrent writes in all {attempts} attempts; retry later")]
    Contended {
        /// Address of the row with the conflicts.
        address: Box<Address>,
        /// Number of attempts.
        attempts: u32,
    },
    /// An entity does not exist that `update` or `require` requires.
    #[error("{0} does not exist; insert it first")]
    NotFound(Box<Address>),
    /// An `insert` of an entity that exists. Nothing was written.
    #[error("{0} already exists; use `upsert` to replace it")]
    AlreadyExists(Box<Address>),
    /// A merge of an untyped entity from which a property was removed: a merge preserves properties that it does not
    /// name. Nothing was sent.
    #[error("property `{property}` was removed, but a merge of {address} would keep it; use `replace`")]
    RemovedByMerge {
        /// Address of the entity.
        address: Box<Address>,
        /// Name of the property.
        property: String,
    },
    /// The response to a write was lost, and the outcome of the write could not be determined.
    #[error(transparent)]
    OutcomeUnknown(#[from] Box<OutcomeUnknownError>),
    /// Another entity has the same key in a unique index. Nothing was written.
    #[error(transparent)]
    Unique(#[from] Box<UniqueViolationError>),
    /// An insert-or-merge of an entity with derived rows or with values of other entities, or of a value that is stored
    /// in a blob. If the request inserted the entity, the data that belongs to it outside its row would be missing.
    /// Nothing was sent.
    #[error(
        "{address} has indexes, aggregates, blobs or a change feed, which an insert-or-merge of some of its properties \
         cannot maintain; use `update` if the entity exists, or `upsert` of the complete entity if it may \
         not exist"
    )]
    PartialUpsertUnsupported {
        /// Address of the entity.
        address: Box<Address>,
    },
    /// A patch of a row of an older version, if other entities contain values of it. Nothing was sent.
    #[error(
        "an older version of the type wrote {address}, and other entities contain values of it; use `update`, or run \
         `upgrade` before the patch"
    )]
    OlderVersion {
        /// Address of the entity.
        address: Box<Address>,
    },
    /// A write that would restore an entity that an older version soft-deleted. Nothing was sent.
    #[error("{address} {}", text::RESTORES)]
    RestoresDeleted {
        /// Address of the entity.
        address: Box<Address>,
    },
    /// A move of an entity with a property that the type does not declare and that belongs to its row: an encrypted
    /// value, or the name of a blob. Nothing was sent.
    #[error(
        "property `{property}` of {address} is encrypted or in a blob, and the type does not declare it; move the \
         entity with a program that declares it"
    )]
    UndeclaredBound {
        /// Address of the entity.
        address: Box<Address>,
        /// Name of the property.
        property: String,
    },
    /// An overwrite of an entity with index rows, aggregates, blobs or several rows, or with the time of its creation. What
    /// belongs to the stored entity outside its row would remain. Nothing was sent.
    #[error("{address} has {part}, which an overwrite cannot maintain; use `upsert`")]
    OverwriteUnsupported {
        /// Address of the entity.
        address: Box<Address>,
        /// What the overwrite would lose.
        part: &'static str,
    },
    /// A filter on index rows uses a property that they do not contain. Nothing was sent.
    #[error(
        "rows of `{index}` do not contain `{property}` of `{entity}`; use `at`, `between` or `starts_with` \
         if it is part of the index key, otherwise filter the rows of the entity"
    )]
    NotInIndex {
        /// Name of the entity type.
        entity: &'static str,
        /// Name of the index.
        index: &'static str,
        /// Name of the property.
        property: String,
    },
    /// The query cannot be read in descending order.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A commit record cannot be decoded.
    #[error("the commit record {record} cannot be decoded; run `scrub` to check the file for damage")]
    OutboxDamaged {
        /// Address of the record.
        record: Box<Address>,
    },
    /// A read with [`after`](crate::Query::after) or [`caught_up`](crate::Query::caught_up) requires a dead-lettered
    /// commit record that still cannot be applied. Rows of its entities in other partitions may be missing or out of
    /// date.
    #[error(
        "the dead-lettered commit record {record} still cannot be applied, so rows in other partitions may \
         be missing: {cause}; remove the cause, then read again or call `tables.retry_dead_letters()`"
    )]
    DeadLettered {
        /// Address of the record.
        record: Box<Address>,
        /// Reason why the record cannot be applied.
        cause: Box<Self>,
    },
    /// A commit record belongs to an entity type that is not registered with this handle.
    #[error(
        "entity type `{name}` is not registered; call `tables.register_entity::<{name}>()`, or `register_entity` on the worker"
    )]
    UnregisteredEntity {
        /// Name of the entity type.
        name: String,
    },
    /// Two entity types of one table have derived rows whose keys can be equal. The type that was registered second is
    /// rejected. Nothing was sent.
    #[error(transparent)]
    Collision(#[from] Box<Collision>),
    /// Two entities claim the same row of an index that is not `unique`.
    #[error(transparent)]
    IndexConflict(#[from] Box<IndexConflictError>),
    /// The registry of indexes does not allow the operation.
    #[error(transparent)]
    Registry(Box<RegistryError>),
    /// The entity has no index with this name. Nothing was sent.
    #[error("`{entity}` has no index `{index}`; existing indexes: {}", names(known))]
    NoSuchIndex {
        /// Name of the entity type.
        entity: &'static str,
        /// Requested name.
        index: String,
        /// Names of the existing indexes.
        known: Vec<&'static str>,
    },
    /// A write of an untyped entity to a row with derived rows or a change feed. Nothing was sent.
    #[error(
        "{address} has index rows or a change feed; write it as its derived type, not as an untyped entity"
    )]
    IndexedEntity {
        /// Address of the entity.
        address: Box<Address>,
    },
    /// The key of a target entity cannot be derived from the fields of the source entity, because their types differ.
    /// Nothing was sent.
    #[error(
        "the key of `{sink}` cannot be derived from `{entity}`: key fields are missing or have different \
         types"
    )]
    TargetKeyMismatch {
        /// Name of the source entity type.
        entity: &'static str,
        /// Name of the target entity type that contains the aggregate.
        sink: &'static str,
    },
    /// A patch by key of a field that may be copied into the row of another entity. Only a patch of an entity that was
    /// read can determine whether the field is copied, and into which row. Nothing was sent.
    #[error(
        "`{property}` of `{entity}` is copied into a `{sink}`, and a patch by key cannot determine which one; \
         read the `{entity}` and use `stored.patch()`, or use `update`"
    )]
    CopiedElsewhere {
        /// Name of the source entity type.
        entity: &'static str,
        /// Name of the property.
        property: &'static str,
        /// Name of the target entity type that contains the copy.
        sink: &'static str,
    },
    /// A patch of a field that determines the target entity in which the entity is counted. Nothing was sent.
    #[error(
        "`{property}` determines which `{sink}` counts a `{entity}`, and a patch cannot change it; use \
         `update`"
    )]
    DecidesSink {
        /// Name of the source entity type.
        entity: &'static str,
        /// Name of the property.
        property: &'static str,
        /// Name of the target entity type that contains the aggregate.
        sink: &'static str,
    },
    /// The system provided no random bytes.
    #[error("the system provided no random bytes: {0}")]
    NoRandom(Arc<str>),
    /// A verb that requires a single table was used with an entity that has a table for each period. Nothing was sent.
    #[error(
        "`{entity}` has a table for each period, `{table}`, not a single table; writes create these tables, \
         and `drop_before` deletes the tables of past periods"
    )]
    PerPeriodTable {
        /// Name of the entity type.
        entity: &'static str,
        /// Template of the table names.
        table: &'static str,
    },
    /// The service would reject the transaction, or rejected an operation because its entity exists or does not exist.
    /// Nothing was written.
    #[error(transparent)]
    Transaction(#[from] Box<TransactionError>),
    /// A task cannot be sent, or a step was used outside of a task. Nothing was sent.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A write requires a wake-up message for workers, and the handle has no queue service. Nothing was sent.
    #[error(
        "writing `{entity}` requires a queue service on this backend; configure one with \
         `Tables::with_queues`"
    )]
    QueuesNotConfigured {
        /// Name of the entity type.
        entity: String,
    },
    /// A log, an entity with blobs, or an entity with lists in blobs was used on a handle without a blob service.
    /// Nothing was sent.
    #[error("no blob service is configured; configure one with `Tables::with_blobs`")]
    BlobsNotConfigured,
    /// An error of values in blobs.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// An error of logs.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An error of a change feed.
    #[error(transparent)]
    Changes(Box<ChangeFeedError>),
    /// A cursor does not belong to this query. Nothing was sent.
    #[error(transparent)]
    Cursor(#[from] CursorError),
}

impl Error {
    /// Returns the service's error code: the code that it returned, or would have returned if the request had been
    /// sent. Returns `None` for errors that only the library reports, such as a key that does not match its template,
    /// or a value without a stored form.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Service(error) => Some(error.code()),
            Self::Transaction(error) => error.code(),
            Self::Key(problem) => problem.code(),
            Self::NotFound(_) => Some(ErrorCode::ResourceNotFound),
            Self::Contended { .. } => Some(ErrorCode::UpdateConditionNotSatisfied),
            Self::AlreadyExists(_) | Self::Unique(_) => Some(ErrorCode::EntityAlreadyExists),
            Self::OutcomeUnknown(unknown) => Some(unknown.error.code()),
            Self::Cursor(CursorError::Rejected { .. }) => Some(ErrorCode::InvalidInput),
            _ => None,
        }
    }

    /// Returns the index of the failed operation in its transaction, starting at 0.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Service(error) => error.index(),
            Self::Transaction(error) => error.index(),
            Self::Unique(violation) => Some(violation.operation),
            _ => None,
        }
    }

    /// Returns the fault of the embedded store that caused the error, such as a damaged page or a full disk.
    ///
    /// ```
    /// use table_patterns::{Error, StorageFault};
    ///
    /// fn needs_a_person(error: &Error) -> bool {
    ///     matches!(error.fault(), Some(StorageFault::Corrupt { .. }))
    /// }
    /// # let damage = StorageFault::Corrupt { what: "a page".to_owned() };
    /// # assert!(needs_a_person(&Error::from(table_patterns::TableError::from(damage))));
    /// ```
    pub fn fault(&self) -> Option<&StorageFault> {
        if let Self::Service(error) = self { error.fault() } else { None }
    }

    /// Returns `true` if the entity or its table does not exist.
    pub fn is_not_found(&self) -> bool {
        match self.root() {
            Self::Service(error) => error.is_not_found(),
            Self::NotFound(_) => true,
            _ => false,
        }
    }

    /// Returns `true` if the outcome of the write is unknown. Read the entity before retrying. For every other error,
    /// nothing was written.
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Service(error) => error.is_outcome_unknown(),
            Self::OutcomeUnknown(_) => true,
            _ => false,
        }
    }

    /// Returns `true` if no connection to the server was established. Nothing was sent.
    pub const fn is_not_connected(&self) -> bool {
        matches!(self, Self::NotConnected(_))
    }

    /// Returns `true` if a concurrent writer caused the failure: the entity was changed since it was read, or it exists
    /// already. Read the entity again before retrying.
    pub fn is_conflict(&self) -> bool {
        match self.root() {
            Self::Service(error) => error.is_conflict(),
            Self::AlreadyExists(_) | Self::Contended { .. } => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use table_schema::key::{KeyKind, KeyWriter, STRICT_UNITS};

    use super::*;
    use crate::core::key::EntityKeyErrorKind;

    #[test]
    fn a_key_that_the_service_would_refuse_has_its_code() {
        let refused = |text: &str| {
            let mut writer = KeyWriter::new(KeyKind::Partition);
            let key = writer.text("name", text, Some('_')).and_then(|()| writer.finish(STRICT_UNITS));
            let reason = EntityKeyErrorKind::Key(key.unwrap_err());
            Error::from(EntityKeyError { entity: "Employee", template: "{name}_x", reason }).code()
        };
        assert_eq!(refused("a/b"), Some(ErrorCode::OutOfRangeInput));
        assert_eq!(refused(&"x".repeat(600)), Some(ErrorCode::KeyValueTooLarge));
        // The service would accept this key. The library rejects it, because the key could not be decoded.
        assert_eq!(refused("a_b"), None);
    }
}
