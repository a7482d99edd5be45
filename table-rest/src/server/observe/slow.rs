//! The line of a slow request. It contains no key, no value and no literal.

use std::time::Duration;

use table_model::{Filter, Plan};

use super::{
    SlowRequests, Stage,
    probe::{Probe, partition_hash},
    slow_requests::SlowRequest,
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

    /// Returns `true` if a request exceeds a limit.
    pub(super) fn is_slow(&self, reply: &Reply, took: Duration) -> bool {
        let read = reply.facts.read;
        self.time.is_some_and(|most| took > most) || self.read.is_some_and(|most| read > most)
    }
}

/// Logs a slow request, and adds it to the last ones.
pub(super) fn log(call: &Call, reply: &Reply, took: Duration, recent: Option<&SlowRequests>) {
    let slow = describe(call, reply, took);
    tracing::warn!(
        target: "table_rest::slow",
        service = slow.service,
        account = slow.account,
        id = %slow.id,
        peer = %slow.peer,
        trace_id = slow.trace_id,
        operation = slow.operation,
        table = slow.table,
        partition = slow.partition,
        class = slow.class,
        ranges = slow.ranges,
        filter = slow.filter,
        operations = slow.operations,
        read = slow.read,
        returned = slow.returned,
        bytes = slow.bytes,
        status = slow.status,
        code = slow.code,
        reason = slow.reason,
        micros = slow.micros,
        auth_micros = slow.auth_micros,
        queue_micros = slow.queue_micros,
        plan_micros = slow.plan_micros,
        read_micros = slow.read_micros,
        commit_wait_micros = slow.commit_wait_micros,
        "slow request"
    );
    if let Some(recent) = recent {
        recent.push(slow);
    }
}

fn describe(call: &Call, reply: &Reply, took: Duration) -> SlowRequest {
    let facts = reply.facts;
    let shape = Shape::of(call, facts.operation);
    let micros = |stage| Probe::micros(&call.probe, stage);
    SlowRequest {
        time: call.received.to_string(),
        service: call.kind.as_str(),
        account: call.account.clone(),
        id: call.id.to_string(),
        peer: call.peer.to_string(),
        trace_id: TraceContext::of_headers(&call.headers).map(|trace| {
            let [trace, ..] = trace.texts();
            trace
        }),
        operation: facts.operation,
        table: call.probe.table().map(str::to_owned),
        partition: call.probe.partition().or(shape.partition).map(|hash| format!("{hash:016x}")),
        class: facts.class.map(table_model::QueryClass::as_str),
        ranges: call.probe.ranges(),
        filter: shape.filter,
        operations: call.probe.operations(),
        read: facts.read,
        returned: facts.returned,
        bytes: match &reply.body {
            ReplyBody::Whole(body) => body.len() as u64,
            ReplyBody::Stream(length, _) => *length,
        },
        status: reply.status.as_u16(),
        code: super::code(reply).map(str::to_owned),
        // Messages of errors quote filters.
        reason: reply.refusal.as_ref().and_then(|refusal| refusal.cause.as_deref()).map(str::to_owned),
        micros: super::micros(took),
        auth_micros: micros(Stage::Auth),
        queue_micros: micros(Stage::Queue),
        plan_micros: micros(Stage::Plan),
        read_micros: micros(Stage::Read),
        commit_wait_micros: micros(Stage::CommitWait),
    }
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
                    partition: plan.partition().map(partition_hash),
                    filter: plan.residual.map(|filter| filter.without_literals().to_string()),
                }
            }
            _ => Self::default(),
        }
    }
}
