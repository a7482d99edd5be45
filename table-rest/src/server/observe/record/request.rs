use table_model::{Operation, OperationKind, Timestamp};

use super::super::probe::Probe;
use crate::server::{Call, Reply, ReplyBody};

/// A request for entities, before its data is replaced.
#[derive(Clone, Debug, Default)]
pub(in crate::server::observe) struct Request {
    pub(super) at: Option<Timestamp>,
    pub(super) table: String,
    /// The path, which contains the keys of an entity.
    pub(super) path: String,
    pub(super) filter: Option<String>,
    pub(super) select: Option<String>,
    pub(super) top: Option<String>,
    /// `true` for a page after the first one.
    pub(super) is_next: bool,
    pub(super) is_batch: bool,
    pub(super) writes: Vec<RecordedWrite>,
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

/// A write of an entity: its keys, and the names of its properties if it is a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::server) struct RecordedWrite {
    pub(super) kind: OperationKind,
    pub(super) partition_key: String,
    pub(super) row_key: String,
    pub(super) fields: Vec<String>,
}

impl Request {
    /// Returns a request that read or wrote entities. A read of a missing entity is one, too.
    pub(in crate::server::observe) fn of(call: &Call, reply: &Reply) -> Option<Self> {
        let is_batch = reply.facts.operation == "EntityGroupTransaction";
        let is_read = matches!(reply.facts.operation, "QueryEntities" | "QueryEntity");
        let writes = call.probe.writes();
        let is_found = reply.status.is_success();
        if !(is_read && (is_found || reply.status == 404) || is_found && !writes.is_empty()) {
            return None;
        }
        let option = |name| is_read.then(|| call.query.said(name).map(str::to_owned)).flatten();
        let body = match &reply.body {
            ReplyBody::Whole(body) => body.len() as u64,
            ReplyBody::Stream(length, _) => *length,
        };
        let sent = || call.header(http::header::CONTENT_LENGTH)?.parse().ok();
        Some(Self {
            at: Some(call.received),
            table: Probe::table(&call.probe)?.to_owned(),
            path: if is_read { call.path.clone() } else { String::new() },
            filter: option("$filter"),
            select: option("$select"),
            top: option("$top"),
            is_next: is_read && call.query.said("NextPartitionKey").is_some(),
            is_batch,
            rows: if is_read { reply.facts.returned } else { writes.len() as u64 },
            bytes: if is_read { body } else { sent().unwrap_or_default() },
            writes: writes.to_vec(),
        })
    }

    /// Returns about its number of bytes in memory.
    pub(super) fn size(&self) -> usize {
        let texts = [Some(&self.table), Some(&self.path), self.filter.as_ref(), self.select.as_ref()];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        let writes = self.writes.iter().map(|write| {
            let fields = write.fields.iter().map(|field| size_of::<String>() + field.len());
            size_of::<RecordedWrite>()
                + write.partition_key.len()
                + write.row_key.len()
                + fields.sum::<usize>()
        });
        size_of::<Self>() + texts + writes.sum::<usize>()
    }
}

impl RecordedWrite {
    pub(in crate::server::observe) fn of(operation: &Operation) -> Self {
        let kind = operation.kind();
        let is_merge = matches!(kind, OperationKind::Merge | OperationKind::InsertOrMerge);
        let merged = operation.entity().filter(|_| is_merge);
        Self {
            kind,
            partition_key: operation.partition_key().to_owned(),
            row_key: operation.row_key().to_owned(),
            fields: merged.map_or_else(Vec::new, |entity| {
                entity.properties.iter().map(|(name, _)| name.clone().into_owned()).collect()
            }),
        }
    }
}
