//! The span of a run.

use tracing::Span;

use super::{Fetch, RunStats};
use crate::handle::span;

impl Fetch {
    /// Returns the span of the query.
    pub(super) fn span(&mut self) -> Span {
        self.span.get_or_insert_with(|| span::query(self.names, self.stats.class)).clone()
    }
}

/// Records the statistics in the span of the query.
impl Drop for Fetch {
    fn drop(&mut self) {
        let Some(span) = &self.span else { return };
        let RunStats { requests, ranges, read, returned, .. } = self.stats;
        span.record("tables.requests", requests);
        span.record("tables.ranges", ranges);
        span.record("tables.read", read);
        span.record("tables.returned", returned);
    }
}
