use super::{facts::Facts, group::Group};
use crate::{
    design::{FieldDesign, IndexDesign, LookupDesign, LookupPlace, Origin, RowKind},
    schema::Schema,
};

/// A way to entities: their own rows, the rows of an index, the lists of a lookup.
#[derive(Debug)]
pub(super) struct Path<'s> {
    /// `primary`, or the name of the index or lookup.
    pub name: &'s str,
    pub kind: RowKind,
    pub index: Option<&'s IndexDesign>,
    pub lookup: Option<(usize, &'s LookupDesign)>,
    /// The fields that its rows give: those of their keys and those stored.
    pub gives: Vec<&'s str>,
    /// The fields that are stored as properties, with their average sizes.
    pub stored: Vec<(&'s FieldDesign, f64)>,
    /// What its rows hold beside fields: totals and copied fields of others.
    pub kept: f64,
    /// Whether its rows share the entity's partitions, and so its transactions.
    pub is_near: bool,
    /// Rows in all.
    pub rows: f64,
    /// Rows of an entity.
    pub parts: f64,
    /// The keys and 4 bytes around a row.
    pub keys: f64,
    /// `EntityType`.
    pub type_size: f64,
}

impl Path<'_> {
    /// The average size of a row; with a selection of what is sent of it.
    pub(super) fn size(&self, select: Option<&[String]>) -> f64 {
        let wanted = |field: &FieldDesign| select.is_none_or(|names| names.contains(&field.name));
        let fields: f64 = self.stored.iter().filter(|(field, _)| wanted(field)).map(|(_, size)| size).sum();
        let beside = if select.is_some() { 0.0 } else { self.kept };
        let kind = if select.is_some() { 0.0 } else { self.type_size };
        self.keys + kind + (fields + beside) / self.parts
    }

    /// The partitions that its rows are in.
    pub(super) fn group(&self) -> String {
        Group::name_of(self.kind.table.text(), &self.kind.partition)
    }
}

/// All paths of an entity: its own rows first, then indexes and lookups as they were declared.
pub(super) fn paths<'s>(schema: &'s Schema, facts: &Facts<'s>) -> Vec<Path<'s>> {
    let Some(primary) = facts.primary() else { return Vec::new() };
    let entity = facts.entity;
    let mut paths = Vec::new();
    for kind in &facts.kinds {
        let is_near = primary.shares_partition(kind);
        let path = |name, index, lookup, stored: Vec<&'s FieldDesign>, rows, parts| Path {
            name,
            kind: kind.clone(),
            index,
            lookup,
            gives: gives(entity, kind, &stored),
            stored: stored.into_iter().map(|field| (field, facts.field(field))).collect(),
            kept: 0.0,
            is_near,
            rows,
            parts,
            keys: facts.keys_size(kind),
            type_size: facts.type_size(),
        };
        match kind.origin {
            Origin::Primary => {
                let stored = entity.stored_fields().collect();
                let mut own = path("primary", None, None, stored, facts.count * facts.parts, facts.parts);
                own.kept = kept(schema, facts);
                paths.push(own);
            }
            Origin::Index(number) => {
                let Some(index) = entity.indexes.get(number) else { continue };
                let rows = facts.count * indexed(facts, index);
                paths.push(path(
                    &index.name,
                    Some(index),
                    None,
                    entity.copied_fields(index, kind),
                    rows,
                    1.0,
                ));
            }
            Origin::Lookup(number) => {
                let Some(lookup) = entity.lookups.get(number) else { continue };
                paths.push(path(
                    &lookup.name,
                    None,
                    Some((number, lookup)),
                    Vec::new(),
                    facts.lists(lookup),
                    1.0,
                ));
            }
        }
    }
    // Lists in blobs are no rows, but a way to entities all the same.
    for (number, lookup) in
        entity.lookups.iter().enumerate().filter(|(_, lookup)| lookup.place == LookupPlace::Blob)
    {
        let Some(kind) = entity.lists(number) else { continue };
        let keys = facts.keys_size(&kind);
        let (gives, stored) = (Vec::new(), Vec::new());
        let lookup_of = Some((number, lookup));
        let (rows, name) = (facts.lists(lookup), lookup.name.as_str());
        paths.push(Path {
            name,
            kind,
            index: None,
            lookup: lookup_of,
            gives,
            stored,
            kept: 0.0,
            is_near: false,
            rows,
            parts: 1.0,
            keys,
            type_size: 0.0,
        });
    }
    paths
}

/// The fields that a row gives: those stored, and those that its keys give back.
fn gives<'s>(
    entity: &'s crate::design::EntityDesign,
    kind: &RowKind,
    stored: &[&'s FieldDesign],
) -> Vec<&'s str> {
    let given_back = |field: &FieldDesign| {
        let mut holes = kind.partition.holes().chain(kind.row.holes()).chain(kind.table.holes());
        holes.any(|hole| {
            hole.field == field.name && (hole.exact || stored.iter().any(|other| other.name == field.name))
        })
    };
    let wanted =
        |field: &&FieldDesign| given_back(field) || stored.iter().any(|other| other.name == field.name);
    entity.fields.iter().filter(wanted).map(|field| field.name.as_str()).collect()
}

/// The share of entities that have a row in an index.
fn indexed(facts: &Facts<'_>, index: &IndexDesign) -> f64 {
    let when = index.when.iter().flat_map(|when| &when.equalities);
    when.map(|equality| 1.0 / facts.distinct(&equality.field)).product()
}

/// What an entity keeps of others: totals, and copied fields.
fn kept(schema: &Schema, facts: &Facts<'_>) -> f64 {
    let units = |text: &str| super::facts::real(crate::key::units(text));
    let totals: f64 = facts.entity.totals.iter().map(|total| 8.0 + 2.0 * units(&total.name) + 8.0).sum();
    let embeds = facts.entity.embeds.iter().map(|embed| {
        let Some(source) = schema.entities.iter().find(|entity| entity.name == embed.from) else {
            return 0.0;
        };
        let of = Facts::new(schema, source);
        let field = |name: &String| {
            let field = source.field(name);
            field.map_or(0.0, |field| 8.0 + 2.0 * (units(&embed.name) + 1.0 + units(name)) + of.value(field))
        };
        embed.fields.iter().map(field).sum::<f64>()
    });
    totals + embeds.sum::<f64>()
}
