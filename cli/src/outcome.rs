//! The result of a simulation, as JSON.

use serde_json::{Value, json};
use table_advisor::simulate::{Kind, Outcome, Span, Stream};

use crate::text::counted;

/// Maximum number of reported moments.
const MOMENTS: usize = 5;

pub(crate) fn stream(stream: &Stream) -> Value {
    let kind = match stream.kind {
        Kind::Spread { zipf } => json!({ "spread": { "zipf": zipf } }),
        Kind::Rising { concurrent, .. } => json!({ "rising": { "concurrent": concurrent } }),
    };
    json!({ "name": stream.name, "rate": stream.rate, "partitions": stream.partitions, "kind": kind })
}

pub(crate) fn run(servers: usize, outcome: &Outcome) -> Value {
    let moment = |moment: &table_advisor::simulate::Moment| {
        json!([moment.second, moment.splits, moment.moves, moment.merges, moment.ranges])
    };
    json!({
        "servers": servers,
        "tail": span(&outcome.tail),
        "run": span(&outcome.run),
        "p50_ms": outcome.latency.p50,
        "p95_ms": outcome.latency.p95,
        "p99_ms": outcome.latency.p99,
        "warm_s": outcome.warm,
        "ranges": outcome.ranges,
        "servers_used": outcome.servers_used,
        "splits": outcome.splits,
        "moves": outcome.moves,
        "merges": outcome.merges,
        "hottest_percent": outcome.hottest_percent,
        "timeline": outcome.timeline.iter().map(moment).collect::<Vec<_>>(),
        "heat": outcome.heat,
    })
}

/// Returns the actions of the partition manager as a short text, with at most five moments.
pub(crate) fn moments(outcome: &Outcome) -> String {
    if outcome.timeline.is_empty() {
        return format!("{}, no splits or moves", counted(outcome.ranges, "range"));
    }
    let every = outcome.timeline.len().div_ceil(MOMENTS);
    // The last moment is always included.
    let shown = outcome.timeline.iter().rev().step_by(every).collect::<Vec<_>>();
    let shown: Vec<String> =
        shown.iter().rev().map(|moment| format!("{} after {} s", moment.ranges, moment.second)).collect();
    format!(
        "ranges {}; {}, {}, {}",
        shown.join(", "),
        counted(outcome.splits, "split"),
        counted(outcome.moves, "move"),
        counted(outcome.merges, "merge")
    )
}

fn span(span: &Span) -> Value {
    json!({
        "offered": span.offered,
        "served": span.served,
        "served_percent": span.served_percent(),
        "throttled_percent": span.throttled_percent(),
        "failed_percent": span.failed_percent(),
    })
}
