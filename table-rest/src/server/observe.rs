//! Spans, metrics and logs of requests. They contain neither stored data nor signatures.

use std::{net::IpAddr, time::Duration};

use metrics::{Label, counter, histogram};
use table_model::{ErrorCode, StorageFault, Uuid};
use tracing::{Span, field::Empty};

use super::{Call, Refusal, Reply};
use crate::{ServiceKind, TraceContext};

/// Creates the span of a request. Its fields are recorded with the response.
pub(super) fn span(call: &Call) -> Span {
    let (trace_id, parent_id) = trace(call).unzip();
    tracing::info_span!(
        "request",
        service = call.kind.as_str(),
        account = call.account,
        id = %call.id,
        trace_id,
        parent_id,
        peer = %call.peer,
        operation = Empty,
        class = Empty,
        read = Empty,
        returned = Empty,
        status = Empty,
        code = Empty,
        micros = Empty,
    )
}

/// Returns the trace of a request and the span that sent it, as W3C Trace Context writes them.
fn trace(call: &Call) -> Option<(String, String)> {
    let context = TraceContext::of_headers(&call.headers)?;
    Some((format!("{:032x}", context.trace_id()), format!("{:016x}", context.parent_id())))
}

/// Records the fields of the span and updates the metrics.
pub(super) fn answered(span: &Span, call: &Call, reply: &Reply, took: Duration, metrics: bool) {
    let facts = reply.facts;
    let class = facts.class.map(table_model::QueryClass::as_str);
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
    if let Some(refusal) = &reply.refusal {
        Subject::of(call, facts.operation).log(refusal);
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

/// The request of a log entry.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    service: ServiceKind,
    account: String,
    id: Uuid,
    peer: IpAddr,
    trace_id: Option<String>,
    operation: &'static str,
}

impl Subject {
    pub(super) fn of(call: &Call, operation: &'static str) -> Self {
        let trace_id = trace(call).map(|(trace_id, _)| trace_id);
        Self {
            service: call.kind,
            account: call.account.clone(),
            id: call.id,
            peer: call.peer,
            trace_id,
            operation,
        }
    }

    /// Logs the reason why a request failed or was not permitted. The log entry contains all fields, since the span may
    /// be filtered out.
    pub(super) fn log(&self, refusal: &Refusal) {
        let error = &refusal.error;
        let Self { service, account, id, peer, trace_id, operation } = self;
        let (service, status, code) = (service.as_str(), error.status(), error.code().as_str());
        let fault = error.fault().map(StorageFault::name);
        let cause = match (&refusal.cause, error.fault()) {
            (Some(cause), _) => cause.to_string(),
            (None, Some(fault)) => fault.to_string(),
            (None, None) => error.message().to_owned(),
        };
        macro_rules! line {
            ($level:ident, $message:literal) => {
                tracing::$level!(
                    service, account, %id, %peer, trace_id, operation, status, code, fault, cause, $message
                )
            };
        }
        match error.code() {
            ErrorCode::InternalError => line!(error, "request failed"),
            _ if status >= 500 => line!(warn, "request not served"),
            _ => line!(warn, "request not permitted"),
        }
    }
}
