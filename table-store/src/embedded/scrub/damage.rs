use std::fmt;

use uuid::Uuid;

use crate::{TableName, queue::QueueName};

/// Something in a store that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// Where.
    pub place: DamagePlace,
    /// What was seen there.
    pub what: String,
}

/// What a [`Damage`] is in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamagePlace {
    /// The head of the file: whose it is, its state, the copies of the engine's header.
    Head,
    /// The engine's pages. Records may be hidden by it.
    Engine,
    /// A record that the store has of itself.
    Own {
        /// Its name.
        name: String,
    },
    /// A table's record in the catalog. Without it the table is not there.
    Catalog {
        /// The table's name as a key: in lower case.
        name: String,
    },
    /// One entity. It is not returned any more; storing it anew heals it.
    Entity {
        /// The id of its table in the file.
        id: u32,
        /// Its table, if the catalog has one under that id.
        table: Option<TableName>,
        /// PartitionKey and RowKey, if they can be read.
        keys: Option<(String, String)>,
    },
    /// A record of the blob service.
    Blobs {
        /// What it is of.
        record: String,
    },
    /// A record of what was deleted and is to be removed. What it names stays in the file.
    Removal,
    /// A queue's record. Without it the queue is not there.
    Queue {
        /// The queue's name as a key.
        name: String,
    },
    /// A message, or what is known of a queue's messages together. Clearing the queue heals it.
    Message {
        /// Its queue, if there is one that it belongs to.
        queue: Option<QueueName>,
        /// Which one it is, if that can be read.
        id: Option<Uuid>,
    },
    /// All records under an id that no table has.
    Leftover {
        /// The id.
        id: u32,
    },
}

impl Damage {
    pub(in crate::embedded) fn new(place: DamagePlace, what: impl Into<String>) -> Self {
        Self { place, what: what.into() }
    }

    pub(in crate::embedded) fn of_head(what: impl Into<String>) -> Self {
        Self::new(DamagePlace::Head, what)
    }

    pub(in crate::embedded) fn of_engine(what: impl Into<String>) -> Self {
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
            Self::Head => f.write_str("the head of the file"),
            Self::Engine => f.write_str("the engine's pages"),
            Self::Own { name } => write!(f, "the store's own record `{name}`"),
            Self::Catalog { name } => write!(f, "the catalog's record of table `{name}`"),
            Self::Entity { id, table, keys } => {
                match table {
                    Some(table) => write!(f, "table {table}")?,
                    None => write!(f, "table #{id}")?,
                }
                match keys {
                    Some((partition_key, row_key)) => {
                        write!(f, ", PartitionKey `{partition_key}`, RowKey `{row_key}`")
                    }
                    None => f.write_str(", an entity whose keys cannot be read"),
                }
            }
            Self::Blobs { record } => f.write_str(record),
            Self::Removal => f.write_str("a record of what is to be removed"),
            Self::Queue { name } => write!(f, "the record of queue `{name}`"),
            Self::Message { queue, id } => {
                match queue {
                    Some(queue) => write!(f, "queue {queue}")?,
                    None => f.write_str("a queue that is not there")?,
                }
                match id {
                    Some(id) => write!(f, ", message {id}"),
                    None => f.write_str(", a record of its messages"),
                }
            }
            Self::Leftover { id } => write!(f, "table #{id}, which the catalog does not have"),
        }
    }
}
