//! The fraction of rows that the tests of a query select.

use super::{Ground, positions};
use crate::{facts::whole, path::Path};
use table_schema::language::{Comparison, Test};

impl Ground<'_, '_> {
    /// Returns the fraction of rows that match the tests on keys.
    pub(super) fn share(&self, path: &Path<'_>, tests: &[&Test], used: &[usize]) -> f64 {
        let fields: Vec<&str> =
            used.iter().filter_map(|place| tests.get(*place)).map(|test| test.field.as_str()).collect();
        let independent = self.facts.independent(&fields);
        let holes = || path.kind.partition.holes().chain(path.kind.row.holes());
        let used =
            || used.iter().filter_map(|place| tests.get(*place).copied()).filter(|test| !path.implies(test));
        let share = |is_equal: bool| -> f64 {
            let tests = used().filter(|test| (test.comparison == Comparison::Equal) == is_equal);
            let tests = tests.filter(|test| independent.contains(&test.field.as_str()));
            tests
                .map(|test| self.facts.selectivity(test, holes().find(|hole| hole.field == test.field)))
                .product()
        };
        // A field with another value in each entity determines all others.
        let is_unique = |test: &Test| {
            test.comparison == Comparison::Equal
                && self.facts.said_distinct(&test.field).is_some_and(|said| whole(said) >= self.facts.count)
        };
        let least = if used().any(is_unique) { 1.0 / path.rows.max(1.0) } else { 0.0 };
        share(true).max(least) * share(false)
    }

    /// Returns the fields of the tests that neither keys nor table names support, and the fraction of rows that match
    /// these tests.
    pub(super) fn residual(
        &self,
        path: &Path<'_>,
        tests: &[&Test],
        used: &[usize],
        in_table: &[usize],
    ) -> (Vec<String>, f64) {
        let left = positions(tests, |test| !path.implies(test))
            .into_iter()
            .filter(|place| !used.contains(place) && !in_table.contains(place));
        let left: Vec<&Test> = left.filter_map(|place| tests.get(place).copied()).collect();
        let known: Vec<&str> = tests.iter().map(|test| test.field.as_str()).collect();
        let independent = self.facts.independent(&known);
        let counted = left.iter().filter(|test| independent.contains(&test.field.as_str()));
        let share = counted.map(|test| self.facts.selectivity(test, None)).product();
        let mut fields: Vec<String> = left.iter().map(|test| test.field.clone()).collect();
        fields.sort();
        fields.dedup();
        (fields, share)
    }
}
