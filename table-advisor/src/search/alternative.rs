//! What other choices for one entity would cost, with all else unchanged.

use super::{
    Designed,
    branch::{Point, Search},
    entity::instances,
    instance::{Instance, Way},
};
use table_schema::{design::TemplateText, schema::Workload};

/// The maximum number of other keys per entity.
const KEYS: usize = 2;
/// The maximum number of partial designs that are examined for one choice.
const NODES: u64 = 100_000;

/// Another choice for one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The entity.
    pub entity: String,
    /// The choice.
    pub subject: Subject,
    /// The additional cost per month. `None` if the limits do not allow it.
    pub more: Option<f64>,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Another primary key: the templates of table, partition and row.
    Key([String; 3]),
    /// No such index, and none in its place.
    WithoutIndex(String),
    /// Another index in place of one: its name, and the templates of partition and row.
    OtherIndex(String, [String; 2]),
    /// A path for a query that scans a table.
    WithoutScan(String),
}

impl Designed {
    /// Returns what other choices for each entity would cost: the next best primary keys, the design without each index,
    /// and without each table scan.
    #[must_use]
    pub fn alternatives(&self, workload: &Workload) -> Vec<Alternative> {
        let mut all = Vec::new();
        for case in &self.cases {
            let name = &case.entity.name;
            let Some((_, point)) = self.points.iter().find(|(known, _)| known == name) else { continue };
            let instances = instances(workload, case);
            let Some(own) = instances.get(point.site) else { continue };
            let entity = self.schema.entity(name);
            let mut add = |subject, cost: Option<f64>| {
                let more = cost.map(|cost| cost - point.cost);
                let more = more.filter(|more| !self.is_small || *more >= 0.0);
                all.push(Alternative { entity: name.clone(), subject, more });
            };
            for (instance, cost) in keys(&instances, own) {
                add(Subject::Key(templates(instance)), Some(cost));
            }
            let fixed = own.site.entity.indexes.len();
            let indexes = entity.iter().flat_map(|entity| &entity.indexes).skip(fixed);
            for ((path, _), index) in point.kept.iter().zip(indexes) {
                let is_kept = |way: &Way| {
                    way.path.is_none_or(|other| point.kept.iter().any(|(kept, _)| *kept == other))
                };
                let without = least(own, |way| way.path != Some(*path) && is_kept(way));
                add(Subject::WithoutIndex(index.name.clone()), without.map(|point| point.cost));
                let Some(other) = least(own, |way| way.path != Some(*path)) else { continue };
                let new = other.kept.iter().find(|(new, _)| point.kept.iter().all(|(kept, _)| kept != new));
                if let Some(place) = new.and_then(|(new, _)| own.site.paths.get(*new)) {
                    let design = &place.design;
                    let partition =
                        if place.is_near { &own.site.entity.partition } else { &design.partition };
                    let key = [partition, &design.row].map(|template| text(template.as_ref()));
                    add(Subject::OtherIndex(index.name.clone(), key), Some(other.cost));
                }
            }
            for (task, number) in own.tasks.iter().zip(&point.ways) {
                let Some(query) =
                    task.ways.get(*number).filter(|way| way.is_scan).and_then(|way| way.query.as_ref())
                else {
                    continue;
                };
                let is_other = |way: &Way| {
                    !way.is_scan || way.query.as_ref().is_none_or(|other| other.name != query.name)
                };
                let other = least(own, is_other).map(|point| point.cost);
                add(Subject::WithoutScan(query.name.clone()), other);
            }
        }
        all
    }
}

/// Returns the cheapest other keys with the cost of the entity.
fn keys<'i, 'w>(instances: &'i [Instance<'w>], own: &Instance<'_>) -> Vec<(&'i Instance<'w>, f64)> {
    let table =
        |instance: &Instance<'_>| instance.site.entity.table.as_ref().map(|table| table.text().to_owned());
    let mut others: Vec<(&Instance<'_>, f64)> = Vec::new();
    for instance in instances.iter().filter(|instance| instance.site.at == own.site.at) {
        let is_same =
            |other: &Instance<'_>| other.site.key == instance.site.key && table(other) == table(instance);
        let point = least(instance, |_| true).filter(|_| !is_same(own));
        let Some(cost) = point.map(|point| point.cost) else { continue };
        match others.iter_mut().find(|(known, _)| is_same(known)) {
            Some((known, less)) if cost < *less => (*known, *less) = (instance, cost),
            Some(_) => {}
            None => others.push((instance, cost)),
        }
    }
    others.sort_by(|one, other| one.1.total_cmp(&other.1));
    others.truncate(KEYS);
    others
}

fn templates(instance: &Instance<'_>) -> [String; 3] {
    let entity = &instance.site.entity;
    [&entity.table, &entity.partition, &entity.row].map(|template| text(template.as_ref()))
}

fn text(template: Option<&TemplateText>) -> String {
    template.map(|text| text.text().to_owned()).unwrap_or_default()
}

/// Returns the cheapest assignment of an entity with some of the ways.
fn least(instance: &Instance<'_>, is_allowed: impl Fn(&Way) -> bool) -> Option<Point> {
    let restricted = instance.restricted(is_allowed)?;
    let mut nodes = NODES;
    let mut search = Search { nodes: &mut nodes, budget: 0.0, points: Vec::new(), open: f64::INFINITY };
    search.run(0, &restricted);
    search.points.pop()
}
