use std::fmt;

use table_store::QueryClass;

/// What a run of a query took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStats {
    /// The query's class.
    pub class: QueryClass,
    /// Requests sent.
    pub requests: u64,
    /// Key ranges of the query, as the service planned it; for a multi-point query points, and one for a list.
    pub ranges: usize,
    /// Entities that the service read.
    pub read: u64,
    /// Members of a list that were not given: gone since it was read, or changed so that they belong in another.
    pub passed_over: u64,
    /// Items given.
    pub returned: u64,
}

impl RunStats {
    pub(super) const fn new(class: QueryClass) -> Self {
        Self { class, requests: 0, ranges: 0, read: 0, passed_over: 0, returned: 0 }
    }
}

/// `row-range: 1 request, 1 range, 100 read, 100 returned`
impl fmt::Display for RunStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, requests, ranges, read, passed_over, returned } = self;
        let s = |many: bool| if many { "s" } else { "" };
        write!(
            f,
            "{class}: {requests} request{}, {ranges} range{}, {read} read, {returned} returned",
            s(*requests != 1),
            s(*ranges != 1)
        )?;
        if *passed_over > 0 { write!(f, ", {passed_over} passed over") } else { Ok(()) }
    }
}
