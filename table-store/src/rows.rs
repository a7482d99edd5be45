//! The rows of one response, in one piece of memory.

mod row_ref;

pub use row_ref::RowRef;

use std::ops::Range;

use crate::{
    ETag, Row, Timestamp,
    packed::{PropertiesRef, pack},
    value::ValueRef,
};

/// Rows as they were read, in key order, side by side in a few allocations whatever their number.
///
/// Going through them by reference gives [`RowRef`]s, which decode what is asked for; by value, [`Row`]s of their own.
///
/// ```
/// use table_store::{Rows, Timestamp, ValueRef};
///
/// let at = Timestamp::UNIX_EPOCH;
/// let mut rows = Rows::new();
/// let properties = [("Name", ValueRef::String("Jo")), ("Age", ValueRef::Int32(34))];
/// rows.push(at.into(), Some("Sales"), Some("1"), Some(at), properties)?;
///
/// let ages = rows.iter().filter_map(|row| row.properties.get("Age"));
/// assert!(ages.eq([ValueRef::Int32(34)]));
/// for row in rows {
///     assert_eq!(row.row_key.as_deref(), Some("1"));
/// }
/// # Ok::<(), table_store::rows::TooLarge>(())
/// ```
#[derive(Clone, Default)]
pub struct Rows {
    heads: Vec<Head>,
    /// All keys; keys that repeat from row to row stand once.
    keys: String,
    /// All properties, packed.
    properties: Vec<u8>,
}

/// What is of a fixed size in a row, and where the rest is.
#[derive(Clone)]
struct Head {
    etag: ETag,
    timestamp: Option<Timestamp>,
    partition_key: Option<Range<usize>>,
    row_key: Option<Range<usize>>,
    count: u16,
    properties: Range<usize>,
}

/// A row is beyond what a row can hold: 65,535 properties, or 16 MiB of names or of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row with more than 65,535 properties or more than 16 MiB cannot be held")]
pub struct TooLarge;

impl Rows {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { heads: Vec::new(), keys: String::new(), properties: Vec::new() }
    }

    /// None, with room for some before it has to grow.
    pub(crate) fn with_room() -> Self {
        const ROWS: usize = 64;
        const KEY_BYTES: usize = 32;
        const ROW_BYTES: usize = 256;
        Self {
            heads: Vec::with_capacity(ROWS),
            keys: String::with_capacity(ROWS * KEY_BYTES),
            properties: Vec::with_capacity(ROWS * ROW_BYTES),
        }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The row at a place.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<RowRef<'_>> {
        self.heads.get(index).and_then(|head| self.view(head))
    }

    /// All, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { rows: self, heads: self.heads.iter() }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`TooLarge`]; then the rows are as they were.
    pub fn push<'p, I>(
        &mut self,
        etag: ETag,
        partition_key: Option<&str>,
        row_key: Option<&str>,
        timestamp: Option<Timestamp>,
        properties: I,
    ) -> Result<(), TooLarge>
    where
        I: IntoIterator<Item = (&'p str, ValueRef<'p>)>,
        I::IntoIter: Clone,
    {
        let start = self.properties.len();
        let Some(count) = pack(properties.into_iter(), &mut self.properties) else {
            self.properties.truncate(start);
            return Err(TooLarge);
        };
        self.push_head(etag, partition_key, row_key, timestamp, count, start);
        Ok(())
    }

    /// Appends a row all of whose properties are packed already.
    pub(crate) fn push_packed(
        &mut self,
        etag: ETag,
        (partition_key, row_key): (&str, &str),
        timestamp: Timestamp,
        properties: PropertiesRef<'_>,
    ) -> Result<(), TooLarge> {
        let start = self.properties.len();
        let count = u16::try_from(properties.len()).map_err(|_| TooLarge)?;
        for part in properties.packed() {
            self.properties.extend_from_slice(part);
        }
        self.push_head(etag, Some(partition_key), Some(row_key), Some(timestamp), count, start);
        Ok(())
    }

    /// Appends the rows of another.
    pub fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let (keys, properties) = (self.keys.len(), self.properties.len());
        self.keys.push_str(&other.keys);
        self.properties.extend_from_slice(&other.properties);
        let behind = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        self.heads.extend(other.heads.into_iter().map(|head| Head {
            partition_key: head.partition_key.map(|place| behind(place, keys)),
            row_key: head.row_key.map(|place| behind(place, keys)),
            properties: behind(head.properties, properties),
            ..head
        }));
    }

    fn push_head(
        &mut self,
        etag: ETag,
        partition_key: Option<&str>,
        row_key: Option<&str>,
        timestamp: Option<Timestamp>,
        count: u16,
        start: usize,
    ) {
        let partition_key = partition_key.map(|key| self.partition_key(key));
        let row_key = row_key.map(|key| self.key(key));
        let properties = start..self.properties.len();
        self.heads.push(Head { etag, timestamp, partition_key, row_key, count, properties });
    }

    /// Where a PartitionKey stands; mostly it is the one of the row before.
    fn partition_key(&mut self, key: &str) -> Range<usize> {
        let before = self.heads.last().and_then(|head| head.partition_key.clone());
        match before {
            Some(place) if self.keys.get(place.clone()) == Some(key) => place,
            _ => self.key(key),
        }
    }

    fn key(&mut self, key: &str) -> Range<usize> {
        let start = self.keys.len();
        self.keys.push_str(key);
        start..self.keys.len()
    }

    /// Every head was made by `push`, so there is always a view.
    fn view<'r>(&'r self, head: &'r Head) -> Option<RowRef<'r>> {
        let key = |place: &Option<Range<usize>>| place.clone().and_then(|place| self.keys.get(place));
        Some(RowRef {
            etag: &head.etag,
            partition_key: key(&head.partition_key),
            row_key: key(&head.row_key),
            timestamp: head.timestamp,
            properties: PropertiesRef::new(head.count.into(), self.properties.get(head.properties.clone())?)?,
        })
    }
}

/// Rows by reference, in order.
#[derive(Clone, Debug)]
pub struct Iter<'r> {
    rows: &'r Rows,
    heads: std::slice::Iter<'r, Head>,
}

impl<'r> Iterator for Iter<'r> {
    type Item = RowRef<'r>;

    fn next(&mut self) -> Option<RowRef<'r>> {
        self.rows.view(self.heads.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.heads.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'r> IntoIterator for &'r Rows {
    type Item = RowRef<'r>;
    type IntoIter = Iter<'r>;

    fn into_iter(self) -> Iter<'r> {
        self.iter()
    }
}

/// Rows by value, in order.
#[derive(Clone, Debug)]
pub struct IntoIter {
    rows: Rows,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let row = self.rows.get(self.next)?.to_row();
        self.next += 1;
        Some(row)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl IntoIterator for Rows {
    type Item = Row;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter { rows: self, next: 0 }
    }
}

/// The same rows in the same order.
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
