//! The distribution of requests over the values of partition fields.

use std::collections::BTreeMap;

use table_designs::schema::{EntityLoad, Schema, Values};
use table_schema::template::Shape;

use super::{found::Found, writes::load_of};
use crate::{
    Model,
    sketch::{Distinct, Frequent, exponent, hash},
};

/// Requests from which a distribution is measured.
const ENOUGH: u64 = 100;

/// The values of each partition field, by the index of the entity and the name of the field.
#[derive(Debug, Default)]
pub(super) struct Skew(BTreeMap<(usize, String), Seen>);

#[derive(Debug, Default)]
struct Seen {
    distinct: Distinct,
    frequent: Frequent,
}

impl Skew {
    pub(super) fn add(&mut self, found: &Found<'_>) {
        for hole in found.rows.partition.holes() {
            let value = found.values.iter().find(|(field, _)| *field == hole.field);
            // The value of a period says little about the times in it.
            let is_period = matches!(hole.shape, Shape::Date(_) | Shape::InvertedDate(_));
            let is_own = found.design.fields.iter().any(|field| field.name == hole.field);
            if let Some((field, value)) = value.filter(|_| !is_period && is_own) {
                let seen = self.0.entry((found.entity, field.clone())).or_default();
                let hash = hash(value.as_bytes());
                seen.distinct.add(hash);
                seen.frequent.add(hash);
            }
        }
    }

    /// Replaces the exponents of the fields, and the number of distinct values if more were recorded.
    pub(super) fn measure(&self, schema: &Schema, load: &mut Vec<EntityLoad>) {
        let assumptions = Model::new(schema).assumptions();
        for ((entity, field), seen) in &self.0 {
            let Some(design) = schema.entities.get(*entity) else { continue };
            if seen.frequent.total() < ENOUGH {
                continue;
            }
            let assumed = assumptions.iter().find(|one| one.entity == design.name);
            let assumed = assumed.and_then(|one| one.fields.iter().find(|one| one.name == *field));
            let (distinct, _) = seen.distinct.count();
            let recorded = crate::sketch::real(distinct);
            let values = assumed.map_or(recorded, |assumed| assumed.distinct.max(recorded));
            let zipf = seen.frequent.slope();
            let zipf = zipf.unwrap_or_else(|| exponent(values, seen.frequent.largest_share()));
            let load = load_of(load, &design.name);
            let place = load.values.iter().position(|values| values.field == *field);
            let mut own = place.map_or_else(
                || Values { field: field.clone(), ..Values::default() },
                |place| load.values.remove(place),
            );
            if assumed.is_some_and(|assumed| recorded > assumed.distinct) {
                own.distinct = Some(distinct);
            }
            own.zipf = (zipf > 0.0).then_some(zipf);
            load.values.insert(place.unwrap_or(load.values.len()), own);
        }
    }
}
