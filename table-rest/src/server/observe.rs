//! Spans, metrics and logs of requests. They contain neither stored data nor signatures.

mod metrics;
mod probe;
mod record;
mod slow;
mod slow_requests;
mod subject;

use std::{cell::LazyCell, time::Duration};

use ::metrics::{Gauge, gauge};
use http::{header, uri::Authority};
use table_model::QueryClass;
use tracing::{Span, field::Empty};

use self::metrics::Metrics;
pub(super) use self::{probe::Stage, subject::Subject};
pub use self::{
    probe::{Probe, partition_hash},
    record::{RecordOptions, Recorder},
    slow::SlowLog,
    slow_requests::{SlowRequest, SlowRequests},
};
use super::{Call, Reply, telemetry};
use crate::{ServiceKind, TraceContext};

/// Observes the requests of a server.
#[derive(Debug)]
pub(super) struct Observer {
    metrics: Option<Metrics>,
    slow: SlowLog,
    recent: Option<SlowRequests>,
    recorder: Option<Recorder>,
}

impl Observer {
    /// Creates an observer. With `accounts`, it counts their requests.
    pub(super) fn new<'a>(accounts: Option<impl Iterator<Item = &'a str>>, slow: SlowLog) -> Self {
        Self { metrics: accounts.map(Metrics::new), slow, recent: None, recorder: None }
    }

    /// Keeps the last slow requests.
    pub(super) fn keep_slow(&mut self, recent: Option<SlowRequests>) {
        self.recent = recent;
    }

    /// Records the requests for entities.
    pub(super) fn record(&mut self, recorder: Option<Recorder>) {
        self.recorder = recorder;
    }

    /// Returns the gauge of open connections, if there are metrics.
    pub(super) fn connections(&self) -> Option<Gauge> {
        self.metrics.as_ref().map(|_| gauge!(telemetry::CONNECTIONS.name))
    }

    /// Counts a connection beyond the limit of its address.
    pub(super) fn refuse_connection(&self, service: ServiceKind) {
        if self.metrics.is_some() {
            metrics::refused(service, "TooManyConnections".to_owned());
        }
    }

    /// Creates the span of a request, and starts measuring it if anything records the result.
    pub(super) fn begin(&self, call: &mut Call) -> Span {
        let span = span(call);
        let is_recorded =
            call.kind == ServiceKind::Table && self.recorder.as_ref().is_some_and(Recorder::is_on);
        if is_recorded || self.metrics.is_some() || self.slow.is_on() || !span.is_disabled() {
            call.probe = Probe::on(is_recorded);
        }
        span
    }

    /// Records the result of a request.
    pub(super) fn end(&self, span: &Span, call: &Call, reply: &Reply, took: Duration) {
        if !span.is_disabled() {
            record(span, call, reply, took);
        }
        if let Some(refusal) = &reply.refusal {
            Subject::of(call, reply.facts.operation).log(refusal);
        }
        if self.slow.is_slow(reply, took) {
            slow::log(call, reply, took, self.recent.as_ref());
        }
        if let Some(recorder) = self.recorder.as_ref().filter(|_| call.probe.is_recorded())
            && let Some(request) = record::Request::of(call, reply)
        {
            recorder.push(request);
        }
        if let Some(metrics) = &self.metrics {
            metrics.count(call, reply, took);
        }
    }

    /// Returns the request for log entries during its response.
    pub(super) fn subject(&self, call: &Call, operation: &'static str) -> Subject {
        let damage = self.metrics.as_ref().map(|metrics| metrics.damage(call));
        Subject::of(call, operation).counting(damage)
    }
}

/// Creates the span of a request. Its other fields are recorded with the response.
fn span(call: &Call) -> Span {
    // A disabled span evaluates none of its fields.
    let context = LazyCell::new(|| TraceContext::of_headers(&call.headers));
    let ids = LazyCell::new(|| context.as_ref().map(TraceContext::texts));
    let host = LazyCell::new(|| call.header(header::HOST)?.parse::<Authority>().ok());
    tracing::info_span!(
        "request",
        service = call.kind.as_str(),
        account = call.account,
        id = %call.id,
        peer = %call.peer,
        trace_id = ids.as_ref().map(|[trace, ..]| trace),
        parent_id = ids.as_ref().map(|[_, parent, _]| parent),
        trace_flags = ids.as_ref().map(|[.., flags]| flags),
        trace_state = context.as_ref().and_then(TraceContext::state),
        operation = Empty,
        class = Empty,
        read = Empty,
        returned = Empty,
        status = Empty,
        code = Empty,
        micros = Empty,
        auth_micros = Empty,
        queue_micros = Empty,
        plan_micros = Empty,
        read_micros = Empty,
        commit_wait_micros = Empty,
        db.system.name = "azure.tables",
        db.namespace = call.account,
        db.collection.name = Empty,
        db.operation.name = Empty,
        db.operation.batch.size = Empty,
        db.response.status_code = Empty,
        error.type = Empty,
        server.address = host.as_ref().map(Authority::host),
        server.port = host.as_ref().and_then(Authority::port_u16),
        http.request.method = call.method.as_str(),
        http.response.status_code = Empty,
        tables.request_id = %call.id,
        tables.class = Empty,
        tables.ranges = Empty,
        tables.read = Empty,
        tables.returned = Empty,
    )
}

/// Records the other fields of the span of a request.
fn record(span: &Span, call: &Call, reply: &Reply, took: Duration) {
    let (facts, status) = (reply.facts, reply.status.as_u16());
    let (class, code) = (facts.class.map(QueryClass::as_str), code(reply));
    let spent = |stage| call.probe.micros(stage);
    tracing::record_all!(
        span,
        operation = facts.operation,
        class = class,
        read = facts.read,
        returned = facts.returned,
        status = status,
        code = code,
        micros = micros(took),
        auth_micros = spent(Stage::Auth),
        queue_micros = spent(Stage::Queue),
        plan_micros = spent(Stage::Plan),
        read_micros = spent(Stage::Read),
        commit_wait_micros = spent(Stage::CommitWait),
        db.collection.name = call.probe.table(),
        db.operation.name = facts.operation,
        db.operation.batch.size = call.probe.operations(),
        db.response.status_code = status,
        error.type = code.filter(|_| status >= 400),
        http.response.status_code = status,
        tables.class = class,
        tables.ranges = call.probe.ranges(),
        tables.read = facts.read,
        tables.returned = facts.returned,
    );
}

/// Returns the code of an error.
fn code(reply: &Reply) -> Option<&str> {
    reply.headers.get("x-ms-error-code").and_then(|code| code.to_str().ok())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use tracing::Metadata;

    use super::*;
    use crate::server::{connection::Peer, route};

    #[test]
    fn the_fields_of_the_span_are_those_of_the_list() {
        let peer = Peer { kind: ServiceKind::Table, address: IpAddr::V4(Ipv4Addr::LOCALHOST), secure: false };
        let request = http::Request::builder().uri("/acme/t").header("host", "h").body(()).unwrap();
        let (call, _) = route::route(peer, request.into_parts().0, &route::Ids::new(), false);
        let subscriber = tracing_subscriber::fmt().with_writer(std::io::sink).finish();
        let span = tracing::subscriber::with_default(subscriber, || span(&call));
        let fields = span.metadata().map(Metadata::fields);
        let names: Vec<&str> = fields.unwrap().iter().map(|field| field.name()).collect();
        assert_eq!(names, telemetry::REQUEST_FIELDS);
    }
}
