//! The keys that a search considers.

use std::collections::BTreeSet;

use super::{
    case::Case,
    key::{Form, Key, Part, descending, equality},
    step::Step,
};
use crate::facts::Facts;
use table_schema::language::{Comparison, Test};

/// The maximum number of entities in one partition for all.
const SMALL: f64 = 10_000.0;
/// The maximum number of fields of which all subsets and orders are considered.
const FEW: usize = 4;

/// Returns the keys that the steps, the identity and the unique fields of an entity suggest, without the fields that
/// complete them.
pub(super) fn keys(case: &Case, facts: &Facts<'_>) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    for (partition, row) in splits(case, &case.identity.id) {
        keys.insert(Key { partition, row, ..Key::default() });
    }
    for fields in &case.identity.unique {
        keys.extend(splits(case, fields).map(|(partition, row)| Key {
            partition,
            row,
            is_unique: true,
            ..Key::default()
        }));
    }
    for step in &case.steps {
        for tests in step.alternatives() {
            keys.extend(Terms::of(case, step, tests).keys(case, facts.count));
            keys.extend(sparse(case, facts, step, tests));
        }
    }
    let may_change = |key: &Key| key.parts().any(|part| case.volatile.contains(&part.field));
    keys.retain(|key| !may_change(key));
    let mut known = BTreeSet::new();
    keys.retain(|key| known.insert(served(case, key)));
    keys
}

/// Returns the keys of indexes of the entities with values that an alternative of a condition compares.
fn sparse(case: &Case, facts: &Facts<'_>, step: &Step, tests: &[Test]) -> Vec<Key> {
    let is_value = |test: &&Test| test.value.is_some() && !case.volatile.contains(&test.field);
    let mut equalities: Vec<String> = tests.iter().filter(is_value).filter_map(equality).collect();
    equalities.sort();
    equalities.dedup();
    let equalities: Vec<&str> = equalities.iter().map(String::as_str).collect();
    let mut keys = Vec::new();
    for chosen in subsets(&equalities).into_iter().filter(|chosen| !chosen.is_empty()) {
        let when: Vec<String> = chosen.into_iter().map(str::to_owned).collect();
        let is_chosen = |test: &Test| equality(test).is_some_and(|text| when.contains(&text));
        let share: f64 =
            tests.iter().filter(|test| is_chosen(test)).map(|test| facts.selectivity(test, None)).product();
        let rest: Vec<Test> = tests.iter().filter(|test| !is_chosen(test)).cloned().collect();
        let of_rest = Terms::of(case, step, &rest).keys(case, facts.count * share);
        keys.extend(of_rest.into_iter().map(|key| Key { when: when.clone(), ..key }));
    }
    keys
}

/// What a key offers to one alternative of a condition: the fields with equality at the start of the row, and the next one.
type Offer = (BTreeSet<Part>, Option<Part>);

/// Returns what a key offers to all conditions. Keys of the same fields that offer the same are equal in every respect.
fn served(case: &Case, key: &Key) -> (Vec<Part>, BTreeSet<Part>, bool, Vec<String>, Vec<Offer>) {
    let id: Vec<Part> = case.identity.id.iter().map(|field| Part::new(field)).collect();
    let row = if key.is_unique { key.row.clone() } else { key.ending_in(&id).row };
    let offer = |is_bound: &dyn Fn(&Part) -> bool| {
        let start: BTreeSet<Part> = row.iter().take_while(|part| is_bound(part)).cloned().collect();
        let next = row.get(start.len()).cloned();
        (start, next)
    };
    let mut offers = vec![offer(&|part| id.contains(part))];
    for tests in case.steps.iter().flat_map(Step::alternatives) {
        let compared = |part: &Part, comparisons: &[Comparison]| {
            tests.iter().any(|test| test.field == part.field && comparisons.contains(&test.comparison))
        };
        offers.push(offer(&|part| compared(part, &[Comparison::Equal])));
        offers.push(offer(&|part| compared(part, &[Comparison::Equal, Comparison::In])));
    }
    (key.partition.clone(), row.iter().cloned().collect(), key.is_unique, key.when.clone(), offers)
}

/// Returns each division of fields into a partition with at least one field and a row.
fn splits<'c>(case: &'c Case, fields: &'c [String]) -> impl Iterator<Item = (Vec<Part>, Vec<Part>)> + 'c {
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    subsets(&fields).into_iter().filter(|chosen| !chosen.is_empty()).map(move |chosen| {
        let row =
            fields.iter().filter(|field| !chosen.contains(field)).map(|field| Part::new(field)).collect();
        (case.partition(&chosen), row)
    })
}

/// What an alternative of a condition contributes to keys.
struct Terms<'s> {
    /// The fields with `=` or `in`.
    equal: Vec<&'s str>,
    /// `true` if all of them have `in`.
    is_listed: bool,
    /// The fields with a range.
    ranges: Vec<&'s str>,
    /// The field of a window of time.
    window: Option<&'s str>,
    order: Option<Part>,
}

impl<'s> Terms<'s> {
    fn of(case: &Case, step: &'s Step, tests: &'s [Test]) -> Self {
        let is_keyed = |field: &str| case.entity.field(field).is_some_and(|field| !field.optional);
        let fields = |is: &dyn Fn(&Test) -> bool| {
            let mut fields: Vec<&str> = Vec::new();
            for test in tests.iter().filter(|test| is(test) && is_keyed(&test.field)) {
                if !fields.contains(&test.field.as_str()) {
                    fields.push(&test.field);
                }
            }
            fields
        };
        let equal = fields(&|test| matches!(test.comparison, Comparison::Equal | Comparison::In));
        let mut ranges = fields(&|test| test.comparison.is_range());
        ranges.retain(|field| !equal.contains(field));
        let order = step.order.as_ref().filter(|order| is_keyed(&order.field));
        let order = order.and_then(|order| {
            let form = match case.entity.field(&order.field).map(|field| &field.kind) {
                Some(kind) if order.is_descending => descending(kind)?,
                _ => Form::Ascending,
            };
            (!equal.contains(&order.field.as_str())).then(|| Part { field: order.field.clone(), form })
        });
        Self {
            is_listed: tests.iter().all(|test| test.comparison != Comparison::Equal),
            window: tests
                .iter()
                .find(|test| test.comparison == Comparison::Within && is_keyed(&test.field))
                .map(|test| test.field.as_str()),
            equal,
            ranges,
            order,
        }
    }

    fn keys(&self, case: &Case, count: f64) -> Vec<Key> {
        let mut keys = Vec::new();
        for chosen in subsets(&self.equal) {
            if chosen.is_empty() && !(self.is_listed && count <= SMALL) {
                continue;
            }
            let rest: Vec<&str> =
                self.equal.iter().copied().filter(|field| !chosen.contains(field)).collect();
            let mut partitions = vec![case.partition(&chosen)];
            if let Some(field) = self.window {
                for form in [Form::Day, Form::Month] {
                    let mut partition = case.partition(&chosen);
                    partition.push(Part { field: field.to_owned(), form });
                    partitions.push(partition);
                }
            }
            for row in selections(&rest) {
                for tail in self.tails() {
                    let row = row.iter().map(|field| Part::new(field)).chain(tail);
                    let row: Vec<Part> = row.collect();
                    let with = |partition: &Vec<Part>| Key {
                        partition: partition.clone(),
                        row: row.clone(),
                        ..Key::default()
                    };
                    keys.extend(partitions.iter().map(with));
                }
            }
        }
        keys
    }

    /// Returns what can follow the fields with equality: nothing, the order, a range, or both.
    fn tails(&self) -> Vec<Vec<Part>> {
        let mut tails = vec![Vec::new()];
        tails.extend(self.order.iter().map(|order| vec![order.clone()]));
        for range in self.ranges.iter().map(|field| Part::new(field)) {
            tails.push(vec![range.clone()]);
            if let Some(order) = self.order.as_ref().filter(|order| order.field != range.field) {
                tails.push(vec![range.clone(), order.clone()]);
                tails.push(vec![order.clone(), range]);
            }
        }
        tails
    }
}

/// Returns all subsets, each in the order of `fields`. Of many fields, only up to [`FEW`] of the first ones, and all.
pub(super) fn subsets<'f>(fields: &[&'f str]) -> Vec<Vec<&'f str>> {
    if fields.len() > FEW {
        let counts = (0..=FEW).chain([fields.len()]);
        return counts.filter_map(|count| Some(fields.get(..count)?.to_vec())).collect();
    }
    let mut subsets = vec![Vec::new()];
    for field in fields {
        let with = subsets.iter().map(|subset| subset.iter().copied().chain([*field]).collect());
        let with: Vec<Vec<&str>> = with.collect();
        subsets.extend(with);
    }
    subsets
}

/// Returns all orders of all subsets. Of many fields, only none and all, in the order in which they are listed.
fn selections<'f>(fields: &[&'f str]) -> Vec<Vec<&'f str>> {
    if fields.len() > FEW {
        return vec![Vec::new(), fields.to_vec()];
    }
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut from = 0;
    while let Some(chosen) = all.get(from).cloned() {
        all.extend(
            fields
                .iter()
                .filter(|field| !chosen.contains(field))
                .map(|field| chosen.iter().copied().chain([*field]).collect::<Vec<_>>()),
        );
        from += 1;
    }
    all
}
