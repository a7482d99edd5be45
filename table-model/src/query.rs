//! Queries and result segments (`G-QRY-1` to `G-QRY-5`).

mod check;

pub use check::check_select;

use std::{fmt, str::FromStr};

use crate::{ErrorCode, Filter, Name, QueryClass, Rows, TableError};

/// A query of one table. Results are in ascending order of PartitionKey, then RowKey, or in [descending
/// order](Query::descending).
///
/// ```
/// use table_model::{Filter, Query};
///
/// let query = Query::new()
///     .filter(Filter::parse("PartitionKey eq 'Sales' and RowKey ge 'empid_000100' and RowKey lt 'empid_000200'")?)
///     .select(["RowKey", "Age"])
///     .top(10);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Filter on entities. `None` returns the whole table.
    pub filter: Option<Filter>,
    /// Properties to return. `None` returns all properties.
    pub select: Option<Vec<Name>>,
    /// Maximum number of entities per segment, 0 to 1,000. Defaults to 1,000. This is a page size: more entities may
    /// follow.
    pub top: Option<u32>,
    /// Continuation token of the previous segment.
    pub continuation: Option<Continuation>,
    /// Stored size in bytes of the entities that are read for a segment, with or without a match, at which it ends. The
    /// entity that reaches it is the last one, so every segment progresses. `None` sets no limit of the caller. Only the
    /// embedded store supports it; other backends ignore it.
    pub read_bytes: Option<usize>,
    /// Returns the entities in descending order of their keys. A backend without
    /// [`Capabilities::reads_backward`](crate::service::Capabilities::reads_backward) rejects it with `NotImplemented`.
    pub descending: bool,
}

impl Query {
    /// Creates a query for the whole table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts the query to matching entities.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Selects the properties to return. Keys and timestamp are only returned if they are named.
    #[must_use]
    pub fn select<N: Into<Name>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.select = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Limits a segment to `count` entities.
    #[must_use]
    pub fn top(mut self, count: u32) -> Self {
        self.top = Some(count);
        self
    }

    /// Ends a segment when entities of `bytes` stored bytes have been read; see [`Query::read_bytes`].
    #[must_use]
    pub fn read_bytes(mut self, bytes: usize) -> Self {
        self.read_bytes = Some(bytes);
        self
    }

    /// Returns the entities in descending order; see [`Query::descending`].
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Continues after a previous segment of the same query.
    #[must_use]
    pub fn continuation(mut self, token: Continuation) -> Self {
        self.continuation = Some(token);
        self
    }
}

/// Continuation token of a query. Tokens are opaque ASCII strings, safe in headers and URLs. They can be stored and
/// survive restarts. A token is bound to its table, filter and order: any other use, and any modification of the token, is
/// rejected with `InvalidInput`.
///
/// ```
/// use table_model::{Continuation, ErrorCode};
///
/// let stored = "AXNbK0";
/// assert_eq!(Continuation::new(stored)?.as_str(), stored);
/// assert_eq!(Continuation::new("").unwrap_err().code(), ErrorCode::InvalidInput);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Continuation(String);

impl Continuation {
    /// Maximum length of a token in bytes.
    const MOST_BYTES: usize = 16 * 1024;

    /// Creates a token from its string. The content is validated when the token is used.
    ///
    /// # Errors
    /// `InvalidInput` if the string is empty, too long or contains characters other than visible ASCII.
    pub fn new(token: impl Into<String>) -> Result<Self, TableError> {
        let token = token.into();
        if token.is_empty()
            || token.len() > Self::MOST_BYTES
            || !token.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(TableError::with_message(
                ErrorCode::InvalidInput,
                "The continuation token is not valid. Send it unchanged.",
            ));
        }
        Ok(Self(token))
    }

    /// Returns the token string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Continuation {
    type Err = TableError;

    fn from_str(token: &str) -> Result<Self, Self::Err> {
        Self::new(token)
    }
}

impl fmt::Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One segment of query results: at most 1,000 entities from one consistent snapshot.
///
/// A segment may contain fewer entities than requested, or none, and still have a continuation token (`G-QRY-5`). The
/// embedded store ends a segment at its time limit, at 64 MiB of stored entities
/// ([`SEGMENT_BYTES`](crate::limits::SEGMENT_BYTES)), or at [`Query::read_bytes`].
#[derive(Clone, Debug)]
pub struct Segment {
    /// Entities in key order.
    pub rows: Rows,
    /// Token of the next segment; `None` at the end.
    pub continuation: Option<Continuation>,
    /// Token of the same query in the opposite order, which starts before the first entity of this segment. `None` for the
    /// first segment of a query, and if the backend cannot [read
    /// backward](crate::service::Capabilities::reads_backward).
    pub previous: Option<Continuation>,
    /// Cost of the segment.
    pub stats: SegmentStats,
}

/// Cost of a segment. A backend that cannot measure it (the remote service) reports the class of the plan and the
/// number of returned entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentStats {
    /// Class of the query plan.
    pub class: QueryClass,
    /// Number of key ranges of the whole query.
    pub ranges: usize,
    /// Number of entities read for this segment.
    pub read: u64,
    /// Number of entities returned in this segment.
    pub returned: u64,
}
