//! Where a query goes on.

mod text;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use table_store::{Continuation, TableName};

/// Where a query goes on: after a page, or after an item of a stream. Text that can be stored, sent to a browser and
/// used after a restart ([`Display`](std::fmt::Display), [`FromStr`](std::str::FromStr), serde as a string).
///
/// It belongs to one query: the entity, the keys asked for and the filter must be the same; page size and row shape may
/// change. Any other use is a [`CursorError`]. What is written or deleted in between is simply seen or not.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let query = Employee::rows("Sales").page_size(2);
/// let page = query.page(&tables).await?;
/// let Some(text) = page.cursor.map(|cursor| cursor.to_string()) else { return Ok(()) };
///
/// // Later, in another process:
/// let rest = query.resume(text.parse()?).all(&tables).await?;
/// assert_eq!((page.items.len(), rest.len()), (2, 1));
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// Digest of the query that it belongs to.
    pub(crate) query: u64,
    /// How many items were given so far, for `take`.
    pub(crate) given: u64,
    pub(crate) place: Place,
}

/// A place in the rows of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// At the beginning.
    Start,
    /// Where a segment of the service ended.
    Token(Continuation),
    /// Inside a segment: at this row, or where it would be, of the segment that began at `token`.
    At {
        /// Where the segment began; none for the first.
        token: Option<Continuation>,
        /// Of the row.
        partition_key: String,
        /// Of the row.
        row_key: String,
    },
    /// Before one of the points of a multi-point query.
    Point(usize),
    /// In a query over several tables or partitions: at this row, or behind it. It holds no token of the service, so
    /// it outlives the tables that come and go.
    Row(RowPlace),
}

/// A row, as a place among the rows of several tables or partitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowPlace {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) row_key: String,
    /// Whether the row itself was given.
    pub(crate) behind: bool,
}

/// A text that is no cursor, or a cursor of something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CursorError {
    /// The text was not written by a cursor, or was cut.
    #[error("{0:?} is not a cursor; give back the text as it was received")]
    Unreadable(String),
    /// The text is of another version of the library.
    #[error("the cursor has version {found}, this library reads version {known}; begin the query anew")]
    Version {
        /// The text's version.
        found: String,
        /// The version that is read.
        known: u32,
    },
    /// The cursor is of another query.
    #[error(
        "the cursor belongs to another query than this one on `{entity}`: \
         entity, keys and filter must be the same; begin anew, or use it with its own query"
    )]
    OtherQuery {
        /// What this query is on.
        entity: &'static str,
    },
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
