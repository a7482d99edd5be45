use super::facts::{Facts, period, seconds, up, whole};
use table_schema::{
    language::{Argument, Comparison, Test},
    template::{Shape, Template, TemplateField},
};

/// The template fields of a key that tests bind, from left to right.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    /// Number of requested keys, as far as the key is bound.
    pub values: f64,
    /// `true` if every template field is bound.
    pub is_whole: bool,
    /// Number of bound template fields.
    pub lead: usize,
    /// `true` if the first unbound template field has a range.
    pub has_range: bool,
    /// The field of the first unbound template field.
    pub stop: Option<String>,
    /// Positions of the used tests.
    pub used: Vec<usize>,
    /// `true` if the last template field is the part of a wide entity.
    pub ends_in_part: bool,
    /// The period that a `within` test binds: the position of the test, and the fraction of all periods.
    pub period: Option<(usize, f64)>,
}

impl Binding {
    /// `periods` returns the position of a window of time, the periods that it meets, and the number of periods.
    fn bind(
        template: &Template,
        tests: &[&Test],
        facts: &Facts<'_>,
        periods: impl Fn(&TemplateField) -> Option<(usize, f64, f64)>,
    ) -> Self {
        let mut binding = Self {
            values: 1.0,
            is_whole: false,
            lead: 0,
            has_range: false,
            stop: None,
            used: Vec::new(),
            ends_in_part: template.holes().last().is_some_and(|hole| hole.field == "part"),
            period: None,
        };
        for hole in template.holes() {
            let bound = match hole.field.as_str() {
                "part" => Some(facts.parts),
                "shard" => Some(shards(tests, facts)),
                field => binding.equal(field, tests).or_else(|| {
                    let (place, met, all) = periods(hole)?;
                    binding.period = Some((place, met / all));
                    Some(met)
                }),
            };
            let Some(values) = bound else {
                let range =
                    |(_, test): &(usize, &&Test)| test.field == hole.field && test.comparison.is_range();
                let mut ranges = tests.iter().enumerate().filter(range).map(|(place, _)| place).peekable();
                binding.has_range = ranges.peek().is_some();
                binding.used.extend(ranges);
                binding.stop = Some(hole.field.clone());
                return binding;
            };
            binding.values *= values;
            binding.lead += 1;
        }
        binding.is_whole = true;
        binding
    }

    /// Binds the tests of a partition key, in which a window of time binds the periods that it meets.
    pub(super) fn of_partition(template: &Template, tests: &[&Test], facts: &Facts<'_>) -> Self {
        Self::bind(template, tests, facts, |hole| {
            let Shape::Date(format) = hole.shape.ascending() else { return None };
            let place = tests.iter().position(|test| test.field == hole.field && window(test).is_some())?;
            let (all, length) = (facts.distinct_in(hole), period(format.finest()));
            let met = window(tests.get(place)?)? / length;
            Some((place, all.min(up(met) + 1.0), all))
        })
    }

    pub(super) fn new(template: &Template, tests: &[&Test], facts: &Facts<'_>) -> Self {
        Self::bind(template, tests, facts, |_| None)
    }

    /// Returns the number of values of a field that `=` or `in` requests.
    fn equal(&mut self, field: &str, tests: &[&Test]) -> Option<f64> {
        let (place, values) = tests.iter().enumerate().filter(|(_, test)| test.field == field).find_map(
            |(place, test)| match (test.comparison, test.argument) {
                (Comparison::In, Argument::Values(values)) => Some((place, whole(values))),
                (Comparison::Equal | Comparison::In, _) => Some((place, 1.0)),
                _ => None,
            },
        )?;
        self.used.push(place);
        Some(values)
    }
}

/// Returns the number of queried shards: one if the source field of the shard is given, otherwise all.
fn shards(tests: &[&Test], facts: &Facts<'_>) -> f64 {
    let Some(shard) = &facts.entity.shard else { return 1.0 };
    let is_given = |test: &&Test| test.field == shard.of && test.comparison == Comparison::Equal;
    if tests.iter().any(is_given) { 1.0 } else { f64::from(shard.count) }
}

/// Returns the duration of a window of time in seconds.
fn window(test: &Test) -> Option<f64> {
    match test.argument {
        Argument::Window(window) => Some(seconds(window)),
        _ => None,
    }
}
