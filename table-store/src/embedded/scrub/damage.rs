use std::fmt;

use crate::TableName;

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
            Self::Leftover { id } => write!(f, "table #{id}, which the catalog does not have"),
        }
    }
}
