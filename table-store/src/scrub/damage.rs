use std::fmt;

use table_model::{TableName, queue::QueueName};
use uuid::Uuid;

/// Damaged data in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// Location of the damage.
    pub place: DamagePlace,
    /// Description of the damage.
    pub what: String,
}

/// Location of a [`Damage`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamagePlace {
    /// The head of the file: its identification, its state, and the copies of the engine's header.
    Head,
    /// The log of a store that was not closed. Commits since the last checkpoint may be missing.
    Log,
    /// Pages of the engine. Records may be unreachable.
    Engine,
    /// An internal record of the store.
    Own {
        /// Name of the record.
        name: String,
    },
    /// Catalog record of a table. Without it the table does not exist.
    Catalog {
        /// Name of the table as a key, in lower case.
        name: String,
    },
    /// One entity. Reads no longer return it; writing the entity again repairs it.
    Entity {
        /// Id of its table in the file.
        id: u32,
        /// Table of the entity, if the catalog contains the id.
        table: Option<TableName>,
        /// PartitionKey and RowKey, if they can be decoded.
        keys: Option<(String, String)>,
    },
    /// A record of the blob service.
    Blobs {
        /// Description of the record.
        record: String,
    },
    /// Record of deleted data that is not removed yet. The data remains in the file.
    Removal,
    /// Record of a queue. Without it the queue does not exist.
    Queue {
        /// Name of the queue as a key.
        name: String,
    },
    /// A message, or the summary of a queue's messages. Clearing the queue repairs it.
    Message {
        /// Queue of the message, if it exists.
        queue: Option<QueueName>,
        /// Id of the message, if it can be decoded.
        id: Option<Uuid>,
    },
    /// All records under an id that no table has.
    Leftover {
        /// The id.
        id: u32,
    },
}

impl Damage {
    pub(crate) fn new(place: DamagePlace, what: impl Into<String>) -> Self {
        Self { place, what: what.into() }
    }

    pub(crate) fn of_head(what: impl Into<String>) -> Self {
        Self::new(DamagePlace::Head, what)
    }

    pub(crate) fn of_log(what: impl Into<String>) -> Self {
        Self::new(DamagePlace::Log, what)
    }

    pub(crate) fn of_engine(what: impl Into<String>) -> Self {
        Self::new(DamagePlace::Engine, what)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl fmt::Display for DamagePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head => f.write_str("the file header"),
            Self::Log => f.write_str("the log"),
            Self::Engine => f.write_str("the engine's pages"),
            Self::Own { name } => write!(f, "the internal record `{name}`"),
            Self::Catalog { name } => write!(f, "the catalog record of table `{name}`"),
            Self::Entity { id, table, keys } => {
                match table {
                    Some(table) => write!(f, "table {table}")?,
                    None => write!(f, "table #{id}")?,
                }
                match keys {
                    Some((partition_key, row_key)) => {
                        write!(f, ", PartitionKey `{partition_key}`, RowKey `{row_key}`")
                    }
                    None => f.write_str(", an entity with an invalid key"),
                }
            }
            Self::Blobs { record } => f.write_str(record),
            Self::Removal => f.write_str("a removal record"),
            Self::Queue { name } => write!(f, "the record of queue `{name}`"),
            Self::Message { queue, id } => {
                match queue {
                    Some(queue) => write!(f, "queue {queue}")?,
                    None => f.write_str("a missing queue")?,
                }
                match id {
                    Some(id) => write!(f, ", message {id}"),
                    None => f.write_str(", a record of its messages"),
                }
            }
            Self::Leftover { id } => write!(f, "table #{id}, which is missing in the catalog"),
        }
    }
}
