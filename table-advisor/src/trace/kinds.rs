use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use table_designs::schema::Schema;
use table_schema::{
    design::{EntityDesign, FieldKind, Origin, RowKind},
    key::KeyKind,
    language::Comparison,
};

use super::{
    Tested,
    bind::{self, Bound},
    found::{Found, Given, Sign},
};

const PARTITION_KEY: &str = "PartitionKey";
const ROW_KEY: &str = "RowKey";

/// All row kinds of a design.
#[derive(Debug)]
pub(super) struct Kinds<'s>(Vec<Kind<'s>>);

#[derive(Debug)]
struct Kind<'s> {
    entity: usize,
    design: &'s EntityDesign,
    number: usize,
    rows: Rc<RowKind>,
    /// The literals of conditions of queries, with their fields.
    literals: Rc<[(String, String)]>,
}

impl<'s> Kinds<'s> {
    pub(super) fn of(schema: &'s Schema) -> Self {
        let kinds = schema.entities.iter().enumerate().flat_map(|(entity, design)| {
            let rows = design.row_kinds().into_iter().enumerate();
            let literals: Rc<[_]> = literals(schema, design).collect();
            rows.map(move |(number, rows)| Kind {
                entity,
                design,
                number,
                rows: Rc::new(rows),
                literals: Rc::clone(&literals),
            })
        });
        Self(kinds.collect())
    }

    /// Returns the rows of a complete key.
    pub(super) fn of_keys(&self, table: &str, [partition, row]: &[String; 2]) -> Option<Found<'s>> {
        self.best(table, |kind| {
            let bound = [bind::key(&kind.rows.partition, partition)?, bind::key(&kind.rows.row, row)?];
            Some(kind.found(bound, []))
        })
    }

    /// Returns the rows of a filter. If it has several alternatives, they differ only in values.
    pub(super) fn of_filter(&self, table: &str, filter: &[Vec<Tested>]) -> Option<Found<'s>> {
        let (first, others) = filter.split_first()?;
        let found = self.of_conjunction(table, first)?;
        let mut varying = BTreeSet::new();
        for other in others {
            let next = self.of_conjunction(table, other)?;
            if (next.entity, next.kind, &next.tests) != (found.entity, found.kind, &found.tests) {
                return None;
            }
            varying.extend(found.values.iter().filter(|value| !next.values.contains(value)).cloned());
        }
        let is_one_of = |field: &String| varying.iter().any(|(name, _)| name == field);
        let tests = found.tests.iter().map(|(field, sign)| match sign {
            Sign::Equal if is_one_of(field) => (field.clone(), Sign::In),
            sign => (field.clone(), *sign),
        });
        let mut given = found.given;
        given.retain(|field, _| !is_one_of(field));
        Some(Found { tests: tests.collect(), given, ..found })
    }

    fn of_conjunction(&self, table: &str, tests: &[Tested]) -> Option<Found<'s>> {
        self.best(table, |kind| {
            let bound = [
                bounds(&kind.rows.partition, PARTITION_KEY, tests)?,
                bounds(&kind.rows.row, ROW_KEY, tests)?,
            ];
            let fields = &kind.design.fields;
            let others = tests.iter().filter_map(|test| {
                let field = fields.iter().find(|field| field.property == test.property)?;
                Some((field.name.clone(), test.comparison, test.value.as_str()))
            });
            Some(kind.found(bound, others))
        })
    }

    /// Returns the row kind of a table whose keys have most words in common with its templates.
    fn best(&self, table: &str, find: impl Fn(&Kind<'s>) -> Option<Found<'s>>) -> Option<Found<'s>> {
        let kinds = self.0.iter().filter(|kind| kind.rows.table.form(KeyKind::Table).decode(table).is_ok());
        let mut best: Option<Found<'s>> = None;
        for found in kinds.filter_map(find) {
            match &mut best {
                Some(best) if found.words < best.words => {}
                Some(best) if found.words == best.words => best.is_ambiguous = true,
                _ => best = Some(found),
            }
        }
        best
    }
}

impl<'s> Kind<'s> {
    fn found<'k>(
        &self,
        bound: [Bound<'k>; 2],
        others: impl IntoIterator<Item = (String, Comparison, &'k str)>,
    ) -> Found<'s> {
        let words = bound.iter().map(|bound| bound.words).sum();
        let mut found = Found {
            entity: self.entity,
            design: self.design,
            kind: self.number,
            rows: Rc::clone(&self.rows),
            tests: BTreeSet::new(),
            values: Vec::new(),
            given: BTreeMap::new(),
            words,
            is_ambiguous: false,
        };
        for Bound { equal, range, .. } in bound {
            for (field, value) in equal {
                found.given.extend(self.given(&field, value, false));
                found.tests.insert((field.clone(), Sign::Equal));
                found.values.push((field, value.to_owned()));
            }
            found.tests.extend(range.map(|field| (field, Sign::Range)));
        }
        for (field, comparison, value) in others {
            // A field of a key can be tested again.
            if !found.tests.iter().any(|(known, _)| *known == field) {
                let given = self.given(&field, value, true).filter(|_| comparison == Comparison::Equal);
                found.given.extend(given);
                found.values.push((field.clone(), value.to_owned()));
                found.tests.insert((field, Sign::of(comparison)));
            }
        }
        // All rows of a sparse index have the values of its condition.
        for (field, value) in self.when() {
            if found.tests.insert((field.to_owned(), Sign::Equal)) {
                found.values.push((field.to_owned(), value.to_owned()));
            }
            found.given.insert(field.to_owned(), Given::Literal(value.to_owned()));
        }
        found
    }

    /// Returns the fields and the values of the condition of an index.
    fn when(&self) -> impl Iterator<Item = (&'s str, &'s str)> {
        let index = match self.rows.origin {
            Origin::Index(number) => self.design.indexes.get(number),
            _ => None,
        };
        let equalities = index.and_then(|index| index.when.as_ref()).map(|when| &when.equalities);
        equalities.into_iter().flatten().map(|one| (one.field.as_str(), one.value.text()))
    }

    /// Returns what is known about a value. Strings show that they are hashes; `is_typed` values of other types do not.
    fn given(&self, field: &str, value: &str, is_typed: bool) -> Option<(String, Given)> {
        let kind = &self.design.field(field)?.kind;
        let is_number = matches!(kind, FieldKind::Int { .. } | FieldKind::Float { .. });
        let is_shown =
            !is_typed || matches!(kind, FieldKind::Text { .. } | FieldKind::Enum { .. } | FieldKind::Bool);
        let mut literals = self.literals.iter().filter(|(known, _)| known == field).peekable();
        literals.peek()?;
        let given = match literals.find(|(_, literal)| is_same(literal, value, is_number)) {
            Some((_, literal)) => Given::Literal(literal.clone()),
            None if is_shown && !bind::is_hash(value) => return None,
            None => Given::Hidden,
        };
        Some((field.to_owned(), given))
    }
}

/// Returns the literals of the conditions of queries on an entity, with their fields.
fn literals<'s>(schema: &'s Schema, design: &'s EntityDesign) -> impl Iterator<Item = (String, String)> {
    let queries = schema.queries.iter().filter(|query| query.find == design.name);
    let conditions = queries.filter_map(|query| query.filter.as_ref());
    let tests = conditions.flat_map(|condition| &condition.alternatives).flat_map(|all| &all.tests);
    tests.filter_map(|test| Some((test.field.clone(), test.value.as_ref()?.text().to_owned())))
}

/// Returns whether a recorded value is a literal. Numbers of keys have leading zeros.
fn is_same(literal: &str, value: &str, is_number: bool) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().filter(|_| is_number);
    literal == value || number(literal).is_some_and(|one| number(value) == Some(one))
}

/// Returns what the comparisons of a key say about the fields of its template; `None` if they exclude it.
fn bounds<'t>(
    template: &table_schema::template::Template,
    key: &str,
    tests: &'t [Tested],
) -> Option<Bound<'t>> {
    let of = |comparisons: &[Comparison]| {
        let mut tests = tests.iter().filter(|test| test.property == key);
        tests.find(|test| comparisons.contains(&test.comparison)).map(|test| test.value.as_str())
    };
    if let Some(value) = of(&[Comparison::Equal]) {
        return bind::key(template, value);
    }
    match (of(&[Comparison::AtLeast, Comparison::Greater]), of(&[Comparison::AtMost, Comparison::Less])) {
        (None, None) => Some(Bound::default()),
        (Some(lower), Some(upper)) => bind::bounds(template, lower, upper),
        // A range without an end contains other row kinds, too.
        (Some(bound), None) | (None, Some(bound)) => {
            let first = bind::bounds(template, bound, "")?;
            Some(Bound { equal: Vec::new(), ..first })
        }
    }
}
