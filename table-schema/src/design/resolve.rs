//! Resolution of a design: templates with field types, stored properties, key lengths.

use super::{CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, Origin, RowKind, Series};
use crate::template::{OrdNumber, Shape, Template, TemplateField};

/// Template fields that are not entity fields: the part of a wide entity and the shard of a sharded entity.
pub(crate) const RESERVED_HOLES: [&str; 2] = ["part", "shard"];

/// `_tx`, the token of the last transaction, on every row.
const ON_EVERY_ROW: usize = 1;
/// `_ix`, the epoch of the rows derived from the entity, if any exist.
const WITH_DERIVED_ROWS: usize = 1;
/// `_st`, `_src`, `_se` and `_tk` on cross-partition rows: the state, the source, the source version that the row
/// shows, and the claim token.
const ON_FAR_ROWS: usize = 4;

impl EntityDesign {
    /// Returns the template with its shapes resolved by the field types: a bare GUID is `guid`, a bare boolean `bool`,
    /// `ord` has a width, and a date format on a day is exact. Shapes that do not fit the type are unchanged.
    #[must_use]
    pub fn resolve(&self, template: &Template) -> Template {
        template.map_holes(|hole| {
            let Some(field) = self.field(&hole.field) else { return hole.clone() };
            let shape = settled(hole.shape, &field.kind);
            let exact = hole.exact || field.kind == FieldKind::Date && shape.holds_days();
            TemplateField { field: hole.field.clone(), shape, exact }
        })
    }

    /// Returns the maximum key length of this template in UTF-16 units, or `None` if a template field is unbounded.
    pub fn longest_key(&self, template: &Template) -> Option<usize> {
        self.resolve(template).longest(|field| self.field(field).and_then(|field| field.kind.longest_text()))
    }

    /// Returns the fields that can be decoded from the keys of the row: the fields with an exact template field.
    pub fn recovered_fields(&self) -> impl Iterator<Item = &FieldDesign> {
        self.fields.iter().filter(|field| self.is_recovered(field))
    }

    /// Returns the fields that are stored as properties: all fields except skipped fields and fields that can be
    /// decoded from the keys. Fields with `store` are always stored. A time that a key truncates is stored, and so is a
    /// field of the table name, because the table name is not a key.
    pub fn stored_fields(&self) -> impl Iterator<Item = &FieldDesign> {
        self.fields.iter().filter(|field| !field.skip && (field.store || !self.is_recovered(field)))
    }

    /// Returns the key fields, in the order of the template fields that they are read from.
    pub fn key_fields(&self, partition: &Template, row: &Template) -> Vec<&FieldDesign> {
        let holes: Vec<&TemplateField> = partition.holes().chain(row.holes()).collect();
        let reads = holes_to_read(&holes.iter().map(|hole| (hole.field.as_str(), hole.exact)));
        let read = holes.iter().zip(reads).filter(|(_, is_read)| *is_read);
        read.filter_map(|(hole, _)| self.field(&hole.field)).collect()
    }

    fn is_recovered(&self, field: &FieldDesign) -> bool {
        self.key_templates()
            .any(|template| self.resolve(template).holes().any(|hole| hole.field == field.name && hole.exact))
    }

    /// Returns whether the key of the entity contains the field, exact or truncated.
    fn is_keyed(&self, field: &FieldDesign) -> bool {
        self.key_templates().any(|template| template.holes().any(|hole| hole.field == field.name))
    }

    fn key_templates(&self) -> impl Iterator<Item = &Template> {
        [&self.partition, &self.row].into_iter().flatten().filter_map(|text| text.template())
    }

    /// Returns whether the rows of an index store the field as a property.
    pub fn is_in_index_rows(&self, field: &FieldDesign) -> bool {
        self.row_kinds().iter().any(|kind| {
            let Origin::Index(number) = kind.origin else { return false };
            let copied = self.indexes.get(number).map(|index| self.copied_fields(index, kind));
            copied.is_some_and(|copied| copied.iter().any(|one| one.name == field.name))
        })
    }

    /// Returns the fields that an index row stores as properties: the key fields of the entity, including truncated
    /// ones, and the copied fields, except fields that can be decoded from the key of the index row.
    pub fn copied_fields(&self, index: &IndexDesign, kind: &RowKind) -> Vec<&FieldDesign> {
        let given_back = |field: &FieldDesign| {
            let mut holes = kind.partition.holes().chain(kind.row.holes());
            holes.any(|hole| hole.field == field.name && hole.exact)
        };
        let wanted = |field: &FieldDesign| match &index.copy {
            CopiedFields::All => true,
            CopiedFields::Only(names) => names.contains(&field.name) || self.is_keyed(field),
        };
        self.fields.iter().filter(|field| !field.skip && wanted(field) && !given_back(field)).collect()
    }

    /// Returns the fields that a row of this kind stores as properties, as the generated code writes it: an index that
    /// copies all fields does not copy blobs, which belong to a single row, and lists have no fields.
    pub fn row_properties(&self, kind: &RowKind) -> Vec<&FieldDesign> {
        match kind.origin {
            Origin::Primary => self.stored_fields().collect(),
            Origin::Index(number) => {
                let Some(index) = self.indexes.get(number) else { return Vec::new() };
                let copied = self.copied_fields(index, kind).into_iter();
                let is_row =
                    |field: &&FieldDesign| index.copy != CopiedFields::All || field.kind != FieldKind::Blob;
                copied.filter(is_row).collect()
            }
            Origin::Lookup(_) => Vec::new(),
        }
    }

    /// Returns the number of properties of a row of this index.
    pub(crate) fn copy_properties(&self, index: usize, kind: &RowKind) -> usize {
        let Some(index) = self.indexes.get(index) else { return 0 };
        let near = self.row_kinds().first().is_some_and(|primary| kind.is_near(primary));
        let own = if near { ON_EVERY_ROW } else { ON_FAR_ROWS };
        let named = usize::from(self.entity_type_value().is_some());
        count(self.copied_fields(index, kind)) + own + named
    }

    /// Returns the number of user properties of a row. A series counts its slots; a flattened
    /// struct counts as one.
    pub fn user_properties(&self) -> usize {
        count(self.stored_fields())
    }

    /// Returns the number of properties that the library adds: `EntityType` and the properties that start with `_`.
    pub fn own_properties(&self) -> usize {
        let derived = !self.indexes.is_empty() || !self.lookups.is_empty();
        usize::from(self.entity_type_value().is_some())
            + ON_EVERY_ROW
            + if derived { WITH_DERIVED_ROWS } else { 0 }
    }
}

/// Returns which of these template fields an entity field is read from: each from its first exact one, else from its first
/// one.
pub fn holes_to_read<'t>(holes: &(impl Iterator<Item = (&'t str, bool)> + Clone)) -> Vec<bool> {
    let reads = |at: usize, field: &str| {
        let mut same = holes.clone().enumerate().filter(|(_, (other, _))| *other == field);
        let first_exact = same.clone().find(|(_, (_, exact))| *exact);
        first_exact.or_else(|| same.next()).is_some_and(|(first, _)| first == at)
    };
    holes.clone().enumerate().map(|(at, (field, _))| reads(at, field)).collect()
}

fn count<'f>(fields: impl IntoIterator<Item = &'f FieldDesign>) -> usize {
    let slots = fields.into_iter().map(|field| match field.series {
        Some(Series::Slots(slots)) => slots,
        Some(Series::Unknown) | None => 1,
    });
    slots.sum()
}

fn settled(shape: Shape, kind: &FieldKind) -> Shape {
    match (shape, kind) {
        (Shape::Text, FieldKind::Guid) => Shape::Guid,
        (Shape::Text, FieldKind::Bool) => Shape::Flag,
        (shape, kind) => shape.map_ord(|number| match (number.map(OrdNumber::bits), kind) {
            (None | Some(8), FieldKind::Int { bits: 8, signed: true }) => Some(OrdNumber::I8),
            (None | Some(16), FieldKind::Int { bits: 16, signed: true }) => Some(OrdNumber::I16),
            (None | Some(32), FieldKind::Int { bits: 32, signed: true }) => Some(OrdNumber::I32),
            (None | Some(64), FieldKind::Int { bits: 64, signed: true }) => Some(OrdNumber::I64),
            (None | Some(32), FieldKind::Float { bits: 32 }) => Some(OrdNumber::F32),
            (None | Some(64), FieldKind::Float { bits: 64 }) => Some(OrdNumber::F64),
            _ => number,
        }),
    }
}
