use std::{collections::BTreeSet, rc::Rc};

use table_schema::{
    design::{EntityDesign, RowKind},
    key::KeyKind,
    language::Comparison,
    schema::Schema,
};

use super::{
    Tested,
    bind::{self, Bound},
    found::{Found, Sign},
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
}

impl<'s> Kinds<'s> {
    pub(super) fn of(schema: &'s Schema) -> Self {
        let kinds = schema.entities.iter().enumerate().flat_map(|(entity, design)| {
            let rows = design.row_kinds().into_iter().enumerate();
            rows.map(move |(number, rows)| Kind { entity, design, number, rows: Rc::new(rows) })
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
        Some(Found { tests: tests.collect(), ..found })
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
            words,
            is_ambiguous: false,
        };
        for Bound { equal, range, .. } in bound {
            for (field, value) in equal {
                found.tests.insert((field.clone(), Sign::Equal));
                found.values.push((field, value.to_owned()));
            }
            found.tests.extend(range.map(|field| (field, Sign::Range)));
        }
        for (field, comparison, value) in others {
            // A field of a key can be tested again.
            if !found.tests.iter().any(|(known, _)| *known == field) {
                found.values.push((field.clone(), value.to_owned()));
                found.tests.insert((field, Sign::of(comparison)));
            }
        }
        found
    }
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
