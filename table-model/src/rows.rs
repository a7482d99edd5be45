//! Rows of a response, stored in contiguous memory.

mod iter;
mod packed;
mod row_head;
mod row_ref;
mod selection;
mod span;

pub use iter::{IntoIter, Iter};
pub use row_head::RowHead;
pub use row_ref::RowRef;
pub use selection::Selection;

use crate::{
    ETag, Timestamp,
    packed::{PropertiesRef, pack},
    value::ValueRef,
};
use span::Span;

/// Rows returned by a read, in key order. They share a few allocations, regardless of the number of rows.
///
/// Iteration by reference yields [`RowRef`]s, which decode properties on demand; iteration by value yields owned
/// [`Row`](crate::Row)s.
///
/// ```
/// use table_model::{Rows, Timestamp, ValueRef, rows::RowHead};
///
/// let mut rows = Rows::new();
/// let head = RowHead::whole("Sales", "1", Timestamp::UNIX_EPOCH);
/// rows.push(head, [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(34))])?;
///
/// let ages = rows.iter().filter_map(|row| row.properties.get("Age"));
/// assert!(ages.eq([ValueRef::Int32(34)]));
/// for row in rows {
///     assert_eq!(row.row_key.as_deref(), Some("1"));
/// }
/// # Ok::<(), table_model::rows::TooLarge>(())
/// ```
#[derive(Clone, Default)]
pub struct Rows {
    heads: Vec<Head>,
    /// All keys. A key that repeats in consecutive rows is stored once.
    keys: String,
    /// All properties, packed.
    properties: Vec<u8>,
}

/// Fixed-size part of a row and the spans of its variable-size parts.
#[derive(Clone)]
struct Head {
    etag: ETag,
    timestamp: Option<Timestamp>,
    partition_key: Option<Span>,
    row_key: Option<Span>,
    properties: Span,
    count: u16,
}

/// Error for a row that exceeds a capacity limit: 65,535 properties, 16 MiB of names or of values, or 4 GiB for all
/// rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row exceeds 65,535 properties or 16 MiB, or all rows exceed 4 GiB")]
pub struct TooLarge;

impl Rows {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { heads: Vec::new(), keys: String::new(), properties: Vec::new() }
    }

    /// Returns the number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the row at an index.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<RowRef<'_>> {
        self.heads.get(index).and_then(|head| self.view(head))
    }

    /// Iterates over the rows in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { rows: self, heads: self.heads.iter() }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`TooLarge`] if a capacity limit is exceeded; the rows are then unchanged.
    pub fn push<'p, I>(&mut self, head: RowHead<'_>, properties: I) -> Result<(), TooLarge>
    where
        I: IntoIterator<Item = (&'p str, ValueRef<'p>)>,
        I::IntoIter: Clone,
    {
        let start = self.properties.len();
        let Some(count) = pack(properties.into_iter(), &mut self.properties) else {
            self.properties.truncate(start);
            return Err(TooLarge);
        };
        self.push_head(head, count, start)
    }

    /// Appends the rows of another list.
    ///
    /// # Errors
    /// [`TooLarge`] if a capacity limit is exceeded; the rows are then unchanged.
    pub fn append(&mut self, other: Self) -> Result<(), TooLarge> {
        if self.is_empty() {
            *self = other;
            return Ok(());
        }
        let (keys, properties) = (self.keys.len(), self.properties.len());
        let head = |head: Head| {
            let key = |span: Option<Span>| span.map_or(Ok(None), |span| span.moved(keys).map(Some));
            Ok(Head {
                partition_key: key(head.partition_key)?,
                row_key: key(head.row_key)?,
                properties: head.properties.moved(properties)?,
                ..head
            })
        };
        let heads = other.heads.into_iter().map(head).collect::<Result<Vec<_>, _>>()?;
        self.heads.extend(heads);
        self.keys.push_str(&other.keys);
        self.properties.extend_from_slice(&other.properties);
        Ok(())
    }

    /// Appends the head of a row whose properties start at `start`. Removes the appended properties and keys if this
    /// fails.
    fn push_head(&mut self, row: RowHead<'_>, count: u16, start: usize) -> Result<(), TooLarge> {
        let keys = self.keys.len();
        let Ok(head) = self.head(row, count, start) else {
            self.keys.truncate(keys);
            self.properties.truncate(start);
            return Err(TooLarge);
        };
        self.heads.push(head);
        Ok(())
    }

    fn head(&mut self, row: RowHead<'_>, count: u16, start: usize) -> Result<Head, TooLarge> {
        let RowHead { etag, partition_key, row_key, timestamp } = row;
        if self.heads.is_empty() {
            // Both keys in one allocation, for a list with a single row.
            let bytes = |key: Option<&str>| key.map_or(0, str::len);
            self.keys.reserve(bytes(partition_key) + bytes(row_key));
        }
        let partition_key = partition_key.map(|key| self.partition_key(key)).transpose()?;
        let row_key = row_key.map(|key| self.key(key)).transpose()?;
        let properties = Span::new(start, self.properties.len())?;
        Ok(Head { etag, timestamp, partition_key, row_key, properties, count })
    }

    /// Returns the span of a PartitionKey. It reuses the key of the previous row if both are equal, which is the common
    /// case.
    fn partition_key(&mut self, key: &str) -> Result<Span, TooLarge> {
        let before = self.heads.last().and_then(|head| head.partition_key);
        match before {
            Some(span) if self.keys.get(span.range()) == Some(key) => Ok(span),
            _ => self.key(key),
        }
    }

    fn key(&mut self, key: &str) -> Result<Span, TooLarge> {
        let start = self.keys.len();
        self.keys.push_str(key);
        Span::new(start, self.keys.len())
    }

    /// A view exists for every row whose properties are encoded correctly, which `push_packed` requires.
    #[inline]
    fn view<'r>(&'r self, head: &'r Head) -> Option<RowRef<'r>> {
        let key = |span: Option<Span>| span.and_then(|span| self.keys.get(span.range()));
        let packed = self.properties.get(head.properties.range())?;
        Some(RowRef {
            etag: &head.etag,
            partition_key: key(head.partition_key),
            row_key: key(head.row_key),
            timestamp: head.timestamp,
            properties: PropertiesRef::new(head.count.into(), packed)?,
        })
    }
}

/// Two lists are equal if they contain the same rows in the same order.
impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Rows {}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl std::fmt::Debug for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Head").field("etag", &self.etag).field("count", &self.count).finish_non_exhaustive()
    }
}
