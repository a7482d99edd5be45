//! Differences that follow from values in the conditions of a query.

use table_schema::language::Test;

use crate::prove::population::{Column, Population};

/// Returns the columns that are compared with a value in the design, the value and its number.
fn named<'s>(
    population: &'s Population,
    tests: &'s [Test],
) -> impl Iterator<Item = (&'s Column, &'s str, usize)> {
    tests.iter().filter_map(|test| {
        let (column, text) = (population.column(&test.field)?, test.value.as_ref()?.text());
        Some((column, text, column.encoder.number_of(text)?))
    })
}

/// Explains a difference by a value whose fraction is not the one that the model assumes.
pub(super) fn fractions(population: &Population, tests: &[Test]) -> Option<String> {
    named(population, tests).find_map(|(column, text, number)| {
        let (real, assumed) = column.fractions(number);
        let [found, predicted] = [real, assumed].map(|part| table_advisor::plain(100.0 * part));
        ((real - assumed).abs() > 0.05 * assumed).then(|| {
            format!(
                "{found} % of the entities have `{text}` in `{}`; the model assumes {predicted} %, because the value has no \
                 `share`",
                column.name
            )
        })
    })
}

/// Explains a difference in bytes by the lengths of the values: the model counts the average length.
pub(super) fn lengths(population: &Population, tests: &[Test], difference: f64) -> Option<String> {
    let size = |column: &Column, number| crate::text::real(column.encoder.value(number).size());
    let longer = |(column, _, number): (&Column, &str, usize)| {
        let all = (0..population.count).filter_map(|row| column.number(row));
        let (sum, count) = all.fold((0.0, 0), |(sum, count), number| (sum + size(column, number), count + 1));
        size(column, number) - sum / crate::text::real(count.max(1))
    };
    let longer: f64 = named(population, tests).map(longer).sum();
    ((difference - longer).abs() <= 0.5 * difference.abs())
        .then(|| "the model counts the average length of the values that the query names".to_owned())
}
