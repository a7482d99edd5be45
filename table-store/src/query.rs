//! Queries, and the segments in which their results come (`G-QRY-1` to `G-QRY-5`).

use std::{fmt, str::FromStr};

use crate::{ErrorCode, Filter, Name, QueryClass, Rows, TableError};

/// A query over one table. Entities come ascending by PartitionKey, then RowKey.
///
/// ```
/// use table_store::{Filter, Query};
///
/// let query = Query::new()
///     .filter(Filter::parse("PartitionKey eq 'Sales' and RowKey ge 'empid_000100' and RowKey lt 'empid_000200'")?)
///     .select(["RowKey", "Age"])
///     .top(10);
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Which entities; none for all of the table.
    pub filter: Option<Filter>,
    /// Which properties of them; none for all.
    pub select: Option<Vec<Name>>,
    /// Most entities of a segment, 0 to 1,000; none for 1,000. It is a page size: more may follow.
    pub top: Option<u32>,
    /// Where the last segment ended.
    pub continuation: Option<Continuation>,
}

impl Query {
    /// All of the table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only entities that match.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Only these properties, the keys and the timestamp among them only if they are named.
    #[must_use]
    pub fn select<N: Into<Name>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.select = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// At most `count` entities in a segment.
    #[must_use]
    pub fn top(mut self, count: u32) -> Self {
        self.top = Some(count);
        self
    }

    /// Goes on where a segment of the same query ended.
    #[must_use]
    pub fn continuation(mut self, token: Continuation) -> Self {
        self.continuation = Some(token);
        self
    }
}

/// Where a query goes on. Opaque ASCII, safe in headers and URLs; it can be stored and survives restarts. It is bound
/// to its table and filter: any other use, and any change of its text, is refused with `InvalidInput`.
///
/// ```
/// use table_store::{Continuation, ErrorCode};
///
/// let stored = "AXNbK0";
/// assert_eq!(Continuation::new(stored)?.as_str(), stored);
/// assert_eq!(Continuation::new("").unwrap_err().code(), ErrorCode::InvalidInput);
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Continuation(String);

impl Continuation {
    /// Longest token that is read at all.
    const MOST_BYTES: usize = 16 * 1024;

    /// Takes a token as text. What it says is checked when it is used.
    pub fn new(token: impl Into<String>) -> Result<Self, TableError> {
        let token = token.into();
        if token.is_empty()
            || token.len() > Self::MOST_BYTES
            || !token.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(TableError::with_message(
                ErrorCode::InvalidInput,
                "The continuation token is not valid. Send it back as it was received.",
            ));
        }
        Ok(Self(token))
    }

    /// The token's text.
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

/// One response of a query: at most 1,000 entities of one consistent view.
///
/// A segment may hold fewer than were asked for, even none, and still carry a token (`G-QRY-5`): the embedded store ends
/// it when its time is over, or at 64 MiB of stored entities ([`SEGMENT_BYTES`](crate::limits::SEGMENT_BYTES)).
#[derive(Clone, Debug)]
pub struct Segment {
    /// The entities, in key order.
    pub rows: Rows,
    /// Where to go on; none at the end.
    pub continuation: Option<Continuation>,
    /// What it took.
    pub stats: SegmentStats,
}

/// What a segment took. A backend that cannot know (the remote service) leaves it at the plan's class and the
/// entities returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentStats {
    /// The class of the query's plan.
    pub class: QueryClass,
    /// Key ranges of the whole query.
    pub ranges: usize,
    /// Entities read for this segment.
    pub read: u64,
    /// Entities returned in it.
    pub returned: u64,
}
