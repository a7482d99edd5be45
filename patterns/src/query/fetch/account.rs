//! What a run reports.

use table_model::TableName;
use tracing::Span;

use crate::{
    RunStats, SkippedRow,
    core::{
        error::DecodeError,
        spec::{Spec, Subject},
    },
    handle::span,
};

/// Maximum number of rows in the report of rows that were left out.
pub(in crate::query) const MOST_SKIPPED: usize = 1000;

/// The statistics of a run, the rows that it left out, and the span that shows them.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) stats: RunStats,
    /// Rows that were left out.
    pub(super) skipped: Vec<SkippedRow>,
    subject: Subject,
    /// Span from the first request on.
    span: Option<Span>,
}

impl Account {
    pub(super) fn new(spec: &Spec) -> Self {
        Self { stats: RunStats::new(spec.class), skipped: Vec::new(), subject: spec.subject, span: None }
    }

    /// Reports a row that was left out.
    pub(super) fn skip(&mut self, table: &TableName, error: DecodeError) {
        self.stats.skipped += 1;
        if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(SkippedRow::new(table, error));
        }
    }

    /// Returns the span of the query.
    pub(super) fn span(&mut self) -> Span {
        let Subject { name, table, .. } = self.subject;
        self.span.get_or_insert_with(|| span::query((name, table), self.stats.class)).clone()
    }
}

/// Records the statistics in the span of the query.
impl Drop for Account {
    fn drop(&mut self) {
        let Some(span) = &self.span else { return };
        let RunStats { requests, ranges, read, returned, .. } = self.stats;
        span.record("tables.requests", requests);
        span.record("tables.ranges", ranges);
        span.record("tables.read", read);
        span.record("tables.returned", returned);
    }
}
