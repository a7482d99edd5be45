//! Tests with values that entities have.

use table_patterns::FieldTest;
use table_schema::language::{Argument, Comparison, Test};

use crate::prove::{
    population::{Column, Population},
    random::Random,
};

/// Fraction of the values in a range of unspecified width, as the model assumes it.
const RANGE: f64 = 0.1;

/// A test with its value, and the condition that it sets on the values of an entity.
pub(super) struct Bound<'s> {
    pub(super) column: &'s Column,
    pub(super) test: FieldTest,
    pub(super) is: Box<dyn Fn(usize) -> bool + 's>,
}

/// Returns a test whose value at least one entity has.
pub(super) fn bound<'s>(
    population: &'s Population,
    test: &Test,
    row: usize,
    random: &mut Random,
) -> Result<Bound<'s>, String> {
    let name = &test.field;
    let column = population.column(name).ok_or_else(|| format!("no values of `{name}`"))?;
    let encoder = &column.encoder;
    let of = |comparison, values, is: Box<dyn Fn(usize) -> bool + 's>| {
        Ok(Bound { column, test: FieldTest { field: name.clone(), comparison, values }, is })
    };
    let all = || -> Vec<usize> {
        let mut all: Vec<usize> = (0..population.count).filter_map(|row| column.number(row)).collect();
        all.sort_unstable();
        all
    };
    let own = column.number(row).ok_or_else(|| format!("no value of `{name}`"));
    match test.comparison {
        Comparison::Equal => {
            let named = test.value.as_ref().map(|value| {
                let number = encoder.number_of(value.text());
                number.ok_or_else(|| format!("no value `{value}` of `{name}`"))
            });
            let own = named.unwrap_or(own)?;
            of(Comparison::Equal, vec![encoder.value(own)], Box::new(move |number| number == own))
        }
        Comparison::NotEqual => {
            let other = column.other(None, random);
            of(Comparison::NotEqual, vec![encoder.value(other)], Box::new(move |number| number != other))
        }
        Comparison::In => {
            let mut known = all();
            known.dedup();
            let Argument::Values(count) = test.argument else { return Err("`in` of no number".to_owned()) };
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(known.len());
            let order = random.order(known.len());
            let drawn: Vec<usize> =
                order.iter().take(count).filter_map(|place| known.get(*place).copied()).collect();
            let values = drawn.iter().map(|number| encoder.value(*number)).collect();
            of(Comparison::In, values, Box::new(move |number| drawn.contains(&number)))
        }
        Comparison::Within => {
            let Argument::Window(window) = test.argument else {
                return Err("`within` of no window".to_owned());
            };
            // The window ends before the last value.
            let known = all();
            let last = known.last().map_or(0, |last| encoder.rank(*last));
            let starts = known.partition_point(|start| encoder.after(*start, window.seconds()).0 <= last);
            let start = known.get(random.below(starts)).copied().unwrap_or(0);
            let (end, last) = encoder.after(start, window.seconds());
            let first = encoder.rank(start);
            let is = move |number| (first..end).contains(&encoder.rank(number));
            of(Comparison::Within, vec![encoder.value(start), last], Box::new(is))
        }
        Comparison::Starts => Err("prefixes of text are not generated".to_owned()),
        _ if !encoder.is_ordered() => Err(format!("ranges of `{name}` are not generated")),
        comparison => {
            let share = if let Argument::Share(share) = test.argument { share } else { RANGE };
            let known = all();
            let count = fraction(known.len(), share);
            let at = |place: usize| known.get(place.min(known.len().saturating_sub(1))).copied().unwrap_or(0);
            let rest = known.len().saturating_sub(count);
            let (first, last) = match comparison {
                Comparison::Less | Comparison::AtMost => (0, at(count.saturating_sub(1))),
                Comparison::Between => {
                    let start = random.below(rest + 1);
                    (at(start), at((start + count).saturating_sub(1)))
                }
                _ => (at(rest), usize::MAX),
            };
            let (comparison, values) = match comparison {
                Comparison::Less => (comparison, vec![encoder.value(last + 1)]),
                Comparison::AtMost => (comparison, vec![encoder.value(last)]),
                Comparison::Greater => (comparison, vec![encoder.value(first.saturating_sub(1))]),
                Comparison::Between => (comparison, vec![encoder.value(first), encoder.value(last)]),
                _ => (Comparison::AtLeast, vec![encoder.value(first)]),
            };
            of(comparison, values, Box::new(move |number| (first..=last).contains(&number)))
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a count")]
fn fraction(count: usize, share: f64) -> usize {
    (crate::text::real(count) * share).round() as usize
}
