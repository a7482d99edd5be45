use std::fmt;

use table_model::QueryClass;

/// Statistics of a query run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStats {
    /// Query class.
    pub class: QueryClass,
    /// Number of requests sent.
    pub requests: u64,
    /// Number of key ranges that the service planned. For a multi-point query, the number of points, plus 1 for a list.
    pub ranges: usize,
    /// Number of entities that the service read.
    pub read: u64,
    /// Number of rows that were left out because of a [`RowPolicy`](crate::RowPolicy), and of list members that were
    /// skipped, because they were deleted or moved to another list after the list was read.
    pub skipped: u64,
    /// Number of items returned.
    pub returned: u64,
}

impl RunStats {
    pub(crate) const fn new(class: QueryClass) -> Self {
        Self { class, requests: 0, ranges: 0, read: 0, skipped: 0, returned: 0 }
    }
}

/// Formats the statistics, for example `row-range: 1 request, 1 range, 100 read, 100 returned`.
impl fmt::Display for RunStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, requests, ranges, read, skipped, returned } = self;
        let s = |many: bool| if many { "s" } else { "" };
        write!(
            f,
            "{class}: {requests} request{}, {ranges} range{}, {read} read, {returned} returned",
            s(*requests != 1),
            s(*ranges != 1)
        )?;
        if *skipped > 0 { write!(f, ", {skipped} skipped") } else { Ok(()) }
    }
}
