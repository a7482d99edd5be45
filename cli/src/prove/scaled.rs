//! A design with fewer entities.

use table_advisor::Model;
use table_designs::schema::{EntityLoad, Query, Schema, Values};
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind},
    language::{Condition, Conjunction},
};

use super::population::named;

/// Smallest result of scaling a greater number.
const LEAST: f64 = 20.0;

/// A design whose counts and numbers of distinct values are multiplied.
#[derive(Debug)]
pub(super) struct Scaled {
    pub(super) schema: Schema,
    /// The factor of each entity type.
    pub(super) factors: Vec<f64>,
}

/// Scales a design to at most `rows` entities of each type. No number becomes less than 20. Types that are written together
/// have the same factor. Every assumption about values is written into the load, so that entities and prediction have the
/// same.
pub(super) fn scaled(schema: &Schema, rows: u64) -> Scaled {
    let lines = Model::new(schema).costs().lines;
    let count = |name: &str| lines.iter().find(|line| line.what == name).map_or(0.0, |line| line.rows);
    let groups = groups(schema);
    let factors = groups.iter().map(|group| {
        let same = schema.entities.iter().zip(&groups).filter(|(_, other)| *other == group);
        let largest = same.map(|(entity, _)| count(&entity.name)).fold(1.0, f64::max);
        (float(rows) / largest).min(1.0)
    });
    let factors: Vec<f64> = factors.collect();
    let mut schema = schema.clone();
    let mut loads = std::mem::take(&mut schema.load.entities);
    for (entity, factor) in schema.entities.iter().zip(factors.iter().copied()) {
        let number = loads.iter().position(|load| load.name == entity.name).unwrap_or_else(|| {
            loads.push(EntityLoad { name: entity.name.clone(), ..EntityLoad::default() });
            loads.len().saturating_sub(1)
        });
        let Some(load) = loads.get_mut(number) else { continue };
        let all = whole(times(count(&entity.name), factor)).max(1);
        load.count = Some(all);
        load.partitions = load.partitions.map(|partitions| whole(times(float(partitions), factor)));
        let fields = entity.fields.iter().filter(|field| !field.skip);
        load.values = fields.map(|field| values(&schema, entity, field, load, all, factor)).collect();
    }
    schema.load.entities = loads;
    schema.queries = schema.queries.iter().flat_map(alternatives).collect();
    Scaled { schema, factors }
}

/// Returns a query for each alternative of `or`, as the model and the library execute them.
fn alternatives(query: &Query) -> Vec<Query> {
    let Some(filter) = query.filter.as_ref().filter(|filter| filter.alternatives.len() > 1) else {
        return vec![query.clone()];
    };
    let one = |(number, alternative): (usize, &Conjunction)| Query {
        name: format!("{} (or {})", query.name, number + 1),
        filter: Some(Condition { text: filter.text.clone(), alternatives: vec![alternative.clone()] }),
        ..query.clone()
    };
    filter.alternatives.iter().enumerate().map(one).collect()
}

/// Returns the group of each entity type: a transaction, a total or a copied field writes several types together.
fn groups(schema: &Schema) -> Vec<usize> {
    let place = |name: &str| schema.entities.iter().position(|entity| entity.name == name);
    let atomic = schema.relations.iter().filter(|relation| relation.atomic);
    let pairs = atomic.map(|relation| (relation.from.as_str(), relation.to.as_str()));
    let pairs = pairs.chain(schema.entities.iter().flat_map(|target| {
        let totals = target.totals.iter().map(|total| total.entity.as_str());
        let sources = totals.chain(target.embeds.iter().map(|embed| embed.from.as_str()));
        sources.map(|source| (source, target.name.as_str()))
    }));
    let mut groups: Vec<usize> = (0..schema.entities.len()).collect();
    for (one, other) in pairs.filter_map(|(one, other)| place(one).zip(place(other))) {
        let Some((from, to)) = groups.get(one).copied().zip(groups.get(other).copied()) else { continue };
        groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }
    groups
}

fn values(
    schema: &Schema,
    entity: &EntityDesign,
    field: &FieldDesign,
    load: &EntityLoad,
    count: u64,
    factor: f64,
) -> Values {
    let said = load.values_of(&field.name).cloned();
    let mut values = said.unwrap_or_else(|| Values { field: field.name.clone(), ..Values::default() });
    let is_time = matches!(field.kind, FieldKind::Time | FieldKind::Date);
    let distinct = values.distinct.map(|distinct| whole(times(float(distinct), factor)));
    let named = u64::try_from(named(schema, entity, &field.name, &values).len()).unwrap_or(u64::MAX);
    // A date in a key has as many values as the time has periods.
    values.distinct = distinct.or_else(|| (!is_time).then_some(count)).map(|distinct| {
        let most = match &field.kind {
            FieldKind::Bool => 2,
            FieldKind::Enum { variants } => u64::try_from(variants.len()).unwrap_or(u64::MAX).max(1),
            FieldKind::Int { bits: 8, .. } => 1 << 7,
            FieldKind::Int { bits: 16, .. } => 1 << 15,
            FieldKind::Text { max: Some(max @ ..=4) } => {
                36_u64.saturating_pow(u32::try_from(*max).unwrap_or(4))
            }
            _ => u64::MAX,
        };
        distinct.min(most).min(count).max(named).max(1)
    });
    values.chars = chars(field, &values);
    values.present = values.present.filter(|_| field.optional && !in_key(entity, &field.name));
    values
}

/// Returns the length of the values of a field: the mean of an enum, otherwise one for all values.
fn chars(field: &FieldDesign, values: &Values) -> Option<f64> {
    let half = |max: usize| crate::text::real(max.div_ceil(2));
    let (default, max) = match &field.kind {
        FieldKind::Enum { variants } => {
            let share =
                |word: &String| values.share.iter().find(|(known, _)| known == word).map(|(_, share)| *share);
            let rest = 1.0 - variants.iter().filter_map(share).sum::<f64>();
            let others = variants.iter().filter(|word| share(word).is_none()).count();
            let chars = |word: &String| {
                let share = share(word).unwrap_or_else(|| rest / crate::text::real(others));
                share * crate::text::real(word.len())
            };
            return (!variants.is_empty()).then(|| variants.iter().map(chars).sum());
        }
        FieldKind::Text { max } => (max.map_or(16.0, half), *max),
        FieldKind::Json { max } => (max.map_or(200.0, half), *max),
        _ => return values.chars,
    };
    let digits = values.distinct.map_or(1.0, |distinct| float(distinct).log(36.0).ceil() + 1.0);
    let most = max.map_or(f64::MAX, crate::text::real);
    Some(values.chars.unwrap_or(default).round().max(digits).min(most).max(1.0))
}

fn in_key(entity: &EntityDesign, field: &str) -> bool {
    let keys = [&entity.partition, &entity.row];
    let mut keys = keys.into_iter().flatten().filter_map(|text| text.template());
    keys.any(|template| template.holes().any(|hole| hole.field == field))
}

fn times(number: f64, factor: f64) -> f64 {
    (number * factor).round().max(number.min(LEAST))
}

#[expect(clippy::cast_precision_loss, reason = "a count above 2^53 is scaled by 16 digits")]
const fn float(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive count of at most 200,000, or saturated"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}
