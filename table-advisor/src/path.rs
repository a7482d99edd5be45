use super::{facts::Facts, group::Group};
use table_designs::schema::Schema;
use table_schema::{
    design::{FieldDesign, IndexDesign, LookupDesign, LookupPlace, Origin, RowKind},
    language::Test,
};

/// An access path to entities: their own rows, the rows of an index, or the lists of a lookup.
#[derive(Debug)]
pub(super) struct Path<'s> {
    /// `primary`, or the name of the index or lookup.
    pub name: &'s str,
    pub kind: RowKind,
    pub index: Option<&'s IndexDesign>,
    pub lookup: Option<(usize, &'s LookupDesign)>,
    /// The fields that its rows contain: stored fields, and fields that can be decoded from their keys.
    pub gives: Vec<&'s str>,
    /// The fields that are stored as properties, with their average sizes.
    pub stored: Vec<(&'s FieldDesign, f64)>,
    /// Size of the aggregates and the fields copied from other entities.
    pub kept: f64,
    /// `true` if its rows are in the partitions of the entity and are written in the same transactions.
    pub is_near: bool,
    /// Total number of rows.
    pub rows: f64,
    /// Rows per entity.
    pub parts: f64,
    /// Size of the keys and the overhead of 4 bytes per row.
    pub keys: f64,
    /// Size of `EntityType`.
    pub type_size: f64,
}

impl Path<'_> {
    /// Returns the average size of a row, or of its selected fields.
    pub(super) fn size(&self, select: Option<&[String]>) -> f64 {
        let wanted = |field: &FieldDesign| select.is_none_or(|names| names.contains(&field.name));
        let fields: f64 = self.stored.iter().filter(|(field, _)| wanted(field)).map(|(_, size)| size).sum();
        let beside = if select.is_some() { 0.0 } else { self.kept };
        let kind = if select.is_some() { 0.0 } else { self.type_size };
        self.keys + kind + (fields + beside) / self.parts
    }

    /// Returns whether these are the rows of the entity itself.
    pub(super) fn is_own(&self) -> bool {
        self.index.is_none() && self.lookup.is_none()
    }

    /// Returns whether all rows pass a test.
    pub(super) fn implies(&self, test: &Test) -> bool {
        self.index.is_some_and(|index| index.implies(test))
    }

    /// Returns the group of partitions that contain its rows.
    pub(super) fn group(&self) -> String {
        Group::name_of(self.kind.table.text(), &self.kind.partition)
    }
}

/// Returns all paths of an entity: its own rows, then indexes and lookups in declaration order.
pub(super) fn paths<'s>(schema: &'s Schema, facts: &Facts<'s>) -> Vec<Path<'s>> {
    let Some(primary) = facts.primary() else { return Vec::new() };
    let entity = facts.entity;
    let mut paths = Vec::new();
    for kind in &facts.kinds {
        let is_near = kind.is_near(primary);
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
                let stored = entity.row_properties(kind);
                let mut own = path("primary", None, None, stored, facts.count * facts.parts, facts.parts);
                own.kept = kept(schema, facts);
                paths.push(own);
            }
            Origin::Index(number) => {
                let Some(index) = entity.indexes.get(number) else { continue };
                let rows = facts.count * facts.selected(index.when.as_ref());
                paths.push(path(&index.name, Some(index), None, entity.row_properties(kind), rows, 1.0));
            }
            Origin::Lookup(number) => {
                let Some(lookup) = entity.lookups.get(number) else { continue };
                let Some(rows) = entity.lookup_rows(number) else { continue };
                let count = if lookup.has_member_rows() { facts.listed(lookup) } else { facts.lists(lookup) };
                let list = path(&lookup.name, None, Some((number, lookup)), Vec::new(), count, 1.0);
                // Rows of a lookup have no type.
                paths.push(Path { keys: facts.keys_size(&rows), kind: rows, type_size: 0.0, ..list });
            }
        }
    }
    // Lists in blobs are not rows, but they are access paths too.
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

/// Returns the fields of a row: stored fields, and fields that can be decoded from its keys.
fn gives<'s>(
    entity: &'s table_schema::design::EntityDesign,
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

/// Returns the size of the aggregates and copied fields that an entity stores about other entities.
fn kept(schema: &Schema, facts: &Facts<'_>) -> f64 {
    let units = |text: &str| super::facts::real(table_schema::key::units(text));
    let totals: f64 = facts.entity.totals.iter().map(|total| 8.0 + 2.0 * units(&total.name) + 8.0).sum();
    let embeds = facts.entity.embeds.iter().map(|embed| {
        let Some(source) = schema.entities.iter().find(|entity| entity.name == embed.from) else {
            return 0.0;
        };
        let of = Facts::new(schema, source, schema.load_of(&source.name), false);
        let field = |name: &String| {
            let field = source.field(name);
            field.map_or(0.0, |field| 8.0 + 2.0 * (units(&embed.name) + 1.0 + units(name)) + of.value(field))
        };
        embed.fields.iter().map(field).sum::<f64>()
    });
    totals + embeds.sum::<f64>()
}
