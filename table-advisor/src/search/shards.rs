//! Keys that distribute the rows of a busiest partition over shards.

use super::{
    case::facts,
    instance::{Instance, hottest},
    key::{Form, Part},
    site::Plot,
};
use crate::{facts::Facts, simulate::harmonic};
use table_schema::language::Comparison;

/// The maximum number of shards.
const MOST: u32 = 1 << 10;
/// The number of values for each shard, equally frequent ones, with which shards have about the same load.
const VALUES: f64 = 20.0;

/// The factor by which more shards are tried than divide the whole load.
const MORE: f64 = 4.0;

/// Returns the keys with shards for a key whose busiest partition can exceed the limit: from the least number that its writes
/// require to the least number with which every query can use it.
pub(super) fn of(plot: &Plot, instance: &Instance<'_>) -> Vec<Plot> {
    let (site, alone) = (&instance.site, &instance.alone);
    let is_searched = !plot.is_standing && site.case.together.is_none() && site.case.totals.is_empty();
    if !is_searched || plot.key.shard().is_some() || plot.key.partition.is_empty() {
        return Vec::new();
    }
    let limit = hottest(site);
    let writes = alone.heat_of(&alone.group);
    let all = writes + instance.own_heat();
    if all <= limit {
        return Vec::new();
    }
    let schema = site.case.bare(site.workload);
    let facts = facts(&schema, &site.case.entity);
    let mut plots = Vec::new();
    let mut count = 2;
    while count <= MOST {
        let shards = f64::from(count);
        if writes <= limit * shards {
            for field in fields(instance, &facts, shards) {
                let mut key = plot.key.clone();
                key.partition.push(Part { field, form: Form::Shard(count) });
                plots.push(Plot { key, ..plot.clone() });
            }
        }
        // A query with a limit reads its rows from each shard, so its load remains.
        if all <= limit * shards / MORE {
            break;
        }
        count *= 2;
    }
    plots
}

/// Returns the fields of a row key that can determine shards: the partition does not determine them, and they have enough values.
/// Of several that the same steps compare, one whose values do not rise.
fn fields(instance: &Instance<'_>, facts: &Facts<'_>, shards: f64) -> Vec<String> {
    let key = &instance.site.key;
    let partition: Vec<&str> = key.partition.iter().map(|part| part.field.as_str()).collect();
    let is_free = |field: &str| {
        let all: Vec<&str> = partition.iter().copied().chain([field]).collect();
        facts.independent(&all).contains(&field)
    };
    let values = |field: &str| harmonic(facts.distinct(field), facts.zipf(field));
    let mut chosen: Vec<(&str, Vec<usize>)> = Vec::new();
    let free = key.row.iter().filter(|part| part.is_exact()).map(|part| part.field.as_str());
    for field in free.filter(|field| is_free(field) && values(field) >= VALUES * shards) {
        let is_given = |number: &usize| {
            instance.site.case.steps.get(*number).is_some_and(|step| {
                step.tests().any(|test| test.field == field && test.comparison == Comparison::Equal)
            })
        };
        let steps: Vec<usize> = (0..instance.site.case.steps.len()).filter(is_given).collect();
        match chosen.iter_mut().find(|(_, known)| *known == steps) {
            Some((known, _)) if facts.is_rising(known) => *known = field,
            Some(_) => {}
            None => chosen.push((field, steps)),
        }
    }
    chosen.into_iter().map(|(field, _)| field.to_owned()).collect()
}
