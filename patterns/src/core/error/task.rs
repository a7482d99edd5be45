use crate::Address;

/// Error for a task that cannot be sent, or for an operation that requires a task's handle. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The handle has no queue service.
    #[error("tasks require a queue service; configure one with `Tables::new(..).with_queues(..)`")]
    NoQueues,
    /// The task cannot be encoded as JSON.
    #[error("`{task}` cannot be serialized as JSON: {reason}")]
    Args {
        /// Name of the task.
        task: &'static str,
        /// Error message of serde.
        reason: String,
    },
    /// An idempotent step was used on a handle that does not belong to a task run.
    #[error("`Transaction::once` is only available in a task; use the `Tables` handle passed to `Run::run`")]
    NoTask,
    /// A move of an entity that is stored in several rows.
    #[error(
        "`{entity}` is stored in several rows and cannot be moved; copy it in a custom task, then delete it"
    )]
    Wide {
        /// Name of the entity type.
        entity: &'static str,
    },
    /// A move to a table whose entity type has indexes, lookups or aggregates. A move writes the row only.
    #[error(
        "cannot move `{entity}` to the table of `{archived}`, which has index rows or aggregates; declare `{archived}` \
         without them, or write it in a task of your own"
    )]
    DerivedRows {
        /// Name of the entity type that is moved.
        entity: &'static str,
        /// Name of the entity type that is registered for the archive table.
        archived: &'static str,
    },
    /// A move to a key at which the other table contains a row that is not the entity: of another entity type, of an
    /// index or a lookup, or of another client. It and the entity are unchanged.
    #[error(
        "cannot move `{entity}` to {address}: the row there is {found}, not an archived `{entity}`; declare an archive \
         table that contains no other rows, or move or delete that row"
    )]
    Occupied {
        /// Name of the entity type that is moved.
        entity: &'static str,
        /// Address of the row.
        address: Box<Address>,
        /// Description of the row, with its `EntityType`.
        found: String,
    },
    /// An upgrade of an archived entity with a value in a blob. It is unchanged.
    #[error(
        "the archived `{entity}` at {address} has a value in a blob and cannot be upgraded in the archive; return it with \
         `tables.reopen`, which writes the newest version, then archive it again"
    )]
    ArchivedBlob {
        /// Name of the entity type.
        entity: &'static str,
        /// Address of the row in the archive.
        address: Box<Address>,
    },
    /// A move to the table that contains the entity.
    #[error("`{entity}` is already stored in that table; specify a different table")]
    SameTable {
        /// Name of the entity type.
        entity: &'static str,
    },
}

impl TaskError {
    pub(crate) fn args(task: &'static str, reason: &serde_json::Error) -> Self {
        Self::Args { task, reason: reason.to_string() }
    }
}
