//! Execution of a query with values that entities have.

mod averages;
mod bound;
mod literal;

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

use table_advisor::Access;
use table_designs::schema::Query;
use table_patterns::{FieldTest, FieldValues, Value};
use table_schema::{
    design::RowKind,
    language::{Comparison, Test},
    template::Shape,
};

use averages::Averages;
use bound::{Bound, bound};

use super::{
    Subject,
    measure::Line,
    population::{Column, Population},
    random::Random,
};
use crate::error::CommandError;

/// Number of calls of a query or write.
pub(super) const CALLS: usize = 200;
/// Entities that all calls of a query read together at most, so that scans end.
const MOST_READ: f64 = 400_000.0;
/// Maximum number of entities of a page.
const PAGE: f64 = 1_000.0;
/// Minimum number of calls.
const LEAST_CALLS: usize = 5;

/// A query, the entities, and the path that the model selected.
pub(super) struct Step<'s> {
    pub(super) subject: &'s Subject<'s>,
    pub(super) query: &'s Query,
    pub(super) access: &'s Access,
}

impl Step<'_> {
    /// Runs the query. Returns the comparison, or the reason why it is not executed.
    pub(super) async fn run(&self) -> Result<Result<Line, String>, CommandError> {
        let population = &self.subject.population;
        // Each alternative is a query of its own; see `scaled`.
        let first = self.query.filter.as_ref().and_then(|filter| filter.alternatives.first());
        let tests = first.map_or(&[][..], |first| first.tests.as_slice());
        let Some(kind) = self.subject.kind(&self.access.path) else {
            return Ok(Err(format!("queries by `{}` are not executed without the type", self.access.path)));
        };
        let (groups, combinations) = match self.groups(tests, &kind) {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        };
        let calls = self.calls();
        let mut random = Random::of(&self.query.name);
        let mut averages = Averages::default();
        let mut line = Line::new(self.query.name.clone(), calls);
        let mut wrong = 0;
        for (call, Call { rows, weight, share }) in schedule(&groups, calls).into_iter().enumerate() {
            let Some(first) = rows.first() else { continue };
            let bounds: Result<Vec<Bound<'_>>, String> =
                tests.iter().map(|test| bound(population, test, *first, &mut random)).collect();
            let bounds = match bounds {
                Ok(bounds) => bounds,
                Err(reason) => return Ok(Err(reason)),
            };
            let is_in = |row: &&usize| {
                bounds.iter().all(|bound| bound.column.number(**row).is_some_and(|number| (bound.is)(number)))
            };
            let mut expected: Vec<usize> = rows.iter().filter(is_in).copied().collect();
            let matching = expected.len();
            let is_ordered = self.sort(&mut expected, &kind, tests);
            let most = self.query.latest.or(self.query.limit);
            let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
            let values: Vec<FieldTest> = bounds.into_iter().map(|bound| bound.test).collect();
            let mut query = self.subject.entities.query(&self.access.path, &values)?;
            if most < usize::MAX {
                query = query.take(u64::try_from(most).unwrap_or(u64::MAX));
            }
            if let Some(select) = &self.query.select {
                query = query.select(select);
            }
            self.subject.counting.take();
            let found = query.report().await?;
            let counts = self.subject.counting.take();
            let answer = self.answer(&found.items, &expected, most, is_ordered);
            if let Err(reason) = answer {
                wrong += 1;
                if wrong == 1 {
                    line.failures.push(format!("call {}: {reason}", call + 1));
                }
            }
            averages.cut += usize::from(matching < most);
            averages.add(
                [weight, share],
                [
                    float(counts.reads),
                    float(counts.read),
                    crate::text::real(found.items.len()),
                    counts.bytes,
                    crate::text::real(matching),
                    float(counts.returned),
                ],
            );
        }
        if wrong > 1 {
            line.failures.push(format!("{wrong} of {calls} calls return other entities than a scan"));
        }
        averages.combinations = [crate::text::real(groups.len()), combinations];
        self.compare(&averages, tests, &mut line);
        Ok(Ok(line))
    }

    fn calls(&self) -> usize {
        let mut calls = CALLS;
        while calls > LEAST_CALLS && crate::text::real(calls) * self.access.read > MOST_READ {
            calls -= 1;
        }
        calls
    }

    /// Returns the entities by the values of the fields that are tested with `= ?`, those of a partition together, and the
    /// number of combinations of the values.
    fn groups(&self, tests: &[Test], kind: &RowKind) -> Result<(Vec<Vec<usize>>, f64), String> {
        let population = &self.subject.population;
        let is_parameter = |test: &Test| test.comparison == Comparison::Equal && test.value.is_none();
        let is_equal = |name: &str| tests.iter().any(|test| is_parameter(test) && test.field == name);
        let first = kind.partition.holes().map(|hole| hole.field.as_str());
        let rest = tests.iter().map(|test| test.field.as_str());
        let mut columns: Vec<&Column> = Vec::new();
        for name in first.chain(rest).filter(|name| is_equal(name)) {
            let column = population.column(name).ok_or_else(|| format!("no values of `{name}`"))?;
            if !columns.iter().any(|known| known.name == column.name) {
                columns.push(column);
            }
        }
        let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for row in 0..population.count {
            let key: Option<Vec<usize>> = columns.iter().map(|column| column.number(row)).collect();
            if let Some(key) = key {
                groups.entry(key).or_default().push(row);
            }
        }
        let combinations = columns.iter().map(|column| crate::text::real(column.distinct())).product();
        Ok((groups.into_values().collect(), combinations))
    }

    /// Sorts entities in the order of the path. Returns `false` if the order is not known.
    fn sort(&self, rows: &mut [usize], kind: &RowKind, tests: &[Test]) -> bool {
        let is_equal =
            |name: &str| tests.iter().any(|test| test.comparison == Comparison::Equal && test.field == name);
        let is_one = kind.partition.holes().all(|hole| is_equal(&hole.field));
        let has_dates = kind.row.holes().any(|hole| matches!(hole.shape.ascending(), Shape::Date(_)));
        let column = |name: &str| self.subject.population.column(name);
        let has_ranks = kind.row.holes().all(|hole| {
            is_equal(&hole.field) || column(&hole.field).is_none_or(|column| column.encoder.has_ranks())
        });
        let key = |row: &usize| -> Vec<u128> {
            let of = |hole: &table_schema::template::TemplateField| {
                let column = column(&hole.field)?;
                let rank = column.encoder.rank(column.number(*row)?);
                Some(if hole.shape.is_descending() { u128::MAX - rank } else { rank })
            };
            kind.row.holes().map(|hole| of(hole).unwrap_or(0)).collect()
        };
        rows.sort_by_cached_key(key);
        // The ranges of several values follow one another in the order of the values.
        let has_several = tests.iter().any(|test| {
            test.comparison == Comparison::In && kind.row.holes().any(|hole| hole.field == test.field)
        });
        is_one && !has_dates && has_ranks && !has_several
    }

    /// Compares a result with the matching entities.
    fn answer(
        &self,
        items: &[FieldValues],
        expected: &[usize],
        most: usize,
        is_ordered: bool,
    ) -> Result<(), String> {
        let count = expected.len().min(most);
        if items.len() != count {
            return Err(format!("returned {}, a scan finds {count}", items.len()));
        }
        let found: Vec<Option<usize>> = items.iter().map(|item| self.subject.row_of(item)).collect();
        for (item, row) in items.iter().zip(&found) {
            let Some(row) = row else { return Err("returned an entity that was not inserted".to_owned()) };
            let values = self.subject.population.row(*row);
            if let Some((name, _)) = item.iter().find(|(name, value)| values.get(*name) != Some(value)) {
                return Err(format!("returned an entity with another value of `{name}`"));
            }
            let select = self.query.select.iter().flatten();
            if let Some(name) =
                select.into_iter().find(|name| values.contains_key(*name) && !item.contains_key(*name))
            {
                return Err(format!("returned an entity without `{name}`"));
            }
        }
        let found: Vec<usize> = found.into_iter().flatten().collect();
        let is_same = if is_ordered {
            expected.iter().take(most).eq(&found)
        } else {
            let mut sorted = found.clone();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() == found.len() && found.iter().all(|row| expected.contains(row))
        };
        is_same
            .then_some(())
            .ok_or_else(|| "returned other entities, or in another order, than a scan".to_owned())
    }

    fn compare(&self, averages: &Averages, tests: &[Test], line: &mut Line) {
        let access = self.access;
        let [requests, read, returned, bytes, matching, sent] = averages.averages();
        let is_cut = self.query.latest.or(self.query.limit).is_some() && averages.cut > 0;
        let is_matching =
            super::measure::Measure { what: "matching", predicted: access.matching, executed: matching }
                .agrees();
        // The model limits the average number of matching entities, not that of each call.
        let limited = (is_cut && is_matching).then(|| {
            let percent = 100 * averages.cut / line.calls.max(1);
            format!("{percent} % of the calls match fewer entities than the limit")
        });
        let limited = limited.or_else(|| literal::fractions(&self.subject.population, tests));
        let limited = limited.or_else(|| averages.unused(access.matching, matching));
        let paged =
            (access.read > PAGE && is_matching && (requests - access.requests).abs() < access.requests)
                .then(|| "the model counts the pages of the average call".to_owned());
        line.add("requests", access.requests, requests, paged.or_else(|| limited.clone()));
        line.add("read", access.read, read, limited.clone());
        line.add("returned", access.returned, returned, limited);
        if access.returned < 1.0 && returned > 2.0 * access.returned {
            let [executed, predicted] = [returned, access.returned].map(table_advisor::plain);
            line.explained.push(format!(
                "returned {executed}, predicted {predicted}: calls use values that entities have; the bytes of an                  entity are not compared"
            ));
        } else if returned > 0.0 {
            // A scan requests the rows of a type, which include those of its indexes.
            let is_scan = access.class == table_advisor::Class::TableScan && sent > returned;
            let beside = is_scan.then(|| {
                let [sent, returned] = [sent, returned].map(table_advisor::plain);
                format!("the service returns {sent} rows for {returned}, because index rows match too")
            });
            let [predicted, executed] = [access.bytes / access.returned, bytes / returned];
            let named = || literal::lengths(&self.subject.population, tests, executed - predicted);
            line.add_bytes("bytes each", predicted, executed, beside.or_else(named));
        }
        let skewed = averages.skewed;
        if skewed > 1.0 + 1.05 * read.max(access.read) {
            let [skewed, read] = [skewed, access.read].map(table_advisor::plain);
            line.explained.push(format!(
                "read {skewed} if values are used as often as entities have them, predicted {read}: the model \
                 counts each value once"
            ));
        }
    }
}

/// A call with the values of a group of entities.
struct Call<'g> {
    rows: &'g [usize],
    /// The number of groups that the call stands for.
    weight: f64,
    /// The fraction of all entities that the call stands for.
    share: f64,
}

/// Returns the calls: with each group once, if there are enough, and the others as often as its entities make up of all.
fn schedule(groups: &[Vec<usize>], calls: usize) -> Vec<Call<'_>> {
    let all: usize = groups.iter().map(Vec::len).sum();
    let once = if groups.len() <= calls { groups.len() } else { 0 };
    let rest = calls - once;
    let mut drawn: Vec<usize> = (0..once).collect();
    let (mut group, mut end) = (0, groups.first().map_or(0, Vec::len));
    for call in 0..rest {
        let place = (2 * call + 1) * all / (2 * rest);
        while place >= end && group + 1 < groups.len() {
            group += 1;
            end += groups.get(group).map_or(0, Vec::len);
        }
        drawn.push(group);
    }
    let mut times = vec![0_usize; groups.len()];
    for group in &drawn {
        times.iter_mut().skip(*group).take(1).for_each(|times| *times += 1);
    }
    let each = crate::text::real(all) / crate::text::real(calls.max(1));
    let call = |group: usize| {
        let (rows, times) = (groups.get(group)?, crate::text::real(*times.get(group)?));
        let entities = if once > 0 { crate::text::real(rows.len()) / times } else { each };
        let (weight, share) = (entities / crate::text::real(rows.len()), entities / crate::text::real(all));
        Some(Call { rows, weight, share })
    };
    drawn.into_iter().filter_map(call).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a count of some millions")]
pub(super) const fn float(count: u64) -> f64 {
    count as f64
}

/// Returns the values of the key of an entity as a text.
pub(super) fn key_text<'v>(values: impl Iterator<Item = Option<&'v Value>>) -> String {
    values.fold(String::new(), |mut text, value| {
        _ = write!(text, "{value:?};");
        text
    })
}

/// Returns the entities by the texts of their keys.
pub(super) fn by_key(population: &Population, key: &[String]) -> HashMap<String, usize> {
    let text = |row: usize| {
        let values = population.row(row);
        key_text(key.iter().map(|name| values.get(name)))
    };
    (0..population.count).map(|row| (text(row), row)).collect()
}
