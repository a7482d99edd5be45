//! What a request of the explorer asks for, and what it used.

use std::collections::BTreeMap;

use table_explorer::SlowRequest;
use table_rest::server::partition_hash;
use table_store::{Plan, Query, SegmentStats, TableName, Timestamp};

/// A request.
pub(super) struct Request<'a> {
    pub(super) table: &'a TableName,
    operation: &'static str,
    received: Timestamp,
    operations: Option<usize>,
    /// How the filter of a query is served.
    plan: Option<Plan>,
}

/// What a request read, wrote and returned.
#[derive(Default)]
pub(super) struct Used {
    pub(super) read: u64,
    pub(super) returned: u64,
    /// The entities read and written in each partition.
    pub(super) partitions: BTreeMap<String, u64>,
    stats: Option<SegmentStats>,
}

impl<'a> Request<'a> {
    pub(super) fn of(operation: &'static str, table: &'a TableName) -> Self {
        Self { table, operation, received: Timestamp::now(), operations: None, plan: None }
    }

    pub(super) fn query(self, query: &Query) -> Self {
        Self { plan: Some(Plan::of(query.filter.as_ref())), ..self }
    }

    pub(super) fn operations(self, count: usize) -> Self {
        Self { operations: Some(count), ..self }
    }

    /// Describes the request without keys, values and literals, as a server does.
    pub(super) fn describe(&self, used: &Used) -> SlowRequest {
        let mut described = SlowRequest::default();
        described.time = self.received.to_full_string();
        described.service = "table";
        "this explorer".clone_into(&mut described.peer);
        described.operation = self.operation;
        described.table = Some(self.table.to_string());
        described.operations = self.operations;
        let mut partitions = used.partitions.keys();
        if let (Some(partition), None) = (partitions.next(), partitions.next()) {
            described.partition = Some(format!("{:016x}", partition_hash(partition)));
        }
        described.class = used.stats.as_ref().map(|stats| stats.class.as_str());
        described.ranges = used.stats.as_ref().map(|stats| stats.ranges);
        let residual = self.plan.as_ref().and_then(|plan| plan.residual.as_ref());
        described.filter = residual.map(|filter| filter.without_literals().to_string());
        (described.read, described.returned) = (used.read, used.returned);
        described
    }
}

impl Used {
    pub(super) fn point(partition: &str, returned: u64) -> Self {
        Self { read: 1, returned, partitions: [(partition.to_owned(), 1)].into(), stats: None }
    }

    pub(super) fn write(partition: &str, entities: u64) -> Self {
        Self { partitions: [(partition.to_owned(), entities)].into(), ..Self::default() }
    }

    /// `keys` are the PartitionKeys of the returned rows. In several partitions, entities that the filter rejects are not
    /// known by their partition.
    pub(super) fn query<'k>(
        stats: &SegmentStats,
        request: &Request<'_>,
        keys: impl Iterator<Item = &'k str>,
    ) -> Self {
        let mut partitions = BTreeMap::new();
        match request.plan.as_ref().and_then(Plan::partition) {
            Some(partition) => _ = partitions.insert(partition.to_owned(), stats.read),
            None => keys.for_each(|key| *partitions.entry(key.to_owned()).or_default() += 1),
        }
        Self { read: stats.read, returned: stats.returned, partitions, stats: Some(*stats) }
    }
}
