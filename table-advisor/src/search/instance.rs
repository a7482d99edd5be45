//! The choices of one entity with one primary key: a path for each step.

use std::rc::Rc;

use super::{
    case::readable,
    key::{Form, Key, Part, equality},
    measure::{Asked, Measured},
    site::{Fields, Site},
    step::{Purpose, Step, is_sorted_later, may_be_late},
    violation,
};
use crate::facts::real;
use table_designs::schema::Query;
use table_schema::language::{Comparison, Test};

/// An entity with a primary key, with the ways to serve each step.
#[derive(Clone, Debug)]
pub(super) struct Instance<'w> {
    pub site: Rc<Site<'w>>,
    /// The entity without indexes.
    pub alone: Measured,
    pub tasks: Vec<Task>,
    /// For each path, the numbers of the tasks that it can serve, in order.
    users: Vec<Vec<usize>>,
}

/// A step, or a set of fields that must be unique.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The step. `None` for unique fields.
    pub step: Option<Step>,
    /// The ways, cheapest first.
    pub ways: Vec<Way>,
}

/// A step on a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    /// The number of the path, or `None` for the primary key.
    pub path: Option<usize>,
    /// The fields that the path must copy.
    pub fields: Fields,
    /// The query on the path.
    pub query: Option<Rc<Query>>,
    /// Cost per month.
    pub cost: f64,
    /// The cost of the path with these fields, without queues.
    pub bare: f64,
    /// Calls per second of a late path or a scan.
    pub late: f64,
    /// Rows read per second.
    pub read: f64,
    /// Entities per second in the busiest partition of the path, if it is elsewhere.
    pub heat: f64,
    /// Entities per second in the busiest partition of the entity.
    pub home_heat: f64,
    /// `true` if it scans a table.
    pub is_scan: bool,
}

impl<'w> Instance<'w> {
    /// Computes the ways of all steps. Returns `None` if a step has none.
    pub(super) fn new(site: Site<'w>) -> Option<Self> {
        let mut steps: Vec<Step> = site.case.steps.clone();
        steps.extend(locate(&site));
        let queries: Vec<Vec<Query>> = steps.iter().map(|step| site.own_queries(step)).collect();
        let alone = site.measured(Vec::new(), queries.concat());
        let is_hot = |(name, heat): &(String, f64)| *name != alone.group && *heat > hottest(&site);
        if !site.owners.is_empty() && alone.heat.iter().any(is_hot) {
            return None;
        }
        let mut answers = alone.queries.iter();
        let mut tasks: Vec<Task> = Vec::new();
        for (step, queries) in steps.into_iter().zip(queries) {
            let mut own: Vec<(Query, &Asked)> = queries.into_iter().zip(answers.by_ref()).collect();
            let is_any_allowed = own.iter().any(|(_, asked)| is_allowed(&site, &step, asked));
            // The existing design is evaluated as it is.
            own.retain(|(_, asked)| is_allowed(&site, &step, asked) || site.is_fixed && !is_any_allowed);
            let ways = own.into_iter().map(|(query, asked)| Way {
                read: rows(&query, asked),
                query: Some(Rc::new(query)),
                cost: asked.cost,
                late: unwelcome(&step, asked),
                is_scan: asked.access.class.is_over_partitions(),
                home_heat: asked.heat.iter().map(|(_, heat)| heat).sum(),
                ..Way::default()
            });
            let ways = ways.collect();
            tasks.push(Task { step: Some(step), ways });
        }
        for number in 0..site.paths.len() {
            of_path(&site, number, &mut tasks, &alone);
        }
        tasks.extend(unique(&site));
        let limit = hottest(&site);
        let can_be_hot = {
            let own = alone.heat_of(&alone.group);
            own + tasks.iter().filter_map(|task| task.ways.first()).map(|way| way.home_heat).sum::<f64>()
                > limit
        };
        for task in &mut tasks {
            if task.ways.is_empty() {
                return None;
            }
            if !can_be_hot {
                prune(&mut task.ways);
            }
            task.ways.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        }
        let cheapest = |task: &Task| task.ways.first().map_or(0.0, |way| way.cost);
        tasks.sort_by(|one, other| cheapest(other).total_cmp(&cheapest(one)));
        let users = users(site.paths.len(), &tasks);
        Some(Self { site: Rc::new(site), alone, tasks, users })
    }

    /// Returns the entities per second that all steps read in the busiest partition if they use the primary key, as far as they
    /// can.
    pub(super) fn own_heat(&self) -> f64 {
        let own = self.tasks.iter().filter_map(|task| task.ways.iter().find(|way| way.path.is_none()));
        own.map(|way| way.home_heat).sum()
    }

    /// Returns the number of tasks that a path can serve, from a task on.
    pub(super) fn users(&self, path: usize, from: usize) -> f64 {
        let all = self.users.get(path).map_or(&[][..], Vec::as_slice);
        real(all.len() - all.partition_point(|task| *task < from))
    }

    /// Returns the instance with some of the ways, or `None` if a task has none.
    pub(super) fn restricted(&self, is_allowed: impl Fn(&Way) -> bool) -> Option<Self> {
        let mut restricted = self.clone();
        for task in &mut restricted.tasks {
            task.ways.retain(&is_allowed);
        }
        restricted.users = users(self.site.paths.len(), &restricted.tasks);
        restricted.tasks.iter().all(|task| !task.ways.is_empty()).then_some(restricted)
    }
}

/// Returns for each path the numbers of the tasks that it can serve.
fn users(paths: usize, tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); paths];
    for (number, task) in tasks.iter().enumerate() {
        for path in task.ways.iter().filter_map(|way| way.path) {
            if let Some(known) = users.get_mut(path).filter(|known| known.last() != Some(&number)) {
                known.push(number);
            }
        }
    }
    users
}

/// Returns the limit of the load in one partition.
pub(super) fn hottest(site: &Site<'_>) -> f64 {
    let limit = site.workload.limits.hottest.unwrap_or(site.workload.content.targets.partition_entities_s);
    limit * site.case.together.as_ref().map_or(1.0, |together| together.share)
}

/// Removes the ways that the primary key beats in every respect.
fn prune(ways: &mut Vec<Way>) {
    let Some(own) = ways.iter().find(|way| way.path.is_none()).cloned() else { return };
    ways.retain(|way| way.path.is_none() || way.cost < own.cost || way.read < own.read);
}

/// Adds the ways that lead over one path.
fn of_path(site: &Site<'_>, number: usize, tasks: &mut [Task], alone: &Measured) {
    let Some(path) = site.paths.get(number) else { return };
    let peak = site.workload.content.load.peak;
    let add = |task: &mut Task, fields: Fields, query: Query, asked: &Asked, group: &str| {
        let Some(step) = &task.step else { return };
        let access = &asked.access;
        if access.path != path.design.name || !is_allowed(site, step, asked) {
            return;
        }
        let own: f64 = asked.heat.iter().filter(|(name, _)| name == group).map(|(_, heat)| heat).sum();
        // Entities that are read after their index rows are in the partitions of the entity.
        let fetched = peak * access.rate * access.fetch * alone.share;
        let way = Way {
            path: Some(number),
            fields,
            read: rows(&query, asked),
            query: Some(Rc::new(query)),
            cost: asked.cost,
            bare: site.writes(number, fields, alone).cost.max(0.0),
            late: unwelcome(step, asked),
            is_scan: access.class.is_over_partitions(),
            heat: if path.is_near { 0.0 } else { own },
            home_heat: if path.is_near { own } else { fetched },
        };
        task.ways.push(way);
    };
    // One measurement for all steps without copied fields, and one for each set of copied fields.
    let mut sets: Vec<(Fields, Vec<usize>)> = vec![(0, Vec::new())];
    let served = site.served(&path.key);
    // The step that finds a key is not one of the problem.
    let others = site.case.steps.len()..tasks.len();
    for at in served.iter().copied().chain(others) {
        let step = tasks.get(at).and_then(|task| task.step.as_ref());
        let Some(step) = step.filter(|step| can_serve(step, &path.key)) else { continue };
        let wanted = [Vec::new(), step.tested(&path.key), step.needs(&site.entity, &path.key)];
        for fields in wanted.iter().filter_map(|names| site.copies(path, names)) {
            match sets.iter_mut().find(|(known, _)| *known == fields) {
                Some((_, steps)) if steps.contains(&at) => {}
                Some((_, steps)) => steps.push(at),
                None => sets.push((fields, vec![at])),
            }
        }
    }
    for (fields, steps) in sets.into_iter().filter(|(_, steps)| !steps.is_empty()) {
        let on = |at: &usize| {
            let step = tasks.get(*at)?.step.as_ref()?;
            Some(step.on(&path.design.name, &path.key, &site.entity))
        };
        let queries: Vec<Query> = steps.iter().filter_map(on).collect();
        let answers = site.asked(path, fields, &queries);
        for ((at, query), asked) in steps.iter().zip(queries).zip(&answers.queries) {
            if let Some(task) = tasks.get_mut(*at) {
                add(task, fields, query, asked, &answers.group);
            }
        }
    }
}

/// Returns the calls per second that are late or scan a table. Reads that writes require may be late.
fn unwelcome(step: &Step, asked: &Asked) -> f64 {
    let is_late = asked.access.is_late && matches!(step.purpose, Purpose::Query(_));
    if is_late || asked.access.class.is_over_partitions() { asked.access.rate } else { 0.0 }
}

/// Returns the rows per second that a query reads, and those that the program must sort.
fn rows(query: &Query, asked: &Asked) -> f64 {
    let access = &asked.access;
    let sorted = if is_sorted_later(query) { access.matching } else { 0.0 };
    (access.read + sorted) * access.rate
}

/// Returns whether the condition of a step binds the first field of the partition, and the path contains all results.
pub(super) fn can_serve(step: &Step, key: &Key) -> bool {
    let binds = |first: &Part, test: &Test| {
        test.field == first.field
            && (matches!(test.comparison, Comparison::Equal | Comparison::In)
                || first.form.is_period() && test.comparison == Comparison::Within)
    };
    let is_bound = |tests: &[Test]| {
        key.partition.first().is_none_or(|first| tests.iter().any(|test| binds(first, test)))
    };
    let contains = |tests: &[Test]| {
        key.when.iter().all(|text| tests.iter().any(|test| equality(test).as_ref() == Some(text)))
    };
    let alternatives = step.alternatives();
    alternatives.iter().all(|tests| contains(tests)) && alternatives.iter().any(|tests| is_bound(tests))
}

/// Returns whether the limits of the workload allow a step on a path.
fn is_allowed(site: &Site<'_>, step: &Step, asked: &Asked) -> bool {
    let access = &asked.access;
    let limits = &site.workload.limits;
    if access.is_late && !may_be_late(site.workload, &step.query, step.late) {
        return false;
    }
    if step.rounds.is_some_and(|rounds| access.rounds > rounds + 1e-9) {
        return false;
    }
    !access.never_ends() && violation::rows(limits, access, site.count, step.limit).is_none()
}

/// Returns the step that finds the key of an entity that a program identifies, if the key has other fields.
fn locate(site: &Site<'_>) -> Option<Step> {
    let rate = site.case.located();
    let identity = &site.case.identity;
    let is_known = |field: &String| identity.id.contains(field) || identity.knows.contains(field);
    let unknown: Vec<String> =
        site.key.parts().map(|part| part.field.clone()).filter(|field| !is_known(field)).collect();
    if rate <= 0.0 || unknown.is_empty() {
        return None;
    }
    let tests: Vec<String> = identity.id.iter().map(|field| format!("{field} = ?")).collect();
    let query = Query {
        name: format!("locate_{}", super::key::entity_word(&site.entity.name)),
        find: site.entity.name.clone(),
        filter: tests.join(" and ").parse().ok(),
        select: Some(unknown),
        rate: Some(readable(rate)),
        ..Query::default()
    };
    Some(Step::new(Purpose::Locate, query))
}

/// Returns a task for each set of unique fields.
fn unique<'s>(site: &'s Site<'_>) -> impl Iterator<Item = Task> + 's {
    site.case.identity.unique.iter().map(|fields| {
        // The field of a shard is in the row too.
        let is_of = |key: &Key| {
            let parts = || key.parts().filter(|part| !matches!(part.form, Form::Shard(_)));
            parts().count() == fields.len() && parts().all(|part: &Part| fields.contains(&part.field))
        };
        let own = (site.is_fixed || is_of(&site.key)).then(Way::default);
        let places = site.paths.iter().enumerate();
        let places = places.filter(|(_, path)| path.key.is_unique && is_of(&path.key));
        let ways = places.map(|(number, _)| Way { path: Some(number), ..Way::default() });
        Task { step: None, ways: own.into_iter().chain(ways).collect() }
    })
}
