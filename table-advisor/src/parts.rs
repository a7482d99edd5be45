//! The independent parts of a design: entities that share no table and no relation do not affect each other. Each part
//! is computed separately, so the time grows with the number of parts and not with its square.

use std::collections::HashMap;

use table_designs::schema::{Load, Schema};
use table_schema::{design::EntityDesign, template::SegmentKind};

/// What the other parts of a design contribute to its account.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rest {
    /// Requests per second at the peak.
    pub requests: f64,
    /// Rows written per second at the peak.
    pub writes: f64,
    /// Cost per month.
    pub month: f64,
    /// Entities per second of the busiest partition at the peak.
    pub hottest: f64,
}

impl Rest {
    /// Returns the sum of all shares except one.
    pub(crate) fn without(shares: &[Self], place: usize) -> Self {
        let others =
            || shares.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, share)| share);
        Self {
            requests: others().map(|share| share.requests).sum(),
            writes: others().map(|share| share.writes).sum(),
            month: others().map(|share| share.month).sum(),
            hottest: others().map(|share| share.hottest).fold(0.0, f64::max),
        }
    }
}

/// Returns the designs of the independent parts, each in file order.
pub(crate) fn split(schema: &Schema) -> Vec<Schema> {
    let places: HashMap<&str, usize> =
        schema.entities.iter().enumerate().map(|(place, entity)| (entity.name.as_str(), place)).collect();
    let mut parts = Union((0..schema.entities.len()).collect());
    let mut tables: HashMap<String, usize> = HashMap::new();
    for (place, entity) in schema.entities.iter().enumerate() {
        for table in tables_of(entity) {
            parts.join(place, *tables.entry(table).or_insert(place));
        }
        let totals = entity.totals.iter().map(|total| &total.entity);
        let embeds = entity.embeds.iter().map(|embed| &embed.from);
        for other in totals.chain(embeds).filter_map(|name| places.get(name.as_str())) {
            parts.join(place, *other);
        }
    }
    for relation in &schema.relations {
        if let (Some(from), Some(to)) = (places.get(&*relation.from), places.get(&*relation.to)) {
            parts.join(*from, *to);
        }
    }
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut schemas: Vec<Schema> = Vec::new();
    for (place, entity) in schema.entities.iter().enumerate() {
        let number = *numbers.entry(parts.root(place)).or_insert_with(|| {
            schemas.push(empty(schema));
            schemas.len() - 1
        });
        schemas.get_mut(number).into_iter().for_each(|part| part.entities.push(entity.clone()));
    }
    let mut part_of = |name: &str, add: &mut dyn FnMut(&mut Schema)| {
        let number = places.get(name).and_then(|place| numbers.get(&parts.root(*place)));
        if let Some(part) = number.and_then(|number| schemas.get_mut(*number)) {
            add(part);
        }
    };
    for query in &schema.queries {
        part_of(&query.find, &mut |part| part.queries.push(query.clone()));
    }
    for relation in &schema.relations {
        part_of(&relation.from, &mut |part| part.relations.push(relation.clone()));
    }
    for load in &schema.load.entities {
        part_of(&load.name, &mut |part| part.load.entities.push(load.clone()));
    }
    schemas
}

/// Returns a design without entities, with all settings.
fn empty(schema: &Schema) -> Schema {
    Schema {
        name: schema.name.clone(),
        backends: schema.backends.clone(),
        load: Load { peak: schema.load.peak, horizon: schema.load.horizon, entities: Vec::new() },
        prices: schema.prices.clone(),
        targets: schema.targets.clone(),
        lint: schema.lint.clone(),
        ..Schema::default()
    }
}

/// Returns the tables of an entity, with its indexes, lookups and archive, without field names.
fn tables_of(entity: &EntityDesign) -> Vec<String> {
    let blobs = (0..entity.lookups.len()).filter_map(|number| entity.lists(number));
    let kinds = entity.row_kinds().into_iter().chain(blobs).map(|kind| {
        let segments = kind.table.segments().iter().map(|segment| match &segment.kind {
            SegmentKind::Literal(text) => text.to_lowercase(),
            SegmentKind::Field(_) => "{}".to_owned(),
        });
        segments.collect()
    });
    kinds.chain(entity.archive.iter().map(|archive| archive.to.to_lowercase())).collect()
}

/// Disjoint sets of numbers.
struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, mut number: usize) -> usize {
        while let Some(above) = self.0.get(number).copied().filter(|above| *above != number) {
            // Halves the path.
            let next = self.0.get(above).copied().unwrap_or(above);
            if let Some(own) = self.0.get_mut(number) {
                *own = next;
            }
            number = next;
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(root) = self.0.get_mut(one.max(other)) {
            *root = one.min(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use table_designs::schema::{EntityLoad, Query};
    use table_schema::{design::TotalDesign, static_design::Aggregate};

    use super::*;

    fn designs(count: usize) -> Schema {
        let mut schema = Schema::default();
        for number in 0..count {
            let mut entity = EntityDesign::new(format!("E{number}"));
            (entity.table, entity.partition, entity.row) =
                (Some(format!("Table{number}").into()), Some("p".into()), Some("r".into()));
            schema.entities.push(entity);
            for query in 0..3 {
                let (name, find) = (format!("q{number}_{query}"), format!("E{number}"));
                schema.queries.push(Query { name, find, ..Query::default() });
            }
            schema.load.entities.push(EntityLoad { name: format!("E{number}"), ..EntityLoad::default() });
        }
        schema
    }

    /// The trial of a change computes one part, so its time does not depend on the number of parts.
    #[test]
    fn independent_entities_are_separate_parts() {
        for count in [100, 200] {
            let parts = split(&designs(count));
            assert_eq!(parts.len(), count);
            for part in parts {
                assert_eq!((part.entities.len(), part.queries.len(), part.load.entities.len()), (1, 3, 1));
            }
        }
    }

    #[test]
    fn tables_and_aggregates_join_entities() {
        let mut schema = designs(4);
        schema.entities[3].table = Some("TABLE0".into());
        let (name, entity) = ("n".to_owned(), "E2".to_owned());
        let total = TotalDesign {
            name,
            about: None,
            by: Aggregate::Count,
            entity,
            field: None,
            matches: Vec::new(),
            when: None,
        };
        schema.entities[1].totals.push(total);
        let names: Vec<Vec<String>> = split(&schema)
            .into_iter()
            .map(|part| part.entities.into_iter().map(|entity| entity.name).collect())
            .collect();
        assert_eq!(names, [["E0", "E3"], ["E1", "E2"]]);
    }
}
