//! The spans of queries and writes. Their names and fields are public and described in `docs/guide/observability.md`. They
//! contain neither keys nor values.

use std::{
    cell::LazyCell,
    future::{Future, poll_fn},
    pin::pin,
};

use table_model::{ErrorCode, QueryClass};
use tracing::{Span, field::Empty};

use crate::Error;

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
        tables.outcome = Empty,
        "error.type" = Empty,
    )
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
