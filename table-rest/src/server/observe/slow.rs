//! The line of a slow request. It contains no key, no value and no literal.

use std::time::Duration;

use table_model::{
    Filter, Plan,
    plan::{Cut, KeyRange},
};

use super::{
    Stage,
    probe::{Probe, partition_hash},
};
use crate::{
    TraceContext,
    server::{Call, Reply, ReplyBody},
    wire::path::TablePath,
};

/// Limits above which a request is logged as slow, each with one line at the level `WARN` and the target
/// `table_rest::slow`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlowLog {
    /// Time from the complete head of a request to the start of its response; `None` sets no limit.
    pub time: Option<Duration>,
    /// Number of entities, messages or blobs read; `None` sets no limit.
    pub read: Option<u64>,
}

impl SlowLog {
    /// Returns `true` if there is a limit.
    pub(super) const fn is_on(&self) -> bool {
        self.time.is_some() || self.read.is_some()
    }

    /// Logs a request if it exceeds a limit.
    pub(super) fn check(&self, call: &Call, reply: &Reply, took: Duration) {
        let read = reply.facts.read;
        if self.time.is_some_and(|most| took > most) || self.read.is_some_and(|most| read > most) {
            log(call, reply, took);
        }
    }
}

fn log(call: &Call, reply: &Reply, took: Duration) {
    let facts = reply.facts;
    let shape = Shape::of(call, facts.operation);
    let partition = call.probe.partition().or(shape.partition).map(|hash| format!("{hash:016x}"));
    let trace = TraceContext::of_headers(&call.headers).map(|trace| trace.texts());
    let micros = |stage| Probe::micros(&call.probe, stage);
    tracing::warn!(
        target: "table_rest::slow",
        service = call.kind.as_str(),
        account = call.account,
        id = %call.id,
        peer = %call.peer,
        trace_id = trace.as_ref().map(|[trace, ..]| trace),
        operation = facts.operation,
        table = call.probe.table(),
        partition,
        class = facts.class.map(table_model::QueryClass::as_str),
        ranges = call.probe.ranges(),
        filter = shape.filter,
        operations = call.probe.operations(),
        read = facts.read,
        returned = facts.returned,
        bytes = match &reply.body {
            ReplyBody::Whole(body) => body.len() as u64,
            ReplyBody::Stream(length, _) => *length,
        },
        status = reply.status.as_u16(),
        code = super::code(reply),
        // Messages of errors quote filters.
        reason = reply.refusal.as_ref().and_then(|refusal| refusal.cause.as_deref()),
        micros = super::micros(took),
        auth_micros = micros(Stage::Auth),
        queue_micros = micros(Stage::Queue),
        plan_micros = micros(Stage::Plan),
        read_micros = micros(Stage::Read),
        commit_wait_micros = micros(Stage::CommitWait),
        "slow request"
    );
}

/// The partition and the condition of a request for entities, without literals.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    /// The hash of the only partition that it reads.
    partition: Option<u64>,
    /// The condition that is checked on each entity.
    filter: Option<String>,
}

impl Shape {
    /// Reads them from the request again. Slow requests are rare, so the other requests do not store them.
    fn of(call: &Call, operation: &str) -> Self {
        match TablePath::parse(&call.path) {
            Ok(TablePath::Entity { partition_key, .. }) => {
                Self { partition: Some(partition_hash(&partition_key)), filter: None }
            }
            Ok(TablePath::Entities(_)) if operation == "QueryEntities" => {
                let filter = call.query.said("$filter").and_then(|filter| Filter::parse(filter).ok());
                let plan = Plan::of(filter.as_ref());
                Self {
                    partition: only_partition(&plan.ranges).map(partition_hash),
                    filter: plan.residual.map(|filter| filter.without_literals().to_string()),
                }
            }
            _ => Self::default(),
        }
    }
}

/// Returns the partition that contains all ranges.
fn only_partition(ranges: &[KeyRange]) -> Option<&str> {
    let mut partitions = ranges.iter().map(|range| match (&range.lower, &range.upper) {
        (
            Cut::Before(lower, _) | Cut::After(lower, _),
            Cut::Before(upper, _) | Cut::After(upper, _) | Cut::AfterPartition(upper),
        ) if lower == upper => Some(lower.as_str()),
        _ => None,
    });
    let first = partitions.next()??;
    partitions.all(|other| other == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_of_one_partition_has_its_hash() {
        let partition = |filter: &str| {
            let plan = Plan::of(Some(&Filter::parse(filter).unwrap()));
            only_partition(&plan.ranges).map(str::to_owned)
        };
        for one in [
            "PartitionKey eq 'a'",
            "PartitionKey eq 'a' and RowKey eq '1'",
            "PartitionKey eq 'a' and (RowKey eq '1' or RowKey gt '5') and Age gt 3",
        ] {
            assert_eq!(partition(one).as_deref(), Some("a"), "{one}");
        }
        for other in
            ["PartitionKey gt 'a'", "PartitionKey eq 'a' or PartitionKey eq 'b'", "Age gt 3", "false"]
        {
            assert_eq!(partition(other), None, "{other}");
        }
    }
}
