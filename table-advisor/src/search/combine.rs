//! The combination of the solutions of all entities, over all ways to answer queries over references.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    Designed, Figures, Options,
    case::{Case, cases},
    effort::Effort,
    entity::{Chosen, Solved, solve},
    reach::{Answer, answers},
    step::Purpose,
};
use table_designs::schema::{Schema, Workload};

/// The maximum number of combinations of which none is better than another in every respect.
const POINTS: usize = 500;
/// The maximum number of combinations that are completed to find one within the slack.
const COMPLETE: usize = 20;

/// A search over all entities.
pub(super) struct Combination<'w> {
    workload: &'w Workload,
    options: Options,
    effort: Effort,
    /// The solved entities, by their problems.
    known: BTreeMap<String, Rc<Vec<Solved>>>,
    /// The answers to each query.
    answers: Vec<Vec<Answer>>,
    /// The cheapest combination: its cost and the numbers of the answers.
    best: Option<(f64, Vec<usize>)>,
    bound: f64,
    /// The fraction of the load of a partition that each entity of common transactions may use.
    share: f64,
}

/// A design of several entities.
#[derive(Clone, Default)]
struct Sum {
    cost: f64,
    late: f64,
    read: f64,
    chosen: Vec<Chosen>,
}

impl<'w> Combination<'w> {
    pub(super) fn new(workload: &'w Workload, options: Options, share: f64) -> Self {
        Self {
            workload,
            options,
            effort: Effort::new(options.nodes),
            known: BTreeMap::new(),
            answers: answers(workload),
            best: None,
            bound: f64::INFINITY,
            share,
        }
    }

    /// Returns the design, and the number of examined partial designs.
    pub(super) fn run(mut self) -> (Option<Designed>, u64) {
        let designed = self.designed();
        (designed, self.effort.spent())
    }

    fn designed(&mut self) -> Option<Designed> {
        // Queries with one answer first: they are part of every combination.
        let mut order: Vec<usize> = (0..self.answers.len()).collect();
        order.sort_by_key(|query| self.answers.get(*query).map_or(0, Vec::len));
        let fixed = order
            .iter()
            .take_while(|query| self.answers.get(**query).is_some_and(|all| all.len() < 2))
            .count();
        let chosen: Vec<usize> = vec![0; fixed];
        self.descend(&order, chosen, 0.0);
        let (cost, numbers) = self.best.clone()?;
        let picked: Vec<Answer> = self.picked(&order, &numbers).into_iter().cloned().collect();
        let cases = cases(self.workload, &picked.iter().collect::<Vec<_>>(), self.share);
        let (sum, schema, origins, figures) = self.complete(&cases, cost)?;
        let mut reach: Vec<(usize, String)> = order
            .iter()
            .zip(&picked)
            .filter(|(_, answer)| !answer.label.is_empty())
            .filter_map(|(query, answer)| {
                Some((
                    *query,
                    format!("{}: {}", self.workload.content.queries.get(*query)?.name, answer.label),
                ))
            })
            .collect();
        reach.sort();
        // Features that the search does not consider have a cost, too.
        let is_standing = self.workload.existing.is_some();
        let more = if is_standing { figures.usd - sum.cost } else { 0.0 };
        Some(Designed {
            figures,
            cheapest: cost + more,
            points: sum
                .chosen
                .iter()
                .map(|chosen| (chosen.entity.name.clone(), chosen.plot.clone(), chosen.point.clone()))
                .collect(),
            cases,
            schema,
            origins,
            reach: reach.into_iter().map(|(_, text)| text).collect(),
            added_up: sum.cost + more,
            bound: self.bound.min(cost) + more,
            nodes: self.effort.spent(),
            is_small: false,
        })
    }

    fn picked(&self, order: &[usize], numbers: &[usize]) -> Vec<&Answer> {
        let pairs = order.iter().zip(numbers);
        pairs.filter_map(|(query, number)| self.answers.get(*query)?.get(*number)).collect()
    }

    /// Tries all answers to the next query. The cost of the queries so far is a lower bound of the cost of all.
    fn descend(&mut self, order: &[usize], numbers: Vec<usize>, bound: f64) {
        let Some(query) = order.get(numbers.len()) else {
            let picked: Vec<Answer> = self.picked(order, &numbers).into_iter().cloned().collect();
            let cases = cases(self.workload, &picked.iter().collect::<Vec<_>>(), self.share);
            if cases.iter().any(Case::lacks_fields) {
                return;
            }
            let (cost, bound) = self.total(order, &numbers);
            self.bound = self.bound.min(bound);
            if cost < self.best.as_ref().map_or(f64::INFINITY, |(least, _)| *least) {
                self.best = Some((cost, numbers));
            }
            return;
        };
        let mut ways = self.answers.get(*query).map_or(0, Vec::len);
        // After the end of the search, only the first answers are tried, so that there is a design.
        if self.effort.is_over() && ways > 1 {
            self.bound = self.bound.min(bound);
            ways = usize::from(self.best.is_none());
        }
        let mut next: Vec<(f64, Vec<usize>)> = Vec::new();
        for way in 0..ways {
            let numbers: Vec<usize> = numbers.iter().copied().chain([way]).collect();
            next.push((if ways > 1 { self.total(order, &numbers).1 } else { bound }, numbers));
        }
        next.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (bound, numbers) in next {
            if bound < self.best.as_ref().map_or(f64::INFINITY, |(least, _)| *least) {
                self.descend(order, numbers, bound);
            }
        }
    }

    /// Returns the cost of a combination and its lower bound.
    fn total(&mut self, order: &[usize], numbers: &[usize]) -> (f64, f64) {
        let picked: Vec<Answer> = self.picked(order, numbers).into_iter().cloned().collect();
        let cases = cases(self.workload, &picked.iter().collect::<Vec<_>>(), self.share);
        let (mut cost, mut bound) = (0.0, 0.0);
        for group in groups(&cases) {
            let solved: Vec<Rc<Vec<Solved>>> = group.iter().map(|case| self.solved(case)).collect();
            let partitions = solved.first().map_or(0, |one| one.len());
            let sum = |of: &dyn Fn(&Solved) -> f64| {
                let at =
                    |at: usize| solved.iter().map(|one| one.get(at).map_or(f64::INFINITY, of)).sum::<f64>();
                (0..partitions).map(at).fold(f64::INFINITY, f64::min)
            };
            cost += sum(&Solved::least);
            bound += sum(&|solved| solved.bound);
        }
        (cost, bound)
    }

    fn solved(&mut self, case: &Case) -> Rc<Vec<Solved>> {
        let problem = format!("{case:?}");
        if let Some(known) = self.known.get(&problem) {
            return Rc::clone(known);
        }
        let solved = Rc::new(solve(self.workload, case, &mut self.effort, 0.0));
        self.known.insert(problem, Rc::clone(&solved));
        solved
    }

    /// Returns the complete design that the slack allows. Costs are not exactly additive, so it is checked again.
    fn complete(
        &mut self,
        cases: &[Case],
        least: f64,
    ) -> Option<(Sum, Schema, Vec<Option<String>>, Figures)> {
        let sums = self.within(cases, least);
        let designs = || {
            sums.iter().map(|sum| {
                let (schema, origins) = self.assemble(cases, sum);
                let figures = Figures::of(&schema, &origins);
                (sum.clone(), schema, origins, figures)
            })
        };
        let cheapest = sums.iter().enumerate().min_by(|(_, one), (_, other)| one.cost.total_cmp(&other.cost));
        let cheapest = designs().nth(cheapest?.0)?;
        let most = cheapest.3.usd * (1.0 + self.options.slack.max(1e-9));
        let most = self.workload.limits.usd.map_or(most, |limit| most.min(limit.max(cheapest.3.usd)));
        let allowed = designs().take(COMPLETE).find(|(.., figures)| figures.usd <= most);
        Some(allowed.unwrap_or(cheapest))
    }

    /// Returns the sums within the slack: those with the fewest late calls first, then with the fewest rows read, then with the
    /// least cost.
    fn within(&mut self, cases: &[Case], least: f64) -> Vec<Sum> {
        let affordable = self.workload.limits.usd.map_or(f64::INFINITY, |most| (most - least).max(0.0));
        let budget = (least * self.options.slack).min(affordable);
        let mut sums = vec![Sum::default()];
        // What the remaining groups cost at least.
        let mut rest = least;
        for group in groups(cases) {
            let solved: Vec<Rc<Vec<Solved>>> = group.iter().map(|case| self.near(case, budget)).collect();
            let partitions = solved.first().map_or(0, |one| one.len());
            let mut of_group: Vec<Sum> = Vec::new();
            for at in 0..partitions {
                let mut here = vec![Sum::default()];
                for one in solved.iter().filter_map(|one| one.get(at)) {
                    here = here
                        .iter()
                        .flat_map(|sum| one.chosen.iter().map(|chosen| sum.with(chosen)))
                        .collect();
                    reduce(&mut here, f64::INFINITY);
                }
                of_group.extend(here);
            }
            rest -= of_group.iter().map(|sum| sum.cost).fold(f64::INFINITY, f64::min);
            sums = sums.iter().flat_map(|sum| of_group.iter().map(|other| sum.and(other))).collect();
            reduce(&mut sums, least + budget.max(least * 1e-9) - rest);
        }
        sums.sort_by(|one, other| {
            let key = |sum: &Sum| [sum.late, sum.read, sum.cost];
            let mut pairs = key(one).into_iter().zip(key(other));
            pairs
                .find_map(|(one, other)| Some(one.total_cmp(&other)).filter(|order| order.is_ne()))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        sums
    }

    /// Returns the solutions of an entity within a budget, with the cheapest one.
    fn near(&mut self, case: &Case, budget: f64) -> Rc<Vec<Solved>> {
        let cheapest = self.solved(case);
        if budget <= 0.0 || self.effort.is_over() {
            return cheapest;
        }
        let mut near = solve(self.workload, case, &mut self.effort, budget);
        if self.effort.is_over() {
            for (near, cheapest) in near.iter_mut().zip(cheapest.iter()) {
                near.chosen.extend(cheapest.chosen.iter().cloned());
            }
        }
        Rc::new(near)
    }

    /// Returns the complete design.
    fn assemble(&self, cases: &[Case], sum: &Sum) -> (Schema, Vec<Option<String>>) {
        let content = &self.workload.content;
        let existing = self.workload.existing.as_ref().map(|existing| &existing.schema);
        let base = existing.map_or_else(Schema::default, |schema| Schema {
            backends: schema.backends.clone(),
            logs: schema.logs.clone(),
            lint: schema.lint.clone(),
            needs: schema.needs,
            ..Schema::default()
        });
        let mut schema = Schema {
            name: content.name.clone(),
            about: content.about.clone(),
            relations: content.relations.clone(),
            load: content.load.clone(),
            prices: content.prices.clone(),
            targets: content.targets.clone(),
            ..base
        };
        let of = |name: &str| sum.chosen.iter().find(|chosen| chosen.entity.name == name);
        schema.entities =
            content.entities.iter().filter_map(|entity| Some(of(&entity.name)?.entity.clone())).collect();
        schema.load.entities = cases
            .iter()
            .filter(|case| content.load_of(&case.entity.name).is_some() || !case.load.values.is_empty())
            .map(|case| case.load.clone())
            .collect();
        for (owner, load) in sum.chosen.iter().flat_map(|chosen| &chosen.owners) {
            schema.entities.push(owner.clone());
            schema.load.entities.push(load.clone());
        }
        let all: Vec<_> = sum.chosen.iter().flat_map(|chosen| &chosen.queries).collect();
        let mut origins = Vec::new();
        for query in &content.queries {
            for (purpose, step) in &all {
                if *purpose == Purpose::Query(query.name.clone()) {
                    schema.queries.push(step.clone());
                    origins.push(Some(query.name.clone()));
                }
            }
        }
        let support = all.iter().filter(|(purpose, _)| !matches!(purpose, Purpose::Query(_)));
        for (_, step) in support {
            schema.queries.push(step.clone());
            origins.push(None);
        }
        (schema, origins)
    }
}

impl Sum {
    fn with(&self, chosen: &Chosen) -> Self {
        let mut sum = self.clone();
        sum.cost += chosen.point.cost;
        sum.late += chosen.point.late;
        sum.read += chosen.point.read;
        sum.chosen.push(chosen.clone());
        sum
    }

    fn and(&self, other: &Self) -> Self {
        other.chosen.iter().fold(self.clone(), |sum, chosen| sum.with(chosen))
    }
}

/// Removes sums that are too dear, and those that another beats in every respect.
fn reduce(sums: &mut Vec<Sum>, most: f64) {
    sums.retain(|sum| sum.cost <= most);
    sums.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let mut kept: Vec<Sum> = Vec::new();
    for sum in sums.drain(..) {
        let is_worse = kept.iter().any(|known| known.late <= sum.late && known.read <= sum.read);
        if !is_worse && kept.len() < POINTS {
            kept.push(sum);
        }
    }
    *sums = kept;
}

/// Returns the problems that share a partition, each group in file order.
fn groups(cases: &[Case]) -> Vec<Vec<&Case>> {
    let mut groups: Vec<(String, Vec<&Case>)> = Vec::new();
    for case in cases {
        let name = case.together.as_ref().map_or(&case.entity.name, |together| &together.table).clone();
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) if case.together.is_some() => group.push(case),
            _ => groups.push((name, vec![case])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
