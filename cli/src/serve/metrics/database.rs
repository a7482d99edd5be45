//! Metrics of a database: its connections, and the requests of this server to it.

use metrics::{counter, gauge};
use table_postgres::PostgresStats;
use table_rest::server::telemetry::{Metric, MetricKind};

use super::stores::{gauge_of, number, set};

const UP: Metric = gauge_of("tables_database_up", "1 if the database responds, otherwise 0");
const CONNECTIONS: Metric = Metric {
    name: "tables_database_connections",
    kind: MetricKind::Gauge,
    labels: &["account", "state"],
    help: "Open connections to the database: idle, or in use",
};
const LIMIT: Metric =
    gauge_of("tables_database_connections_limit", "Maximum number of connections to the database");
const WAITS: Metric = counter_of(
    "tables_database_connection_waits_total",
    "Number of times that a request waited for a connection to the database",
);
const RETRIES: Metric = counter_of(
    "tables_database_retries_total",
    "Statements that were repeated because of concurrent writers or a failed connection",
);
const REQUESTS: Metric = Metric {
    name: "tables_database_requests_total",
    kind: MetricKind::Counter,
    labels: &["account", "outcome"],
    help: "Requests to the database: succeeded, rejected by a rule, busy (not executed), or failed",
};

const fn counter_of(name: &'static str, help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Counter, labels: &["account"], help }
}

/// Passes the descriptions of the metrics to the recorder.
pub(super) fn describe() {
    [UP, CONNECTIONS, LIMIT, WAITS, RETRIES, REQUESTS].iter().for_each(Metric::describe);
}

/// Updates the metrics of an account.
pub(super) fn update(account: &str, is_up: bool, stats: &PostgresStats) {
    set(UP, account, number(is_up.into()));
    set(LIMIT, account, number(stats.connections_limit as u64));
    let idle = stats.connections.saturating_sub(stats.connections_in_use);
    for (state, count) in [("idle", idle), ("in_use", stats.connections_in_use)] {
        let labels = [("account", account.to_owned()), ("state", state.to_owned())];
        gauge!(CONNECTIONS.name, &labels).set(number(count as u64));
    }
    for (metric, count) in [(WAITS, stats.waits), (RETRIES, stats.retries)] {
        counter!(metric.name, "account" => account.to_owned()).absolute(count);
    }
    for (outcome, count) in [
        ("succeeded", stats.succeeded),
        ("rejected", stats.rejected),
        ("busy", stats.busy),
        ("failed", stats.failed),
    ] {
        let labels = [("account", account.to_owned()), ("outcome", outcome.to_owned())];
        counter!(REQUESTS.name, &labels).absolute(count);
    }
}
