//! Elements of programs.

use table_store::{
    Condition, ETag, Entity, Filter, Name, Operation, Query, Result, TableName, Timestamp, Value,
};

use crate::reliability::contents::Key;

/// Names of tables. The last two are one table, in two spellings.
const TABLES: [&str; 3] = ["Orders", "Staff", "STAFF"];
/// Parts of keys, on both sides of the difference between UTF-16 and UTF-8 order.
const PARTS: [&str; 5] = ["", "a", "a\u{ffff}", "a\u{10000}", "b"];
/// Names in filters and selections.
pub const NAMES: [&str; 8] = ["P0", "P1", "P2", "PartitionKey", "RowKey", "Timestamp", "Absent", "*"];

const PARTITION_KEY: u8 = 3;
const ROW_KEY: u8 = 4;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// `true` if writes are acknowledged before they are synced.
    pub relaxed: bool,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// Creates a table.
    Create(Table),
    /// Deletes a table, and optionally waits for its sweep.
    Drop(Table, bool),
    /// Lists all tables, in pages.
    List(Option<Filter>, Option<u32>),
    /// One write.
    Write(Table, Act),
    /// Several writes to the partition of the first.
    Transact(Table, Vec<Act>, Flaw),
    /// Three transactions of a hundred rows.
    Bulk(Table),
    /// Reads a row.
    Get(Table, Keys, Selected),
    /// Queries a table: completely, or one page, whose successors a later [`Step::Resume`] requests.
    Query(Table, Ask, bool),
    /// The next page of the last query that has one.
    Resume,
    /// Moves all data to stable storage.
    Flush,
    /// Closes the store and opens it again.
    Reopen,
    /// Continues with a copy of the stored data, as after the end of the process.
    Copy,
    /// Moves the clock by this number of ticks.
    Jump(i64),
}

/// The number of a table.
pub type Table = u8;
/// The numbers of a PartitionKey and a RowKey.
pub type Keys = (u8, u8);
/// The numbers of the selected names; `None` for all.
pub type Selected = Option<Vec<u8>>;

/// A query of a table.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The filter.
    pub filter: Option<Filter>,
    /// The selection.
    pub select: Selected,
    /// Maximum number of rows per page.
    pub top: Option<u32>,
    /// The order.
    pub descending: bool,
}

/// One write.
#[derive(Clone, Debug)]
pub struct Act {
    /// The operation.
    pub verb: Verb,
    /// The row.
    pub keys: Keys,
    /// The properties.
    pub properties: Vec<(u8, Value)>,
}

/// The six write operations; three of them with a condition.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Verb {
    Insert,
    InsertOrReplace,
    InsertOrMerge,
    Replace(Version),
    Merge(Version),
    Delete(Version),
}

/// The version in the condition of a write.
#[derive(Clone, Copy, Debug)]
pub enum Version {
    /// Any version.
    Any,
    /// The current version of the row; if it does not exist, its last version.
    Current,
    /// The previous version.
    Before,
    /// A version that no row ever had.
    Never,
}

/// The flaw of a transaction.
#[derive(Clone, Copy, Debug)]
pub enum Flaw {
    /// No flaw.
    None,
    /// It is empty.
    Empty,
    /// It contains its first row twice.
    Twice,
    /// Its last row is in another partition.
    Elsewhere,
    /// It contains 101 rows.
    TooMany,
}

/// Returns the table's name.
///
/// # Errors
/// Returns an error if the table name is invalid.
pub fn table(number: Table) -> Result<TableName> {
    TableName::new(TABLES.get(usize::from(number)).copied().unwrap_or("Orders"))
}

/// Returns the keys as strings.
#[must_use]
pub fn key((partition, row): Keys) -> Key {
    let part = |number: u8| PARTS.get(usize::from(number)).copied().unwrap_or_default().to_owned();
    (part(partition), part(row))
}

/// Returns the selected names.
#[must_use]
pub fn names(selected: &Selected) -> Option<Vec<Name>> {
    let name = |number: &u8| NAMES.get(usize::from(*number)).copied().unwrap_or_default().into();
    selected.as_ref().map(|selected| selected.iter().map(name).collect())
}

impl Ask {
    /// Returns the query with the keys added to the selection.
    #[must_use]
    pub fn with_keys(&self) -> Self {
        let mut more = self.clone();
        more.select.iter_mut().for_each(|names| names.extend([PARTITION_KEY, ROW_KEY]));
        more
    }

    /// Returns the query from its start.
    #[must_use]
    pub fn query(&self) -> Query {
        let (filter, select) = (self.filter.clone(), names(&self.select));
        Query { filter, select, top: self.top, descending: self.descending, ..Query::default() }
    }
}

impl Act {
    /// Returns the operation, given the versions that its row has had, the latest last.
    #[must_use]
    pub fn operation(&self, versions: &[ETag]) -> Operation {
        let (partition_key, row_key) = key(self.keys);
        let condition = |version| match (version, versions) {
            (Version::Any, _) => Condition::Exists,
            (Version::Current, [.., last]) => Condition::Matches(last.clone()),
            (Version::Before, [.., before, _]) => Condition::Matches(before.clone()),
            _ => Condition::Matches(Timestamp::MIN_STORED.into()),
        };
        let entity = || {
            let mut entity = Entity::new(partition_key.clone(), row_key.clone());
            for (number, value) in &self.properties {
                entity
                    .properties
                    .set(NAMES.get(usize::from(*number)).copied().unwrap_or("P0"), value.clone());
            }
            entity
        };
        match self.verb {
            Verb::Insert => Operation::Insert(entity()),
            Verb::InsertOrReplace => Operation::InsertOrReplace(entity()),
            Verb::InsertOrMerge => Operation::InsertOrMerge(entity()),
            Verb::Replace(version) => Operation::Replace(entity(), condition(version)),
            Verb::Merge(version) => Operation::Merge(entity(), condition(version)),
            Verb::Delete(version) => {
                let condition = condition(version);
                Operation::Delete { partition_key, row_key, condition }
            }
        }
    }
}
