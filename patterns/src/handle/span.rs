//! The spans of queries, writes and commit records. Their names and fields are public and described in `docs/guide/observability.md`. They
//! contain neither keys nor values.

use std::{
    cell::LazyCell,
    collections::BTreeSet,
    future::{Future, poll_fn},
    pin::pin,
};

use table_model::{ErrorCode, QueryClass, Timestamp};
use tracing::{Span, field::Empty};

use crate::{Error, Receipt, core::outbox::Commit};

const SYSTEM: &str = "azure.tables";

/// The `error.type` of an error without a code of the service.
pub(crate) const OTHER_ERROR: &str = "other";

/// Creates the span of a query from its first request to its end. `table` is a name, or the template of the names of
/// per-period tables.
pub(crate) fn query((entity, table): (&'static str, &'static str), class: QueryClass) -> Span {
    tracing::info_span!(
        "query",
        otel.kind = "client",
        db.system.name = SYSTEM,
        db.operation.name = "QueryEntities",
        db.collection.name = table,
        tables.entity = entity,
        tables.class = class.as_str(),
        tables.requests = Empty,
        tables.ranges = Empty,
        tables.read = Empty,
        tables.returned = Empty,
        "error.type" = Empty,
    )
}

/// What a span of writes describes.
#[derive(Debug)]
pub(crate) struct Writes<'w> {
    /// Operation of the service.
    pub(crate) operation: &'static str,
    pub(crate) table: &'w str,
    /// Name of the entity type.
    pub(crate) entity: Option<&'static str>,
    /// Number of writes.
    pub(crate) size: usize,
}

/// Creates the span of a write, or of a transaction of several writes. `of` is called only if the span is recorded.
pub(crate) fn write<'w>(of: impl FnOnce() -> Writes<'w>) -> Span {
    let writes = LazyCell::new(of);
    tracing::info_span!(
        "write",
        otel.kind = "client",
        db.system.name = SYSTEM,
        db.operation.name = writes.operation,
        db.collection.name = writes.table,
        db.operation.batch.size = Some(writes.size).filter(|size| *size > 1),
        tables.entity = writes.entity,
        tables.attempts = Empty,
        tables.tx = Empty,
        tables.outcome = Empty,
        "error.type" = Empty,
    )
}

/// Creates the span of the application of a commit record, with a link to the span of its write, if that is known.
pub(crate) fn follow(commit: &Commit, write: Option<&Span>) -> Span {
    let index = LazyCell::new(|| indexes(commit));
    let span = tracing::info_span!(
        "follow",
        otel.name = format!("follow {}", *index),
        otel.kind = "internal",
        db.system.name = SYSTEM,
        db.collection.name = commit.receipt.table.as_str(),
        tables.index = *index,
        tables.tx = commit.receipt.token,
        tables.tries = commit.tries,
        tables.age_seconds =
            commit.written.map(|written| Timestamp::now().duration_since(written).as_secs_f64()),
        tables.outcome = Empty,
        "error.type" = Empty,
    );
    if let Some(write) = write {
        span.follows_from(write);
    }
    span
}

/// Returns the names of the indexes of a commit record, and of its other derived rows.
fn indexes(commit: &Commit) -> String {
    let names: BTreeSet<&str> = commit.touches.iter().map(|touch| touch.maker.index.as_str()).collect();
    names.into_iter().collect::<Vec<_>>().join(",")
}

/// Records the token of the commit record of an attempt.
pub(crate) fn committed(span: &Span, receipt: Option<&Receipt>) {
    if let Some(receipt) = receipt {
        span.record("tables.tx", &*receipt.token);
    }
}

/// Records the number of attempts of a transaction, if a concurrent writer repeated it.
pub(crate) fn attempts(span: &Span, count: u32) {
    if count > 1 {
        span.record("tables.attempts", count);
    }
}

/// Runs an operation in its span, and records its error.
pub(crate) async fn within<T>(span: &Span, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let mut work = pin!(work);
    let done = poll_fn(|context| span.in_scope(|| work.as_mut().poll(context))).await;
    if !span.is_disabled() {
        if let Err(error) = &done {
            span.record("error.type", error.code().map_or(OTHER_ERROR, ErrorCode::as_str));
        }
        let is_unknown = done.as_ref().is_err_and(Error::is_outcome_unknown);
        span.record("tables.outcome", if is_unknown { "unknown" } else { "settled" });
    }
    done
}
