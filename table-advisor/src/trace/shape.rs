//! The shapes of recorded queries, and the queries of the design that they belong to.

use std::collections::{BTreeMap, BTreeSet};

use table_designs::{
    language::Rate,
    schema::{Query, Schema},
};
use table_schema::{
    design::{EntityDesign, FieldKind, Origin},
    language::{Comparison, Condition, Literal, Test},
};

use super::{
    found::{Found, Given, Sign},
    notes::Notes,
};
use crate::sketch::real;

/// Fraction of the requests below which a shape that the design does not declare is left out.
const FEW: f64 = 0.001;

/// Number of different limits that are counted for a shape.
const LIMITS: usize = 100;

/// The form of a query: the rows that it reads, and the fields that it tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    entity: usize,
    kind: usize,
    tests: BTreeSet<(String, Sign)>,
    given: BTreeMap<String, Given>,
}

/// How well a query of the design matches a shape; the least matches best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    /// The values that can be the hashes of literals of the query.
    hidden: usize,
    /// The literals that are parameters of the query.
    parameters: usize,
    /// `true` if the query uses another path.
    is_other_path: bool,
}

/// The calls of a shape.
#[derive(Debug, Default)]
pub(super) struct Calls {
    count: u64,
    /// The fields that all calls select together, by their properties; `None` if one of them selects all.
    selected: Option<BTreeSet<String>>,
    /// The number of calls with each limit.
    limits: BTreeMap<u32, u64>,
}

impl Shape {
    pub(super) fn of(found: &Found<'_>) -> Self {
        Self {
            entity: found.entity,
            kind: found.kind,
            tests: found.tests.clone(),
            given: found.given.clone(),
        }
    }

    /// Returns the condition of a query.
    fn condition(&self, design: &EntityDesign) -> String {
        let is_text =
            |field| matches!(design.field(field).map(|field| &field.kind), Some(FieldKind::Text { .. }));
        let tests = self.tests.iter().map(|(field, sign)| match self.given.get(field) {
            Some(Given::Literal(value)) if is_text(field) => {
                format!("{field} = {}", Literal::Text(value.clone()))
            }
            Some(Given::Literal(value)) => format!("{field} = {value}"),
            _ => format!("{field} {}", sign.text()),
        });
        tests.collect::<Vec<_>>().join(" and ")
    }

    /// Returns how well a query of the design matches; `None` if it has another form.
    fn matches(&self, design: &EntityDesign, query: &Query, using: Option<&String>) -> Option<Match> {
        let alternatives = query.filter.as_ref().map_or(&[][..], |filter| &filter.alternatives);
        let best = match alternatives {
            [] => self.tests.is_empty().then(Match::default),
            all => all.iter().filter_map(|all| self.conjunction(&all.tests)).min(),
        };
        let best = best.filter(|_| query.find == design.name)?;
        Some(Match { is_other_path: query.using.as_ref() != using, ..best })
    }

    fn conjunction(&self, tests: &[Test]) -> Option<Match> {
        let signs = tests.iter().map(|test| (test.field.clone(), Sign::of(test.comparison)));
        if signs.collect::<BTreeSet<_>>() != self.tests {
            return None;
        }
        let mut found = Match::default();
        for test in tests.iter().filter(|test| test.comparison == Comparison::Equal) {
            match (&test.value, self.given.get(&test.field)) {
                (Some(own), Some(Given::Literal(value))) if own.text() == value => {}
                (Some(_), Some(Given::Hidden)) => found.hidden += 1,
                (Some(_), _) => return None,
                (None, Some(Given::Literal(_))) => found.parameters += 1,
                (None, _) => {}
            }
        }
        Some(found)
    }
}

impl Calls {
    pub(super) fn add(&mut self, design: &EntityDesign, select: Option<&Vec<String>>, top: Option<u32>) {
        // Other properties are those of the library.
        let is_field = |name: &&String| design.fields.iter().any(|field| field.property == **name);
        let selected = select.map(|select| select.iter().filter(is_field).cloned());
        self.selected = match (self.selected.take(), selected) {
            (None, Some(selected)) if self.count == 0 => Some(selected.collect()),
            (Some(known), Some(selected)) => Some(known.into_iter().chain(selected).collect()),
            _ => None,
        };
        self.count += 1;
        if let Some(top) = top
            && (self.limits.len() < LIMITS || self.limits.contains_key(&top))
        {
            *self.limits.entry(top).or_default() += 1;
        }
    }

    /// Returns the limit of most calls.
    fn limit(&self) -> Option<u32> {
        let most = self.limits.iter().max_by_key(|(_, count)| **count);
        most.filter(|(_, count)| **count * 2 > self.count).map(|(limit, _)| *limit)
    }

    /// Returns the fields that the calls select.
    fn select(&self, design: &EntityDesign) -> Option<Vec<String>> {
        let selected = self.selected.as_ref()?;
        let fields = design.fields.iter().filter(|field| selected.contains(&field.property));
        let fields: Vec<String> = fields.map(|field| field.name.clone()).collect();
        (!fields.is_empty()).then_some(fields)
    }

    /// Replaces the limit and the selected fields of a query.
    fn measure(&self, design: &EntityDesign, query: &mut Query) {
        let own = if query.latest.is_some() { &mut query.latest } else { &mut query.limit };
        *own = self.limit().or(*own);
        query.select = self.select(design).or(query.select.take());
    }
}

/// Returns the queries of the design with what was measured, and those that it does not declare. Queries of the same shape share
/// its calls in the proportion of their declared rates.
pub(super) fn queries(
    schema: &Schema,
    shapes: &BTreeMap<Shape, Calls>,
    requests: u64,
    rate: impl Fn(f64) -> Rate,
    notes: &mut Notes,
) -> Vec<Query> {
    let mut queries = schema.queries.clone();
    let mut counts = vec![0.0; queries.len()];
    for (shape, calls) in shapes {
        let Some(design) = schema.entities.get(shape.entity) else { continue };
        let Some(kind) = design.row_kinds().into_iter().nth(shape.kind) else { continue };
        let using = (kind.origin != Origin::Primary).then(|| kind.name.clone());
        let declared = schema.queries.iter().enumerate();
        let mut declared: Vec<(Match, usize)> = declared
            .filter_map(|(number, query)| Some((shape.matches(design, query, using.as_ref())?, number)))
            .collect();
        declared.sort_unstable();
        if let Some((best, _)) = declared.first().copied() {
            declared.retain(|(found, _)| *found == best);
            notes.hidden += if best.hidden > 0 { calls.count } else { 0 };
            let is_only = declared.len() == 1;
            for (number, part) in parts(schema, &declared) {
                let Some((query, count)) = queries.get_mut(number).zip(counts.get_mut(number)) else {
                    continue;
                };
                *count += part * real(calls.count);
                // The calls of several queries do not show the limit and the fields of each.
                if is_only {
                    calls.measure(design, query);
                }
            }
            continue;
        }
        let text = shape.condition(design);
        let shown = if text.is_empty() { "all rows".to_owned() } else { text.clone() };
        if real(calls.count) < FEW * real(requests) {
            notes.folded.push((format!("{}: {shown}", design.name), calls.count));
            continue;
        }
        let filter = if text.is_empty() { None } else { text.parse::<Condition>().ok() };
        if filter.is_none() && !text.is_empty() {
            notes.other_filters += calls.count;
            continue;
        }
        let name = name(&queries, design, shape);
        notes.added.push(name.clone());
        counts.push(real(calls.count));
        queries.push(Query {
            name,
            find: design.name.clone(),
            filter,
            select: calls.select(design).or_else(|| using.as_ref().map(|_| stored(design, shape.kind))),
            limit: calls.limit(),
            using,
            ..Query::default()
        });
    }
    for (query, count) in queries.iter_mut().zip(counts) {
        if count > 0.0 {
            query.rate = Some(rate(count));
        } else {
            notes.unseen.push(query.name.clone());
        }
    }
    queries
}

/// Returns the fraction of the calls of a shape that each of its queries has: as declared, or equal parts.
fn parts(schema: &Schema, queries: &[(Match, usize)]) -> Vec<(usize, f64)> {
    let rate =
        |number: usize| schema.queries.get(number).and_then(|query| query.rate).map_or(0.0, Rate::per_second);
    let all: f64 = queries.iter().map(|(_, number)| rate(*number)).sum();
    let equal = 1.0 / crate::facts::real(queries.len());
    let part = |number| if all > 0.0 { rate(number) / all } else { equal };
    queries.iter().map(|(_, number)| (*number, part(*number))).collect()
}

/// Returns the fields that the rows of an index contain.
fn stored(design: &EntityDesign, kind: usize) -> Vec<String> {
    let Some(kind) = design.row_kinds().into_iter().nth(kind) else { return Vec::new() };
    let in_keys = kind.partition.holes().chain(kind.row.holes()).map(|hole| hole.field.clone());
    let copied = design.row_properties(&kind).into_iter().map(|field| field.name.clone());
    let all: BTreeSet<String> = in_keys.chain(copied).collect();
    let fields = design.fields.iter().filter(|field| all.contains(&field.name));
    fields.map(|field| field.name.clone()).collect()
}

/// Returns a new name: `ticket_by_tenant_status`.
fn name(queries: &[Query], design: &EntityDesign, shape: &Shape) -> String {
    let fields: Vec<&str> = shape.tests.iter().map(|(field, _)| field.as_str()).collect();
    let fields = if fields.is_empty() { "all".to_owned() } else { format!("by_{}", fields.join("_")) };
    let base = format!("{}_{fields}", design.name.to_lowercase());
    let is_new = |name: &String| !queries.iter().any(|query| query.name == *name);
    let numbered = (2_u32..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.clone()).chain(numbered).find(is_new).unwrap_or(base)
}
