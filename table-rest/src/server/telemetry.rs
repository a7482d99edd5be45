//! Names of the telemetry of a server: fields of spans and lines, and metrics. They are part of the public API and are
//! listed in the chapter on observability of the book.

use metrics::{describe_counter, describe_gauge, describe_histogram};

/// Fields of the span `request`, in order.
///
/// The short names are for lines of text. The names with dots follow the semantic conventions of OpenTelemetry for
/// databases and HTTP, in their version 1.36.
pub const REQUEST_FIELDS: [&str; 36] = [
    "service",
    "account",
    "id",
    "peer",
    "trace_id",
    "parent_id",
    "trace_flags",
    "trace_state",
    "operation",
    "class",
    "read",
    "returned",
    "status",
    "code",
    "micros",
    "auth_micros",
    "queue_micros",
    "plan_micros",
    "read_micros",
    "commit_wait_micros",
    "db.system.name",
    "db.namespace",
    "db.collection.name",
    "db.operation.name",
    "db.operation.batch.size",
    "db.response.status_code",
    "error.type",
    "server.address",
    "server.port",
    "http.request.method",
    "http.response.status_code",
    "tables.request_id",
    "tables.class",
    "tables.ranges",
    "tables.read",
    "tables.returned",
];

/// Fields of the line of a slow request, in order. Those without a value are omitted.
pub const SLOW_FIELDS: [&str; 24] = [
    "service",
    "account",
    "id",
    "peer",
    "trace_id",
    "operation",
    "table",
    "partition",
    "class",
    "ranges",
    "filter",
    "operations",
    "read",
    "returned",
    "bytes",
    "status",
    "code",
    "reason",
    "micros",
    "auth_micros",
    "queue_micros",
    "plan_micros",
    "read_micros",
    "commit_wait_micros",
];

/// A metric of Prometheus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The name.
    pub name: &'static str,
    /// The kind.
    pub kind: MetricKind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// A description, without a period at the end.
    pub help: &'static str,
}

/// The kind of a [`Metric`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that increases until the process ends.
    Counter,
    /// A number that increases and decreases.
    Gauge,
    /// A distribution.
    Histogram,
}

impl Metric {
    /// Passes the description to the recorder of the process.
    pub fn describe(&self) {
        match self.kind {
            MetricKind::Counter => describe_counter!(self.name, self.help),
            MetricKind::Gauge => describe_gauge!(self.name, self.help),
            MetricKind::Histogram => describe_histogram!(self.name, self.help),
        }
    }
}

/// Labels of the requests.
const OF_REQUESTS: &[&str] = &["service", "account", "table", "operation", "class"];

/// Counts requests by their status.
pub const REQUESTS: Metric = Metric {
    name: "tables_requests_total",
    kind: MetricKind::Counter,
    labels: &["service", "account", "table", "operation", "class", "status"],
    help: "Requests",
};

/// Counts entities, messages and blobs that requests read.
pub const ENTITIES_READ: Metric = Metric {
    name: "tables_entities_read_total",
    kind: MetricKind::Counter,
    labels: OF_REQUESTS,
    help: "Entities, messages and blobs that requests read",
};

/// Counts entities, messages and blobs that requests returned.
pub const ENTITIES_RETURNED: Metric = Metric {
    name: "tables_entities_returned_total",
    kind: MetricKind::Counter,
    labels: OF_REQUESTS,
    help: "Entities, messages and blobs that requests returned",
};

/// Distribution of the durations of requests.
pub const REQUEST_SECONDS: Metric = Metric {
    name: "tables_request_seconds",
    kind: MetricKind::Histogram,
    labels: OF_REQUESTS,
    help: "Time from the complete head of a request to the start of its response",
};

/// Counts requests that failed with 503 `ServerBusy`.
pub const THROTTLED: Metric = Metric {
    name: "tables_throttled_total",
    kind: MetricKind::Counter,
    labels: &["service", "account"],
    help: "Requests that failed with 503 ServerBusy",
};

pub(super) const REFUSED: Metric = Metric {
    name: "tables_refused_total",
    kind: MetricKind::Counter,
    labels: &["service", "reason"],
    help: "Requests that were not permitted or ambiguous, and connections beyond the limit of an address",
};

pub(super) const INTEGRITY_ERRORS: Metric = Metric {
    name: "tables_integrity_errors_total",
    kind: MetricKind::Counter,
    labels: &["service", "account"],
    help: "Requests that failed because stored data is damaged",
};

pub(super) const CONNECTIONS: Metric = Metric {
    name: "tables_connections",
    kind: MetricKind::Gauge,
    labels: &[],
    help: "Open connections of all services",
};

/// Metrics of requests and connections, which a server with [`Builder::metrics`](super::Builder::metrics) records.
pub const METRICS: [Metric; 8] = [
    REQUESTS,
    ENTITIES_READ,
    ENTITIES_RETURNED,
    REQUEST_SECONDS,
    THROTTLED,
    REFUSED,
    INTEGRITY_ERRORS,
    CONNECTIONS,
];
