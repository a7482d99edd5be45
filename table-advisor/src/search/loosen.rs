//! What prevents a design.

use super::{Designed, Options, case::cases, searched, site::Sites};
use table_designs::schema::{Query, Workload};

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
    /// A query that no key supports within the limits, and its field that may be absent, which no key contains.
    Optional {
        /// The query.
        query: String,
        /// The field.
        field: String,
    },
    /// Limits, each with a value that would suffice together with the others.
    Limits(Vec<Loosened>),
    /// The effort, which ended before it was known.
    Effort,
}

/// A limit with a value that would suffice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loosened {
    /// The key in `[limits]`, or `deadline` or `late` of queries.
    pub limit: &'static str,
    /// The value.
    pub value: f64,
}

/// Searches with a common effort.
struct Searches {
    options: Options,
    /// The number of searches.
    count: usize,
}

impl Searches {
    fn search(&mut self, workload: &Workload) -> Option<Designed> {
        if self.options.nodes == 0 {
            return None;
        }
        let (designed, examined) = searched(workload, &self.options);
        self.options.nodes = self.options.nodes.saturating_sub(examined);
        self.count += 1;
        designed.ok()
    }
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
/// and queries that no key supports. Empty if neither explains it. All searches together examine about as many partial
/// designs as the options allow for one.
#[must_use]
pub fn obstacles(workload: &Workload, options: &Options) -> Vec<Obstacle> {
    let mut searches = Searches { options: Options { slack: 0.0, ..*options }, count: 0 };
    let found = prevented(workload, &mut searches);
    if found.is_empty() && searches.options.nodes == 0 { vec![Obstacle::Effort] } else { found }
}

fn prevented(workload: &Workload, searches: &mut Searches) -> Vec<Obstacle> {
    let keyless: Vec<Obstacle> = cases(workload, &[], 1.0)
        .iter()
        .filter(|case| Sites::new(workload, case).all().next().is_none())
        .map(|case| Obstacle::Entity(case.entity.name.clone()))
        .collect();
    if !keyless.is_empty() {
        return keyless;
    }
    let loose = without(workload, &LIMITS);
    if searches.search(&loose).is_none() {
        let queries = 0..workload.content.queries.len();
        return queries.filter_map(|number| unserved(&loose, number, searches)).collect();
    }
    let queries = workload.content.queries.iter().enumerate();
    let optional = queries.filter(|(_, query)| optional(workload, query).is_some());
    let optional: Vec<Obstacle> =
        optional.filter_map(|(number, _)| unserved(workload, number, searches)).collect();
    // A limit that is not set prevents nothing.
    let limits: Vec<Limit> =
        LIMITS.into_iter().filter(|limit| without(workload, &[*limit]) != *workload).collect();
    for size in 1..=TOGETHER {
        let found: Vec<Obstacle> =
            sets(&limits, size).into_iter().filter_map(|set| loosened(workload, &set, searches)).collect();
        if !found.is_empty() {
            return optional.into_iter().chain(found).collect();
        }
    }
    optional
}

/// Returns the first field of a condition that may be absent, and is in no key therefore.
fn optional(workload: &Workload, query: &Query) -> Option<String> {
    let entity = workload.content.entity(&query.find)?;
    let tests = query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests);
    let field = tests.filter_map(|test| entity.field(&test.field)).find(|field| field.optional)?;
    Some(field.name.clone())
}

/// Returns a query that has no path even alone.
fn unserved(loose: &Workload, number: usize, searches: &mut Searches) -> Option<Obstacle> {
    let query = loose.content.queries.get(number)?.clone();
    let mut alone = loose.clone();
    let is_near = |name: &str| {
        let relations = &loose.content.relations;
        name == query.find
            || relations.iter().any(|one| one.from == name && one.to == query.find)
            || relations.iter().any(|one| one.to == name && one.from == query.find)
            || relations.iter().any(|one| one.atomic && (one.from == name || one.to == name))
    };
    let pairs = loose.content.entities.iter().zip(&loose.identities);
    let (entities, identities) =
        pairs.filter(|(entity, _)| is_near(&entity.name)).map(|(one, id)| (one.clone(), id.clone())).unzip();
    (alone.content.entities, alone.identities) = (entities, identities);
    alone.requirements = loose.requirements.get(number).cloned().into_iter().collect();
    alone.content.queries = vec![query.clone()];
    if searches.options.nodes == 0 || searches.search(&alone).is_some() {
        return None;
    }
    Some(match optional(loose, &query) {
        Some(field) => Obstacle::Optional { query: query.name, field },
        None => Obstacle::Query(query.name),
    })
}

fn without(workload: &Workload, limits: &[Limit]) -> Workload {
    let mut loose = workload.clone();
    for (_, remove, _) in limits {
        remove(&mut loose);
    }
    loose
}

fn loosened(workload: &Workload, set: &[Limit], searches: &mut Searches) -> Option<Obstacle> {
    let mut loose = without(workload, set);
    let mut designed = searches.search(&loose)?;
    // The cheapest design may have a much hotter partition than another one.
    let halvings = if set.iter().any(|(limit, ..)| *limit == "hottest") { HALVINGS } else { 0 };
    for _ in 0..halvings {
        loose.limits.hottest = Some(designed.figures.hottest / 2.0);
        let Some(cooler) = searches.search(&loose) else { break };
        designed = cooler;
    }
    let value = |(limit, _, value): &Limit| Loosened { limit, value: value(workload, &designed) };
    let values: Vec<Loosened> = set.iter().map(value).filter(|one| !is_met(workload, one)).collect();
    (!values.is_empty()).then_some(Obstacle::Limits(values))
}

/// Returns whether a workload already allows a value.
fn is_met(workload: &Workload, Loosened { limit, value }: &Loosened) -> bool {
    let limits = &workload.limits;
    let most = match *limit {
        "hottest" => Some(limits.hottest.unwrap_or(workload.content.targets.partition_entities_s)),
        "yield" => Some(limits.rows_per_result),
        "partition_gib" => limits.partition_gib,
        "copies" => limits.copies.map(f64::from),
        "usd" => limits.usd,
        "storage_gib" => limits.storage_gib,
        // The slowest query that exceeds its deadline takes no time if there is none.
        "deadline" => Some(0.0),
        _ => None,
    };
    most.is_some_and(|most| *value <= most)
}

/// Returns all sets of limits of a size.
fn sets(limits: &[Limit], size: usize) -> Vec<Vec<Limit>> {
    let mut sets: Vec<Vec<Limit>> = vec![Vec::new()];
    for limit in limits {
        let with: Vec<Vec<Limit>> =
            sets.iter().map(|set| set.iter().copied().chain([*limit]).collect()).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a workload with several entities that no design meets.
    fn large() -> Workload {
        let limits = "tables = 1\nworkload = \"large\"\n[limits]\nhottest = 0.000_000_1\nusd = 0.01\n";
        let entities = (0..6).map(|number| {
            format!(
                "[entity.A{number}]\nid = [\"a\", \"b\"]\n[entity.A{number}.fields]\na = \"u32\"\nb = \"u32\"\n\
                 c = \"u32\"\n[query.q{number}]\nfind = \"A{number}\"\nwhere = \"a = ? and c = ?\"\n\
                 rate = \"900/s\"\n[load.A{number}]\ncount = 100_000\ninsert = \"9/s\"\n\
                 values.a = {{ distinct = 10 }}\n"
            )
        });
        let text = std::iter::once(limits.to_owned()).chain(entities).collect::<Vec<_>>().concat();
        table_codegen::read_workload(&text, "a.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
    }

    #[test]
    fn obstacles_of_a_large_workload_share_one_effort() {
        let workload = large();
        let mut searches = Searches { options: Options { slack: 0.0, nodes: 5_000_000 }, count: 0 };
        let found = prevented(&workload, &mut searches);
        assert!(matches!(found.as_slice(), [Obstacle::Limits(both)] if both.len() == 2), "{found:?}");
        // One without limits, three with each limit that is set, three with two of them, and the halvings.
        assert!(searches.count <= 7 + 2 * HALVINGS, "{}", searches.count);
        let few = Options { slack: 0.0, nodes: 3 };
        let mut searches = Searches { options: few, count: 0 };
        assert!(prevented(&workload, &mut searches).is_empty());
        assert_eq!((searches.options.nodes, searches.count), (0, 1));
        assert_eq!(obstacles(&workload, &few), [Obstacle::Effort]);
    }

    #[test]
    fn a_query_of_an_optional_field_is_named() {
        let text = "tables = 1\nworkload = \"orders\"\n[entity.Order]\nid = [\"id\"]\n[entity.Order.fields]\n\
                    id = \"u32\"\ncourier = \"u32?\"\nnote = \"string(9)?\"\n\
                    [query.order]\nfind = \"Order\"\nwhere = \"id = ?\"\nrate = \"9/s\"\n\
                    [query.noted]\nfind = \"Order\"\nwhere = \"id = ? and note = ?\"\nrate = \"9/s\"\n\
                    [query.of_courier]\nfind = \"Order\"\nwhere = \"courier = ?\"\nrate = \"9/s\"\n\
                    [load.Order]\ncount = 1_000_000\n";
        let workload =
            table_codegen::read_workload(text, "a.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let found = obstacles(&workload, &Options::default());
        let optional = Obstacle::Optional { query: "of_courier".to_owned(), field: "courier".to_owned() };
        assert_eq!(found.as_slice(), std::slice::from_ref(&optional));
        // With a partition, the limit of rows is what prevents it.
        let text = text.replace("\"courier = ?\"", "\"shop = ? and courier = ?\"");
        let text = text.replace("courier = \"u32?\"", "courier = \"u32?\"\nshop = \"u32\"");
        let text = format!("{text}values.shop = {{ distinct = 10 }}\n");
        let workload = table_codegen::read_workload(&text, "a.toml");
        let found = obstacles(&workload.unwrap_or_else(|mistakes| panic!("{mistakes}")), &Options::default());
        let [first, Obstacle::Limits(_), ..] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(*first, optional);
    }
}
