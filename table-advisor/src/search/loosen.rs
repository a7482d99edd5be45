//! What prevents a design.

use super::{Designed, Options, case::cases, search, site::Site};
use table_schema::schema::Workload;

/// The maximum number of limits that are loosened together.
const TOGETHER: usize = 2;

/// How often the load of the busiest partition is halved.
const HALVINGS: usize = 8;

/// What prevents a design.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// An entity whose identity is not allowed in keys.
    Entity(String),
    /// A query that no key supports, whatever the limits.
    Query(String),
    /// Limits, each with a value that would suffice together with the others.
    Limits(Vec<Loosened>),
}

/// A limit with a value that would suffice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loosened {
    /// The key in `[limits]`, or `deadline` or `late` of queries.
    pub limit: &'static str,
    /// The value.
    pub value: f64,
}

/// Removes a limit, and returns the value that a design needs.
type Limit = (&'static str, fn(&mut Workload), fn(&Workload, &Designed) -> f64);

const LIMITS: [Limit; 8] = [
    ("hottest", |workload| workload.limits.hottest = Some(f64::MAX), |_, designed| designed.figures.hottest),
    (
        "partition_gib",
        |workload| workload.limits.partition_gib = None,
        |_, designed| designed.figures.largest_gib,
    ),
    ("yield", |workload| workload.limits.rows_per_result = f64::MAX, rows_per_result),
    (
        "copies",
        |workload| workload.limits.copies = None,
        |_, designed| crate::facts::real(designed.figures.copies),
    ),
    ("usd", |workload| workload.limits.usd = None, |_, designed| designed.figures.usd),
    (
        "storage_gib",
        |workload| workload.limits.storage_gib = None,
        |_, designed| designed.figures.storage_gib,
    ),
    (
        "late",
        |workload| workload.requirements.iter_mut().for_each(|one| one.late = None),
        |workload, _| workload.content.targets.lag,
    ),
    ("deadline", |workload| workload.requirements.iter_mut().for_each(|one| one.deadline = None), slowest),
];

/// Returns what prevents a design: the smallest sets of at most two limits whose removal allows one, or the entities
/// and queries that no key supports. Empty if neither explains it.
#[must_use]
pub fn obstacles(workload: &Workload, options: &Options) -> Vec<Obstacle> {
    let options = Options { slack: 0.0, ..*options };
    let keyless: Vec<Obstacle> = cases(workload, &[], 1.0)
        .iter()
        .filter(|case| Site::all(workload, case).is_empty())
        .map(|case| Obstacle::Entity(case.entity.name.clone()))
        .collect();
    if !keyless.is_empty() {
        return keyless;
    }
    let unserved: Vec<Obstacle> = (0..workload.content.queries.len())
        .filter_map(|number| unserved(workload, number, &options))
        .collect();
    if !unserved.is_empty() {
        return unserved;
    }
    for size in 1..=TOGETHER {
        let found: Vec<Obstacle> =
            sets(size).into_iter().filter_map(|set| loosened(workload, &set, &options)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Returns the name of a query that has no path even alone and without limits.
fn unserved(workload: &Workload, number: usize, options: &Options) -> Option<Obstacle> {
    let mut alone = without(workload, &LIMITS);
    let query = alone.content.queries.get(number)?.clone();
    let name = query.name.clone();
    alone.content.queries = vec![query];
    alone.requirements = workload.requirements.get(number).cloned().into_iter().collect();
    search(&alone, options).err().map(|_| Obstacle::Query(name))
}

fn without(workload: &Workload, limits: &[Limit]) -> Workload {
    let mut loose = workload.clone();
    for (_, remove, _) in limits {
        remove(&mut loose);
    }
    loose
}

fn loosened(workload: &Workload, set: &[Limit], options: &Options) -> Option<Obstacle> {
    let mut loose = without(workload, set);
    let mut designed = search(&loose, options).ok()?;
    // The cheapest design may have a much hotter partition than another one.
    let halvings = if set.iter().any(|(limit, ..)| *limit == "hottest") { HALVINGS } else { 0 };
    for _ in 0..halvings {
        loose.limits.hottest = Some(designed.figures.hottest / 2.0);
        let Ok(cooler) = search(&loose, options) else { break };
        designed = cooler;
    }
    let value = |(limit, _, value): &Limit| Loosened { limit, value: value(workload, &designed) };
    Some(Obstacle::Limits(set.iter().map(value).collect()))
}

/// Returns all sets of limits of a size.
fn sets(size: usize) -> Vec<Vec<Limit>> {
    let mut sets: Vec<Vec<Limit>> = vec![Vec::new()];
    for limit in LIMITS {
        let with: Vec<Vec<Limit>> =
            sets.iter().map(|set| set.iter().copied().chain([limit]).collect()).collect();
        sets.extend(with);
    }
    sets.retain(|set| set.len() == size);
    sets
}

/// Returns the most rows that a query reads for each wanted row.
fn rows_per_result(workload: &Workload, designed: &Designed) -> f64 {
    let model = crate::Model::new(&designed.schema);
    let accesses = model.accesses().iter().zip(&designed.origins);
    let ratios = accesses.map(|(access, origin)| {
        let query = origin.as_ref().and_then(|origin| workload.content.query(origin));
        let limit = query.and_then(|query| query.limit).map_or(f64::INFINITY, f64::from);
        access.read / access.matching.min(limit).max(f64::MIN_POSITIVE)
    });
    ratios.fold(0.0, f64::max)
}

/// Returns the milliseconds of the slowest query with a deadline that it exceeds.
fn slowest(workload: &Workload, designed: &Designed) -> f64 {
    let model = crate::Model::new(&designed.schema);
    let queries = workload.content.queries.iter().zip(&workload.requirements);
    let times = queries.filter_map(|(query, requirement)| {
        let accesses = model.accesses().iter().zip(&designed.origins);
        let steps = accesses.filter(|(_, origin)| origin.as_ref() == Some(&query.name));
        let time = steps.map(|(access, _)| access.rounds).sum::<f64>() * workload.limits.round.milliseconds;
        (time > requirement.deadline?.milliseconds).then_some(time)
    });
    times.fold(0.0, f64::max)
}
