//! What is told of each request: nothing of what is stored, and no signature.

use std::time::Duration;

use metrics::{Label, counter, histogram};
use tracing::{Span, field::Empty};

use super::{Call, Reply};

/// The span of a request. Its fields are filled in when it has been answered.
pub(super) fn span(call: &Call) -> Span {
    tracing::info_span!(
        "request",
        service = call.kind.as_str(),
        account = call.account,
        id = %call.id,
        operation = Empty,
        class = Empty,
        read = Empty,
        returned = Empty,
        status = Empty,
        code = Empty,
        micros = Empty,
    )
}

/// Fills in the span, and counts.
pub(super) fn answered(span: &Span, call: &Call, reply: &Reply, took: Duration, metrics: bool) {
    let facts = reply.facts;
    let class = facts.class.map(table_store::QueryClass::as_str);
    if !span.is_disabled() {
        span.record("operation", facts.operation);
        span.record("read", facts.read);
        span.record("returned", facts.returned);
        span.record("status", reply.status.as_u16());
        span.record("micros", u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        if let Some(class) = class {
            span.record("class", class);
        }
        let code = reply.headers.get("x-ms-error-code").and_then(|code| code.to_str().ok());
        if let Some(code) = code {
            span.record("code", code);
        }
    }
    if metrics {
        let of = || {
            vec![
                Label::from_static_parts("service", call.kind.as_str()),
                Label::from_static_parts("operation", facts.operation),
                Label::from_static_parts("class", class.unwrap_or("none")),
            ]
        };
        let mut counted = of();
        counted.push(Label::new("status", reply.status.as_str().to_owned()));
        counter!("tables_requests_total", counted).increment(1);
        counter!("tables_entities_read_total", of()).increment(facts.read);
        counter!("tables_entities_returned_total", of()).increment(facts.returned);
        histogram!("tables_request_seconds", of()).record(took.as_secs_f64());
    }
}
