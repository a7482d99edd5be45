//! What programs are made of.

use table_store::{
    Condition, ETag, Entity, Filter, Name, Operation, Query, Result, TableName, Timestamp, Value,
};

use crate::contents::Key;

/// Names of tables. The last two are one table, written in two ways.
const TABLES: [&str; 3] = ["Orders", "Staff", "STAFF"];
/// Parts of keys, on both sides of where the order of UTF-16 is another than that of UTF-8.
const PARTS: [&str; 5] = ["", "a", "a\u{ffff}", "a\u{10000}", "b"];
/// What filters and selections name.
pub const NAMES: [&str; 8] = ["P0", "P1", "P2", "PartitionKey", "RowKey", "Timestamp", "Absent", "*"];

const PARTITION_KEY: u8 = 3;
const ROW_KEY: u8 = 4;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Whether writes are acknowledged before they are synced.
    pub relaxed: bool,
    /// What it does, in order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// Creates a table.
    Create(Table),
    /// Deletes a table, and waits until nothing is left of it or does not.
    Drop(Table, bool),
    /// Lists the tables to the end, in pages.
    List(Option<Filter>, Option<u32>),
    /// One write.
    Write(Table, Act),
    /// Several writes to the partition of the first.
    Transact(Table, Vec<Act>, Flaw),
    /// Three transactions of a hundred rows.
    Bulk(Table),
    /// Reads a row.
    Get(Table, Keys, Selected),
    /// Queries a table: to the end, or one page, the rest of which a later [`Step::Resume`] asks for.
    Query(Table, Ask, bool),
    /// The next page of the last query that has one.
    Resume,
    /// Brings everything to stable storage.
    Flush,
    /// Closes the store and opens it again.
    Reopen,
    /// Goes on with a copy of what is stored, as after the end of the process.
    Copy,
    /// Moves the clock by so many ticks.
    Jump(i64),
}

/// The number of a table.
pub type Table = u8;
/// The numbers of a PartitionKey and a RowKey.
pub type Keys = (u8, u8);
/// The numbers of the names selected; none for all.
pub type Selected = Option<Vec<u8>>;

/// What is asked of a table.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The filter.
    pub filter: Option<Filter>,
    /// The selection.
    pub select: Selected,
    /// Most rows of a page.
    pub top: Option<u32>,
}

/// One write.
#[derive(Clone, Debug)]
pub struct Act {
    /// Which.
    pub verb: Verb,
    /// Of which row.
    pub keys: Keys,
    /// What it sends.
    pub properties: Vec<(u8, Value)>,
}

/// The six writes; three of them with a condition.
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

/// The version that a write asks for.
#[derive(Clone, Copy, Debug)]
pub enum Version {
    /// Any.
    Any,
    /// That of the row as it is; if it is not there, that which it had.
    Current,
    /// The one before.
    Before,
    /// One that no row ever had.
    Never,
}

/// What is wrong with a transaction.
#[derive(Clone, Copy, Debug)]
pub enum Flaw {
    /// Nothing.
    None,
    /// It holds nothing.
    Empty,
    /// It holds its first row twice.
    Twice,
    /// Its last row is of another partition.
    Elsewhere,
    /// It holds 101 rows.
    TooMany,
}

/// The table's name.
pub fn table(number: Table) -> Result<TableName> {
    TableName::new(TABLES.get(usize::from(number)).copied().unwrap_or("Orders"))
}

/// The keys as texts.
#[must_use]
pub fn key((partition, row): Keys) -> Key {
    let part = |number: u8| PARTS.get(usize::from(number)).copied().unwrap_or_default().to_owned();
    (part(partition), part(row))
}

/// The names selected.
#[must_use]
pub fn names(selected: &Selected) -> Option<Vec<Name>> {
    let name = |number: &u8| NAMES.get(usize::from(*number)).copied().unwrap_or_default().into();
    selected.as_ref().map(|selected| selected.iter().map(name).collect())
}

impl Ask {
    /// The same, with the keys among what is selected.
    #[must_use]
    pub fn with_keys(&self) -> Self {
        let mut more = self.clone();
        more.select.iter_mut().for_each(|names| names.extend([PARTITION_KEY, ROW_KEY]));
        more
    }

    /// The query from its beginning.
    #[must_use]
    pub fn query(&self) -> Query {
        Query { filter: self.filter.clone(), select: names(&self.select), top: self.top, continuation: None }
    }
}

impl Act {
    /// The operation, given the versions that its row has had, the latest last.
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
