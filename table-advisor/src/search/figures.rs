//! What the model says about a design.

use super::{GIB, measure::largest};
use crate::{Access, Model};
use table_designs::schema::Schema;
use table_schema::design::EntityDesign;

/// The figures that limits refer to, and by which designs are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Cost per month.
    pub usd: f64,
    /// Entities per second at the peak in the busiest partition.
    pub hottest: f64,
    /// The group of this partition.
    pub hottest_in: String,
    /// The size of the largest partition in GiB.
    pub largest_gib: f64,
    /// The size of all tables in GiB.
    pub storage_gib: f64,
    /// Calls of queries per second that may return an older state.
    pub late: f64,
    /// Rows read per second.
    pub read: f64,
    /// Indexes of the entity with the most.
    pub copies: usize,
}

impl Figures {
    pub(super) fn of(schema: &Schema, origins: &[Option<String>]) -> Self {
        let model = Model::new(schema);
        let costs = model.costs();
        let hottest = model.groups().iter().max_by(|one, other| one.hot.total_cmp(&other.hot));
        let mut partitions: Vec<(String, f64)> = Vec::new();
        for (facts, path) in model.rows() {
            let (group, gib) = (path.group(), largest(facts, path));
            match partitions.iter_mut().find(|(known, _)| *known == group) {
                Some((_, known)) => *known += gib,
                None => partitions.push((group, gib)),
            }
        }
        let accesses = model.accesses();
        let is_late = |access: &Access| {
            let entity = schema.query(&access.query).and_then(|query| schema.entity(&query.find));
            access.is_late || entity.is_some_and(|entity| has_late_totals(schema, entity))
        };
        let asked =
            accesses.iter().zip(origins).filter(|(access, origin)| is_late(access) && origin.is_some());
        Self {
            usd: costs.total(),
            hottest: hottest.map_or(0.0, |group| group.hot),
            hottest_in: hottest.map(|group| group.name.clone()).unwrap_or_default(),
            largest_gib: partitions.iter().map(|(_, gib)| *gib).fold(0.0, f64::max),
            storage_gib: costs.table_bytes / GIB,
            late: asked.map(|(access, _)| access.rate).sum(),
            read: accesses.iter().map(|access| access.rate * access.read).sum(),
            copies: schema.entities.iter().map(|entity| entity.indexes.len()).max().unwrap_or(0),
        }
    }
}

/// Returns whether a total of the entity follows the writes of its source.
fn has_late_totals(schema: &Schema, entity: &EntityDesign) -> bool {
    let kind = |entity: &EntityDesign| entity.row_kinds().into_iter().next();
    entity.totals.iter().any(|total| {
        let source = schema.entity(&total.entity).and_then(kind);
        source.zip(kind(entity)).is_some_and(|(source, own)| !source.shares_partition(&own))
    })
}
