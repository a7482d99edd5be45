//! Cursors, which resume a query.

mod text;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use table_model::{Continuation, TableName};

use super::serde_text;

/// Position at which a query resumes: after a page, or after an item of a stream. It is a string that can be stored,
/// sent to a browser and used after a restart ([`Display`](std::fmt::Display), [`FromStr`](std::str::FromStr), serde as
/// a string). On every backend it consists of letters, digits and `-_.~`, so URLs and shells need no quotes for it.
///
/// A cursor belongs to one query: the entity type, the keys and the filter must be the same; page size and row type may
/// change. Any other use is a [`CursorError`]. Concurrent inserts and deletes may or may not be visible to the resumed
/// query.
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
    /// Digest of the query that the cursor belongs to.
    pub(crate) query: u64,
    /// Number of items returned so far, for `take`.
    pub(crate) given: u64,
    pub(crate) place: Place,
}

/// A position in the rows of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// The start.
    Start,
    /// The end of a segment of the service.
    Token(Continuation),
    /// The start of a segment of the service, before which the previous page ends.
    Back(Continuation),
    /// A row, or its position if it no longer exists, in the segment that started at `token`.
    At {
        /// Start of the segment. `None` for the first segment.
        token: Option<Continuation>,
        /// Partition key of the row.
        partition_key: String,
        /// Row key of the row.
        row_key: String,
    },
    /// Before a point of a multi-point query.
    Point(usize),
    /// In a query over several tables or partitions: at this row, or after it. It contains no token of the service, so
    /// it remains valid when tables are created or deleted.
    Row(RowPlace),
}

/// A position among the rows of several tables or partitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowPlace {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    pub(crate) row_key: String,
    /// `true` if the row itself was already returned.
    pub(crate) behind: bool,
}

/// An invalid cursor string, or a cursor of another query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CursorError {
    /// The string was not produced by a cursor, or was cut or changed. It is truncated to 64 characters.
    #[error("invalid cursor {0:?}; pass the complete string unchanged, or restart the query without it")]
    Unreadable(String),
    /// The string was produced by another version of the library.
    #[error("the cursor has version {found}, but this library supports version {known}; restart the query")]
    Version {
        /// Version in the string.
        found: String,
        /// Supported version.
        known: u32,
    },
    /// The cursor belongs to another query.
    #[error(
        "the cursor belongs to a different query than this one on `{entity}`; use it with the same entity, \
         keys and filter, or restart the query"
    )]
    OtherQuery {
        /// Entity type of this query.
        entity: &'static str,
    },
    /// The cursor is that of a [previous page](crate::Page::previous), and the run does not read a page.
    #[error("the cursor of a previous page reads a single page; run the query with `page`")]
    PreviousPage,
    /// The backend rejected the position of the cursor. It belongs to another store, or to a table that was deleted and
    /// created again.
    #[error(
        "the cursor is not valid for the table `{table}` of this store; the table was deleted and created again, or the \
         cursor is that of another store: restart the query without it ({reason})"
    )]
    Rejected {
        /// Table of the query.
        table: String,
        /// Message of the backend.
        reason: String,
    },
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_text::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_text::deserialize(deserializer)
    }
}
