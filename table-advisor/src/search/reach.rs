//! Queries over references: the ways to answer them by steps on single entities.

use super::{
    case::{count, facts},
    copied::copied_name,
    step::{Purpose, Step},
    total::{self, Total},
};
use crate::facts::Facts;
use table_designs::schema::{Query, Requirement, Workload};
use table_schema::language::{Comparison, Condition, Conjunction, Test};

/// How a query reads the fields of a referenced entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// From copies in the entity.
    Copy,
    /// Tested fields from copies, selected fields from the other entity.
    Split,
    /// From the other entity, after the query.
    Join,
    /// The other entity first, then this entity by the reference.
    First,
}

/// A field of another entity that an entity copies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Copied {
    pub holder: String,
    pub reference: String,
    pub field: String,
}

/// The steps that answer a query, and the copied fields that they require.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// The way of each reference: `author: copy`. Empty without references.
    pub label: String,
    /// The steps with their entities.
    pub steps: Vec<(String, Step)>,
    pub copied: Vec<Copied>,
    pub totals: Vec<Total>,
}

/// A query whose answers are computed.
struct Asked<'w> {
    workload: &'w Workload,
    query: &'w Query,
    requirement: &'w Requirement,
}

/// Returns the answers to each query, in file order.
pub(super) fn answers(workload: &Workload) -> Vec<Vec<Answer>> {
    let queries = workload.content.queries.iter().zip(&workload.requirements);
    queries.map(|(query, requirement)| Asked { workload, query, requirement }.answers()).collect()
}

impl<'w> Asked<'w> {
    fn answers(&self) -> Vec<Answer> {
        let references = self.references();
        let mut choices: Vec<Vec<(&str, Way)>> = vec![Vec::new()];
        for reference in &references {
            let ways = self.ways(reference);
            choices = choices
                .into_iter()
                .flat_map(|choice| {
                    ways.iter().map(move |way| choice.iter().copied().chain([(*reference, *way)]).collect())
                })
                .collect();
        }
        let at_most_one =
            |choice: &Vec<(&str, Way)>| choice.iter().filter(|(_, way)| *way == Way::First).count() < 2;
        choices.retain(at_most_one);
        let totals = total::totals(self.workload, self.query, self.requirement).into_iter().map(|total| {
            let label = if total.is_near { "total in the partition" } else { "total elsewhere" };
            Answer { label: label.to_owned(), totals: vec![total], ..Answer::default() }
        });
        choices.iter().filter_map(|choice| self.answer(choice)).chain(totals).collect()
    }

    /// Returns the references that the query tests or selects over.
    fn references(&self) -> Vec<&'w str> {
        let tested = self.tests().map(|test| test.field.as_str());
        let selected = self.query.select.iter().flatten().map(String::as_str);
        let mut references: Vec<&str> =
            tested.chain(selected).filter_map(|name| Some(name.split_once('.')?.0)).collect();
        references.sort_unstable();
        references.dedup();
        references
    }

    fn tests(&self) -> impl Iterator<Item = &'w Test> {
        self.query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests)
    }

    /// Returns the tests on a referenced entity.
    fn tests_on(&self, reference: &str) -> Vec<Test> {
        let of = |test: &Test| {
            let field = test.field.strip_prefix(reference)?.strip_prefix('.')?;
            Some(Test { field: field.to_owned(), ..test.clone() })
        };
        self.tests().filter_map(of).collect()
    }

    /// Returns the selected fields of a referenced entity.
    fn shown_of(&self, reference: &str) -> Vec<String> {
        let id = self.workload.reference(&self.query.find, reference).map(|(_, other)| other);
        let mut shown = Vec::new();
        for name in self.query.select.iter().flatten() {
            match name.strip_prefix(reference).and_then(|rest| rest.strip_prefix('.')) {
                Some("*") => {
                    let others = id.into_iter().flat_map(|other| &other.fields);
                    let id = id.map_or(&[][..], |other| self.workload.id_of(&other.name));
                    let others = others.map(|field| field.name.clone()).filter(|name| !id.contains(name));
                    shown.extend(others);
                }
                Some(field) => shown.push(field.to_owned()),
                None => {}
            }
        }
        shown.sort();
        shown.dedup();
        shown
    }

    fn ways(&self, reference: &str) -> Vec<Way> {
        let tests = self.tests_on(reference);
        let is_one = self.query.filter.as_ref().is_none_or(|filter| filter.alternatives.len() < 2);
        let mut ways = vec![Way::Copy];
        if !tests.is_empty() && !self.shown_of(reference).is_empty() {
            ways.push(Way::Split);
        }
        if tests.is_empty() || is_one {
            ways.push(Way::Join);
        }
        if is_one && tests.iter().any(|test| matches!(test.comparison, Comparison::Equal | Comparison::In)) {
            ways.push(Way::First);
        }
        ways
    }

    fn answer(&self, choice: &[(&str, Way)]) -> Option<Answer> {
        let content = &self.workload.content;
        let own = content.entity(&self.query.find)?;
        let own_facts = facts(content, own);
        let mut answer = Answer {
            label: choice
                .iter()
                .map(|(reference, way)| format!("{reference}: {}", way.word()))
                .collect::<Vec<_>>()
                .join(", "),
            ..Answer::default()
        };
        let way_of = |name: &str| {
            let reference = name.split_once('.')?.0;
            choice.iter().find(|(known, _)| *known == reference).map(|(_, way)| *way)
        };
        let (mut limit, mut conditions) = (self.query.limit.map(f64::from), Vec::new());
        let mut matching = own_facts.count;
        for (reference, way) in choice {
            let (_, other) = self.workload.reference(&self.query.find, reference)?;
            let other_facts = facts(content, other);
            let (tests, shown) = (self.tests_on(reference), self.shown_of(reference));
            let share = share(&other_facts, &tests);
            let name = format!("{}_{reference}", self.query.name);
            let id = self.workload.id_of(&other.name).first()?;
            let copied: Vec<String> = match way {
                Way::Copy => tests.iter().map(|test| test.field.clone()).chain(shown.clone()).collect(),
                Way::Split => tests.iter().map(|test| test.field.clone()).collect(),
                Way::Join | Way::First => Vec::new(),
            };
            answer.copied.extend(copied.into_iter().filter(|field| field != id).map(|field| Copied {
                holder: self.query.find.clone(),
                reference: (*reference).to_owned(),
                field,
            }));
            match way {
                Way::Copy | Way::Split => matching *= share,
                Way::Join => limit = limit.map(|limit| limit / share),
                Way::First => {
                    let found = other_facts.count * share;
                    conditions.push(listed(reference, found));
                    matching *= (found / own_facts.distinct(reference)).min(1.0);
                    let filter = condition(
                        &tests.iter().map(|test| self.text(test, &test.field)).collect::<Vec<_>>(),
                    )?;
                    let select = shown.iter().chain([id]).cloned().collect();
                    answer
                        .steps
                        .push((other.name.clone(), self.step(name, &other.name, Some(filter), Some(select))));
                }
            }
        }
        // The tests of the entity itself, and of copied fields.
        let alternatives: Vec<Vec<String>> = self
            .query
            .filter
            .iter()
            .flat_map(|filter| &filter.alternatives)
            .map(|all| {
                let tests = all.tests.iter().filter_map(|test| match way_of(&test.field) {
                    Some(Way::Join | Way::First) => None,
                    Some(Way::Copy | Way::Split) => Some(self.text(test, &self.stored(&test.field))),
                    None => Some(self.text(test, &test.field)),
                });
                tests.chain(conditions.clone()).collect()
            })
            .collect();
        let plain = |all: &Conjunction| {
            let tests: Vec<Test> =
                all.tests.iter().filter(|test| !test.field.contains('.')).cloned().collect();
            share(&own_facts, &tests)
        };
        let shares: Vec<f64> =
            self.query.filter.iter().flat_map(|filter| &filter.alternatives).map(plain).collect();
        matching *= if shares.is_empty() { 1.0 } else { shares.iter().sum::<f64>().min(1.0) };
        // Alternatives are separate steps, each with the path that suits it.
        let filters = match alternatives.as_slice() {
            [] => vec![None],
            [only] if only.is_empty() => vec![None],
            several => several.iter().map(|tests| condition(tests).map(Some)).collect::<Option<Vec<_>>>()?,
        };
        let is_one = filters.len() < 2;
        for (number, filter) in filters.into_iter().enumerate() {
            let name = &self.query.name;
            let name = if is_one { name.clone() } else { format!("{name}_{}", number + 1) };
            let mut step = self.step(name, &own.name, filter, self.select(&way_of));
            step.order.clone_from(&self.requirement.order);
            step.is_part = !is_one;
            step.limit = limit.and_then(|limit| u32::try_from(count(limit)).ok());
            answer.steps.push((own.name.clone(), step));
        }
        let found = limit.map_or(matching, |limit| matching.min(limit));
        for (reference, way) in choice.iter().filter(|(_, way)| matches!(way, Way::Split | Way::Join)) {
            answer.steps.push(self.fetch(reference, *way, found)?);
        }
        self.bound(&mut answer);
        Some(answer)
    }

    /// Returns the step that reads the referenced entities of a number of results.
    fn fetch(&self, reference: &str, way: Way, found: f64) -> Option<(String, Step)> {
        let (_, other) = self.workload.reference(&self.query.find, reference)?;
        let id = self.workload.id_of(&other.name).first()?;
        let tested = self.tests_on(reference).into_iter().map(|test| test.field);
        let tested = tested.filter(|_| way == Way::Join);
        let mut select: Vec<String> = self.shown_of(reference).into_iter().chain(tested).collect();
        select.sort();
        select.dedup();
        let many = found.min(facts(&self.workload.content, other).count);
        let filter = condition(&[listed(id, many)])?;
        let name = format!("{}_{reference}", self.query.name);
        Some((other.name.clone(), self.step(name, &other.name, Some(filter), Some(select))))
    }

    /// Divides the deadline: each of the other steps takes at least one round.
    fn bound(&self, answer: &mut Answer) {
        let Some(deadline) = self.requirement.deadline else { return };
        let all = deadline.milliseconds / self.workload.limits.round.milliseconds;
        let others = crate::facts::real(answer.steps.len().saturating_sub(1));
        for (_, step) in &mut answer.steps {
            step.rounds = Some(all - others);
        }
    }

    fn step(&self, name: String, find: &str, filter: Option<Condition>, select: Option<Vec<String>>) -> Step {
        let query = Query {
            name,
            about: self.query.about.clone(),
            find: find.to_owned(),
            filter,
            select,
            rate: self.query.rate,
            fresh: self.query.fresh,
            ..Query::default()
        };
        Step { late: self.requirement.late, ..Step::new(Purpose::Query(self.query.name.clone()), query) }
    }

    /// Returns the fields to select from the entity itself.
    fn select(&self, way_of: &impl Fn(&str) -> Option<Way>) -> Option<Vec<String>> {
        let own = self.workload.content.entity(&self.query.find)?;
        let mut select: Vec<String> = Vec::new();
        for name in self.query.select.as_ref()? {
            match (name.split_once('.'), way_of(name)) {
                (None, _) if name == "*" => select.extend(own.fields.iter().map(|field| field.name.clone())),
                (None, _) => select.push(name.clone()),
                (Some((reference, "*")), Some(Way::Copy)) => {
                    select.extend(self.shown_of(reference).iter().map(|field| copied_name(reference, field)));
                }
                (Some(_), Some(Way::Copy)) => select.push(self.stored(name)),
                (Some((reference, _)), _) => select.push(reference.to_owned()),
            }
        }
        // A test of a joined entity needs the reference.
        let joined = self.references().into_iter().filter(|reference| {
            matches!(way_of(&format!("{reference}.")), Some(Way::Join))
                && !self.tests_on(reference).is_empty()
        });
        select.extend(joined.map(str::to_owned));
        let mut known = std::collections::BTreeSet::new();
        select.retain(|name| known.insert(name.clone()));
        (select.len() < own.fields.len()
            || own.fields.iter().any(|field| !select.contains(&field.name))
            || select.len() > own.fields.len())
        .then_some(select)
    }

    /// Returns the field that contains the value of `reference.field`. The identity is the reference itself.
    fn stored(&self, name: &str) -> String {
        let Some((reference, field)) = name.split_once('.') else { return name.to_owned() };
        let other = self.workload.reference(&self.query.find, reference);
        match other.and_then(|(_, other)| self.workload.id_of(&other.name).first()) {
            Some(id) if id == field => reference.to_owned(),
            _ => copied_name(reference, field),
        }
    }

    /// Returns the text of a test of another field.
    fn text(&self, test: &Test, field: &str) -> String {
        let written = self.query.filter.as_ref().map_or("", |filter| filter.text.as_str());
        format!("{field}{}", written.get(test.field_span.end..test.span.end).unwrap_or_default())
    }
}

impl Way {
    const fn word(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Split => "split",
            Self::Join => "join",
            Self::First => "first",
        }
    }
}

/// Returns the test of a field with a number of values.
fn listed(field: &str, many: f64) -> String {
    match count(many) {
        1 => format!("{field} = ?"),
        many => format!("{field} in {many}"),
    }
}

fn condition(tests: &[String]) -> Option<Condition> {
    tests.join(" and ").parse().ok()
}

/// Returns the fraction of entities that match all tests.
pub(super) fn share(facts: &Facts<'_>, tests: &[Test]) -> f64 {
    let fields: Vec<&str> = tests.iter().map(|test| test.field.as_str()).collect();
    let independent = facts.independent(&fields);
    let tests = tests.iter().filter(|test| independent.contains(&test.field.as_str()));
    tests.map(|test| facts.selectivity(test, None)).product()
}
