//! What other choices for one entity would cost, with all else unchanged.

use super::{
    Designed, Options,
    branch::{Point, Search},
    case::Case,
    effort::Effort,
    instance::{Instance, Way},
    key::Key,
    site::Sites,
};
use table_designs::schema::Workload;
use table_schema::design::TemplateText;

/// The maximum number of other keys per entity.
const KEYS: usize = 2;

/// The effort is over.
struct Ended;

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
    /// and without each table scan. Those for which the effort does not suffice are omitted.
    #[must_use]
    pub fn alternatives(&self, workload: &Workload, options: &Options) -> Vec<Alternative> {
        let mut all = Vec::new();
        let mut effort = Effort::new(options.nodes);
        for case in &self.cases {
            if self.add_others(workload, case, &mut effort, &mut all).is_err() {
                break;
            }
        }
        all
    }

    /// Adds the other choices for an entity.
    fn add_others(
        &self,
        workload: &Workload,
        case: &Case,
        effort: &mut Effort,
        all: &mut Vec<Alternative>,
    ) -> Result<(), Ended> {
        let name = &case.entity.name;
        let Some((_, plot, point)) = self.points.iter().find(|(known, ..)| known == name) else {
            return Ok(());
        };
        let sites = Sites::new(workload, case);
        let Some(own) = &sites.instance(plot, effort) else { return Ok(()) };
        let entity = self.schema.entity(name);
        let mut add = |subject, cost: Option<f64>| {
            let more = cost.map(|cost| cost - point.cost);
            let more = more.filter(|more| !self.is_small || *more >= 0.0);
            all.push(Alternative { entity: name.clone(), subject, more });
        };
        for (key, cost) in keys(&sites, own, effort)? {
            add(Subject::Key(key), Some(cost));
        }
        let fixed = own.site.entity.indexes.len();
        let indexes = entity.iter().flat_map(|entity| &entity.indexes).skip(fixed);
        for ((path, _), index) in point.kept.iter().zip(indexes) {
            let is_kept =
                |way: &Way| way.path.is_none_or(|other| point.kept.iter().any(|(kept, _)| *kept == other));
            let without = least(own, effort, |way| way.path != Some(*path) && is_kept(way))?;
            add(Subject::WithoutIndex(index.name.clone()), without.map(|point| point.cost));
            let Some(other) = least(own, effort, |way| way.path != Some(*path))? else { continue };
            let new = other.kept.iter().find(|(new, _)| point.kept.iter().all(|(kept, _)| kept != new));
            if let Some(place) = new.and_then(|(new, _)| own.site.paths.get(*new)) {
                let design = &place.design;
                let partition = if place.is_near { &own.site.entity.partition } else { &design.partition };
                let key = [partition, &design.row].map(|template| text(template.as_ref()));
                add(Subject::OtherIndex(index.name.clone(), key), Some(other.cost));
            }
        }
        for (task, number) in own.tasks.iter().zip(&point.ways) {
            let chosen = task.ways.get(*number).filter(|way| way.is_scan);
            let Some(query) = chosen.and_then(|way| way.query.as_ref()) else { continue };
            let is_other =
                |way: &Way| !way.is_scan || way.query.as_ref().is_none_or(|other| other.name != query.name);
            let other = least(own, effort, is_other)?.map(|point| point.cost);
            add(Subject::WithoutScan(query.name.clone()), other);
        }
        Ok(())
    }
}

/// Returns the cheapest other keys with the cost of the entity.
fn keys(
    sites: &Sites<'_>,
    own: &Instance<'_>,
    effort: &mut Effort,
) -> Result<Vec<([String; 3], f64)>, Ended> {
    let is_same =
        |one: &Instance<'_>, key: &Key, table: &str| one.site.key == *key && templates(one)[0] == table;
    let mut others: Vec<(Key, [String; 3], f64)> = Vec::new();
    let mut open = sites.open(own.site.at);
    while let Some((_, instance)) = sites.next(&mut open, f64::INFINITY, effort) {
        let templates = templates(&instance);
        if is_same(own, &instance.site.key, &templates[0]) {
            continue;
        }
        let Some(point) = least(&instance, effort, |_| true)? else { continue };
        match others.iter_mut().find(|(key, known, _)| is_same(&instance, key, &known[0])) {
            Some(known) if point.cost < known.2 => {
                *known = (instance.site.key.clone(), templates, point.cost);
            }
            Some(_) => {}
            None => others.push((instance.site.key.clone(), templates, point.cost)),
        }
    }
    others.sort_by(|one, other| one.2.total_cmp(&other.2));
    others.truncate(KEYS);
    Ok(others.into_iter().map(|(_, templates, cost)| (templates, cost)).collect())
}

fn templates(instance: &Instance<'_>) -> [String; 3] {
    let entity = &instance.site.entity;
    [&entity.table, &entity.partition, &entity.row].map(|template| text(template.as_ref()))
}

fn text(template: Option<&TemplateText>) -> String {
    template.map(|text| text.text().to_owned()).unwrap_or_default()
}

/// Returns the cheapest assignment of an entity with some of the ways, if one exists.
fn least(
    instance: &Instance<'_>,
    effort: &mut Effort,
    is_allowed: impl Fn(&Way) -> bool,
) -> Result<Option<Point>, Ended> {
    effort.compare(instance.tasks.iter().map(|task| task.ways.len()).sum());
    let restricted = instance.restricted(is_allowed);
    let mut search = Search::new(effort, 0.0);
    if let Some(restricted) = restricted {
        search.run(0, &restricted);
    }
    let point = search.points.pop();
    if effort.is_over() { Err(Ended) } else { Ok(point) }
}
