//! What the cost model says about a small design.

use super::GIB;
use crate::{Access, Model, OperationKind, cost::MONTH, facts::Facts, path::Path};
use table_designs::schema::Schema;

/// Queue requests per wake-up message.
const QUEUE_REQUESTS: f64 = 3.0;

/// The results of a design whose first entity is of interest.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// The queries, in their order.
    pub queries: Vec<Asked>,
    /// All writes.
    pub writes: Vec<Write>,
    /// The most operations and the bytes of each transaction.
    pub transactions: Vec<[f64; 2]>,
    /// Cost of the storage per month.
    pub storage: f64,
    /// Cost per month of the storage and the writes of the first entity.
    pub own: f64,
    /// Calls per second of queries on totals that follow.
    pub late: f64,
    /// Rows read per second by queries on totals.
    pub read: f64,
    /// The group of the rows of the first entity.
    pub group: String,
    /// The fraction of its rows in the largest partition.
    pub share: f64,
    /// The group of its last index.
    pub last_group: String,
    /// The size of the largest partition of its last path in GiB.
    pub gib: f64,
    /// Entities that writes touch per second in the busiest partition of each group.
    pub heat: Vec<(String, f64)>,
}

/// A query on its path.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub access: Access,
    /// Cost per month.
    pub cost: f64,
    /// Entities per second in the busiest partition of each group.
    pub heat: Vec<(String, f64)>,
}

/// The cost of a write per month.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Write {
    pub cost: f64,
    /// Cost of the queue if something follows every write.
    pub queue: f64,
    /// The fraction of the writes that something follows.
    pub queued: f64,
}

impl Measured {
    /// Returns the load of the writes in the busiest partition of a group.
    pub(super) fn heat_of(&self, group: &str) -> f64 {
        self.heat.iter().find(|(name, _)| name == group).map_or(0.0, |(_, heat)| *heat)
    }
}

pub(super) fn measure(schema: &Schema) -> Measured {
    let model = Model::new(schema);
    let costs = model.costs();
    let prices = schema.prices.clone().unwrap_or_default();
    let (mut queries, mut measured) = (Vec::new(), Measured::default());
    let Some((facts, paths)) = model.facts.first().zip(model.paths.first()) else { return measured };
    let owned = format!("{}.", facts.entity.name);
    let of_kind = |kind| costs.operations.iter().filter(move |operation| operation.kind == kind);
    queries.extend(of_kind(OperationKind::Query).map(|operation| operation.month));
    let mut operations = of_kind(OperationKind::Write);
    for plan in model.plans() {
        // A write inside another one has no operation of its own until something follows it.
        let operation = plan.counted().next().and_then(|_| operations.next());
        let queue = QUEUE_REQUESTS * plan.rate * MONTH * prices.queue_tx_10k / 10_000.0;
        let cost = operation.map_or(0.0, |operation| operation.month);
        measured.writes.push(Write { cost, queue, queued: plan.queue_requests / QUEUE_REQUESTS });
    }
    for operation in operations {
        let all = QUEUE_REQUESTS * operation.per_month;
        let queued = if all > 0.0 { operation.queue_requests / all } else { 0.0 };
        let queue = all * prices.queue_tx_10k / 10_000.0;
        measured.writes.push(Write { cost: operation.month, queue, queued });
    }
    let own = of_kind(OperationKind::Write).filter(|operation| operation.name.starts_with(&owned));
    measured.own += own.map(|operation| operation.month).sum::<f64>();
    let own_bytes: f64 = paths.iter().map(|path| path.rows * path.size(None)).sum();
    measured.own += own_bytes / GIB * prices.storage_gb_month;
    measured.storage = costs.money.storage;
    let own_group = paths.first().map(Path::group).unwrap_or_default();
    for (owner, path) in model.rows().filter(|(owner, _)| !owner.entity.totals.is_empty()) {
        measured.own += path.rows * path.size(None) / GIB * prices.storage_gb_month;
        let of_owner = |access: &Access| {
            schema.query(&access.query).is_some_and(|query| query.find == owner.entity.name)
        };
        for (access, cost) in model.accesses().iter().zip(&queries).filter(|(access, _)| of_owner(access)) {
            measured.own += cost;
            measured.read += access.read * access.rate;
            measured.late += if path.group() == own_group { 0.0 } else { access.rate };
        }
    }
    measured.transactions = model.plans().iter().map(|plan| [plan.most_operations, plan.bytes]).collect();
    if let Some(own) = paths.first() {
        measured.group = own.group();
        measured.share = facts.largest_share(&own.kind.partition);
    }
    if let Some(last) = paths.last() {
        measured.last_group = last.group();
        measured.gib = largest(facts, last);
    }
    for group in model.groups() {
        let of_queries: f64 = group
            .by
            .iter()
            .filter(|(name, _)| is_query(schema, name, &facts.entity.name))
            .map(|(_, rate)| rate)
            .sum();
        measured.heat.push((group.name.clone(), group.hot + group.scans - of_queries));
    }
    for (access, cost) in model.accesses().iter().zip(queries) {
        let in_group = |group: &crate::Group| {
            let rate = group.by.iter().find(|(name, _)| *name == access.query)?.1;
            Some((group.name.clone(), rate))
        };
        let heat = if access.class.is_over_partitions() {
            Vec::new()
        } else {
            model.groups().iter().filter_map(in_group).collect()
        };
        measured.queries.push(Asked { access: access.clone(), cost, heat });
    }
    measured
}

fn is_query(schema: &Schema, name: &str, entity: &str) -> bool {
    schema.query(name).is_some_and(|query| query.find == entity)
}

/// Returns the size of the largest partition of a path in GiB.
pub(super) fn largest(facts: &Facts<'_>, path: &Path<'_>) -> f64 {
    path.rows * path.size(None) * facts.largest_share(&path.kind.partition) / GIB
}
