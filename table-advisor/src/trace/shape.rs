//! The shapes of recorded queries, and the queries of the design that they belong to.

use std::collections::{BTreeMap, BTreeSet};

use table_schema::{
    design::{EntityDesign, Origin},
    language::{Condition, Rate, Test},
    schema::{Query, Schema},
};

use super::{
    found::{Found, Sign},
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
        Self { entity: found.entity, kind: found.kind, tests: found.tests.clone() }
    }

    /// Returns the condition of a query.
    fn condition(&self) -> String {
        let tests = self.tests.iter().map(|(field, sign)| format!("{field} {}", sign.text()));
        tests.collect::<Vec<_>>().join(" and ")
    }

    /// Returns whether a query of the design has this form.
    fn is_of(&self, design: &EntityDesign, query: &Query) -> bool {
        let alternatives = query.filter.as_ref().map_or(&[][..], |filter| &filter.alternatives);
        let tests = |tests: &[Test]| -> BTreeSet<(String, Sign)> {
            tests.iter().map(|test| (test.field.clone(), Sign::of(test.comparison))).collect()
        };
        let is_same = match alternatives {
            [] => self.tests.is_empty(),
            alternatives => alternatives.iter().any(|all| tests(&all.tests) == self.tests),
        };
        query.find == design.name && is_same
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
}

/// Returns the queries of the design with what was measured, and those that it does not declare.
pub(super) fn queries(
    schema: &Schema,
    shapes: &BTreeMap<Shape, Calls>,
    requests: u64,
    rate: impl Fn(u64) -> Rate,
    notes: &mut Notes,
) -> Vec<Query> {
    let mut queries: Vec<Query> =
        schema.queries.iter().map(|query| Query { rate: None, ..query.clone() }).collect();
    let mut counts = vec![0; queries.len()];
    for (shape, calls) in shapes {
        let Some(design) = schema.entities.get(shape.entity) else { continue };
        let Some(kind) = design.row_kinds().into_iter().nth(shape.kind) else { continue };
        let using = (kind.origin != Origin::Primary).then(|| kind.name.clone());
        let declared = schema.queries.iter().enumerate().filter(|(_, query)| shape.is_of(design, query));
        let (same_path, any_path): (Vec<_>, Vec<_>) =
            declared.map(|(number, query)| (number, query.using == using)).partition(|(_, is_same)| *is_same);
        if let Some((number, _)) = same_path.first().or(any_path.first())
            && let Some((query, count)) = queries.get_mut(*number).zip(counts.get_mut(*number))
        {
            *count += calls.count;
            query.rate = Some(rate(*count));
            let limit = calls.limit();
            let own = if query.latest.is_some() { &mut query.latest } else { &mut query.limit };
            *own = limit.or(*own);
            query.select = calls.select(design).or(query.select.take());
            continue;
        }
        let text = shape.condition();
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
        counts.push(calls.count);
        queries.push(Query {
            name,
            find: design.name.clone(),
            filter,
            select: calls.select(design).or_else(|| using.as_ref().map(|_| stored(design, shape.kind))),
            limit: calls.limit(),
            rate: Some(rate(calls.count)),
            using,
            ..Query::default()
        });
    }
    let unseen = queries.iter().filter(|query| query.rate.is_none());
    notes.unseen = unseen.map(|query| query.name.clone()).collect();
    queries
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
