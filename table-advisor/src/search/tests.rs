//! Two independent computations of the optimum: integer programming for one primary key, and enumeration of whole designs.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

use super::{
    Options,
    branch::Search,
    case::cases,
    effort::Effort,
    instance::{Instance, hottest},
    reach::answers,
    search,
    site::{Fields, Site, Sites},
};
use crate::{Model, search::case::Case};
use table_designs::schema::Workload;
use table_schema::design::IndexDesign;

fn workload(text: &str) -> Workload {
    table_codegen::read_workload(text, "test.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn of_vectors(name: &str) -> Workload {
    let path = format!("{}/../table-codegen/tests/workloads/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    workload(&std::fs::read_to_string(path).expect("a workload"))
}

/// Returns the problems of all entities with the first answer to each query.
fn first_cases(workload: &Workload) -> Vec<Case> {
    let answers = answers(workload);
    cases(workload, &answers.iter().map(|all| &all[0]).collect::<Vec<_>>(), 1.0)
}

/// Returns the unions of at most three sets of copied fields.
fn unions(sets: &[Fields]) -> Vec<Fields> {
    let mut all = vec![0];
    for _ in 0..3 {
        let more: Vec<Fields> =
            all.iter().flat_map(|known| sets.iter().map(move |set| known | set)).collect();
        all.extend(more);
        all.sort_unstable();
        all.dedup();
    }
    all
}

/// Solves the integer program of one primary key: a variable for each index with its copied fields, and one for each step
/// on it.
fn programmed(instance: &Instance<'_>) -> Option<f64> {
    let (site, alone) = (&instance.site, &instance.alone);
    let limit = hottest(site);
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let queues: Vec<Variable> =
        alone.writes.iter().map(|write| problem.add_var(write.queue, (0.0, 1.0))).collect();
    let mut home = Vec::new();
    let mut served: Vec<Vec<Variable>> = Vec::new();
    for task in &instance.tasks {
        let own = task.ways.iter().filter(|way| way.path.is_none());
        served.push(
            own.map(|way| {
                let variable = problem.add_binary_var(way.cost);
                home.push((variable, way.home_heat));
                variable
            })
            .collect(),
        );
    }
    for (number, path) in site.paths.iter().enumerate() {
        let ways = |task: usize| instance.tasks[task].ways.iter().filter(move |way| way.path == Some(number));
        let sets: Vec<Fields> =
            (0..instance.tasks.len()).flat_map(|task| ways(task).map(|way| way.fields)).collect();
        if sets.is_empty() {
            continue;
        }
        for fields in unions(&sets) {
            let writes = site.writes(number, fields, alone);
            let kept = problem.add_binary_var(writes.cost);
            for (queue, queued) in queues.iter().zip(&writes.queued).filter(|(_, queued)| **queued > 0.0) {
                problem.add_constraint([(*queue, 1.0), (kept, -queued)], ComparisonOp::Ge, 0.0);
            }
            let mut heat = vec![(kept, writes.heat)];
            for (task, served) in served.iter_mut().enumerate() {
                let fitting = ways(task).filter(|way| way.fields & !fields == 0);
                let Some(best) = fitting.min_by(|one, other| one.cost.total_cmp(&other.cost)) else {
                    continue;
                };
                let variable = problem.add_binary_var(best.cost);
                problem.add_constraint([(kept, 1.0), (variable, -1.0)], ComparisonOp::Ge, 0.0);
                served.push(variable);
                home.push((variable, best.home_heat));
                heat.push((variable, best.heat));
            }
            if path.is_near {
                home.push((kept, writes.heat));
            } else {
                problem.add_constraint(heat, ComparisonOp::Le, limit);
            }
        }
    }
    for variables in &served {
        let sum: Vec<(Variable, f64)> = variables.iter().map(|variable| (*variable, 1.0)).collect();
        problem.add_constraint(sum, ComparisonOp::Eq, 1.0);
    }
    problem.add_constraint(home, ComparisonOp::Le, limit - alone.heat_of(&alone.group));
    match problem.solve() {
        Ok(SolveOutcome::Solution(solution)) => Some(alone.own + solution.objective()),
        _ => None,
    }
}

/// Returns the primary keys of an entity with the ways of its steps.
fn instances<'w>(workload: &'w Workload, case: &'w Case) -> Vec<Instance<'w>> {
    let (sites, mut effort) = (Sites::new(workload, case), Effort::new(u64::MAX));
    let partitions = case.together.as_ref().map_or(1, |together| together.partitions.len());
    let mut instances = Vec::new();
    for at in 0..partitions {
        let mut open = sites.open(at);
        while let Some((_, instance)) = sites.next(&mut open, f64::INFINITY, &mut effort) {
            instances.push(instance);
        }
    }
    instances
}

fn searched(instance: &Instance<'_>) -> Option<f64> {
    let mut effort = Effort::new(u64::MAX);
    let mut search = Search::new(&mut effort, 0.0);
    search.run(0, instance);
    Some(search.least()).filter(|least| least.is_finite())
}

#[test]
fn integer_programming_finds_no_better_assignment() {
    let mut compared = 0;
    for name in ["feed", "orders", "telemetry", "tickets"] {
        let mut workload = of_vectors(name);
        workload.limits.partition_gib = None;
        for case in first_cases(&workload) {
            for instance in instances(&workload, &case).iter().take(6) {
                let (own, other) = (searched(instance), programmed(instance));
                let is_equal = match (own, other) {
                    (Some(own), Some(other)) => (own - other).abs() <= 1e-6 * other,
                    (own, other) => own.is_none() && other.is_none(),
                };
                assert!(is_equal, "{name}, {:?}: {own:?} for {other:?}", instance.site.key);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

const SMALL: &str = "tables = 1\nworkload = \"small\"\n\
    [entity.Task]\nid = [\"number\"]\n[entity.Task.fields]\nnumber = \"u32\"\nowner = \"u32\"\n\
    due = \"datetime\"\nnote = \"string(200)\"\n\
    [query.task]\nfind = \"Task\"\nwhere = \"number = ?\"\nrate = \"20/s\"\n\
    [query.next]\nfind = \"Task\"\nwhere = \"owner = ?\"\norder = \"due\"\nlimit = 10\nselect = [\"number\", \"due\"]\n\
    rate = \"RATE\"\n\
    [load.Task]\ncount = 1_000_000\ninsert = \"3/s\"\nupdate = { rate = \"2/s\", fields = [\"owner\"] }\n\
    values.number = { distinct = 1_000_000 }\nvalues.owner = { distinct = 5_000 }\n";

/// Returns the least cost of all designs of one entity: every primary key, and for each query every path, with and without
/// the fields that the query needs.
fn enumerated(workload: &Workload) -> f64 {
    let cases = first_cases(workload);
    let case = &cases[0];
    let mut least = f64::INFINITY;
    for site in Sites::new(workload, case).all() {
        let choices = 2 * (site.paths.len() + 1);
        for chosen in 0..choices * choices {
            if let Some(cost) = cost_of(workload, &site, [chosen % choices, chosen / choices]) {
                least = least.min(cost);
            }
        }
    }
    least
}

/// Returns the cost of a design by the model, or `None` if a query does not meet the yield.
fn cost_of(workload: &Workload, site: &Site<'_>, chosen: [usize; 2]) -> Option<f64> {
    let mut kept: Vec<(usize, Fields)> = Vec::new();
    let mut queries = Vec::new();
    for (step, choice) in site.case.steps.iter().zip(chosen) {
        let (number, covers) = (choice / 2, choice % 2 == 1);
        let Some(path) = number.checked_sub(1).map(|number| &site.paths[number]) else {
            queries.push(step.on("primary", &site.key, &site.entity));
            continue;
        };
        let fields = if covers { site.copies(path, &step.needs(&site.entity, &path.key))? } else { 0 };
        match kept.iter_mut().find(|(known, _)| *known == number - 1) {
            Some((_, known)) => *known |= fields,
            None => kept.push((number - 1, fields)),
        }
        queries.push(step.on(&path.design.name, &path.key, &site.entity));
    }
    let indexes: Vec<IndexDesign> =
        kept.iter().map(|(number, fields)| site.index(&site.paths[*number], *fields)).collect();
    let mut names: Vec<&str> = indexes.iter().map(|index| index.name.as_str()).collect();
    names.dedup();
    if names.len() < indexes.len() {
        return None;
    }
    let mut entity = site.entity.clone();
    entity.indexes = indexes;
    let schema = site.case.schema(workload, entity, site.at, queries);
    let model = Model::new(&schema);
    for (access, query) in model.accesses().iter().zip(&schema.queries) {
        let wanted = workload.content.query(&query.name)?.limit.map_or(f64::INFINITY, f64::from);
        let is_good = !access.class.is_over_partitions()
            && access.read <= (10.0 * access.matching.min(wanted)).max(100.0);
        if !is_good || Some(&access.path) != query.using.as_ref() {
            return None;
        }
    }
    Some(model.costs().total())
}

#[test]
fn no_design_of_a_small_workload_is_cheaper() {
    for rate in ["1/min", "1/s", "50/s", "2_000/s"] {
        let workload = workload(&SMALL.replace("RATE", rate));
        let least = enumerated(&workload);
        let designed = search(&workload, &Options { slack: 0.0, ..Options::default() }).expect("a design");
        let cost = designed.figures.usd;
        assert!((cost - least).abs() <= 1e-9 * least, "{rate}: {cost} for {least}");
    }
}

#[test]
fn a_bound_is_never_above_a_solution() {
    let workload = of_vectors("tickets");
    let best = search(&workload, &Options::default()).expect("a design").cheapest;
    let mut gaps = Vec::new();
    for nodes in [20, 60, 100, 140, 100_000] {
        let Ok(designed) = search(&workload, &Options { slack: 0.0, nodes }) else { continue };
        assert!(
            designed.bound <= best * (1.0 + 1e-12) && best <= designed.cheapest * (1.0 + 1e-12),
            "{nodes}"
        );
        gaps.push(designed.gap());
    }
    assert!(gaps.first() > Some(&0.0) && gaps.last() == Some(&0.0), "{gaps:?}");
}
