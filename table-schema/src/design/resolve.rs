//! What a design means: templates with the fields' types, what is stored, how long keys are.

use super::{CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign, RowKind, Series};
use crate::template::{Hole, OrdNumber, Shape, Template};

/// Holes that are no fields: the part of a wide entity, the shard of a spread one.
pub(crate) const RESERVED_HOLES: [&str; 2] = ["part", "shard"];

/// `_tx`, the token of the last transaction, on every row.
const ON_EVERY_ROW: usize = 1;
/// `_ix`, the epoch of the rows derived from it, where there are any.
const WITH_DERIVED_ROWS: usize = 1;
/// `_st`, `_src`, `_se` and `_tk`: the state of a row that follows from another partition, where it comes from, what it
/// shows, who claims it.
const ON_FAR_ROWS: usize = 4;

impl EntityDesign {
    /// The template with its shapes settled by the fields' types: a bare id is `guid`, a bare truth value `bool`, `ord`
    /// has its width, a date format on a day is exact. What does not fit stays as it is.
    #[must_use]
    pub fn resolve(&self, template: &Template) -> Template {
        template.map_holes(|hole| {
            let Some(field) = self.field(&hole.field) else { return hole.clone() };
            let shape = settled(hole.shape, &field.kind);
            let exact = hole.exact || field.kind == FieldKind::Date && shape.holds_days();
            Hole { field: hole.field.clone(), shape, exact }
        })
    }

    /// The longest key of this template in UTF-16 units, where every hole is bounded.
    pub fn longest_key(&self, template: &Template) -> Option<usize> {
        self.resolve(template).longest(|field| self.field(field).and_then(|field| field.kind.longest_text()))
    }

    /// The fields that the row's own keys give back: those of exact holes.
    pub fn recovered_fields(&self) -> impl Iterator<Item = &FieldDesign> {
        self.fields.iter().filter(|field| self.is_recovered(field))
    }

    /// The fields that are stored as properties: all but the skipped ones and those that the keys give back (these too,
    /// under `store`). A time that a key cuts is stored; so is a field of the table's name, since that is no key.
    pub fn stored_fields(&self) -> impl Iterator<Item = &FieldDesign> {
        self.fields.iter().filter(|field| !field.skip && (field.store || !self.is_recovered(field)))
    }

    fn is_recovered(&self, field: &FieldDesign) -> bool {
        self.key_templates()
            .any(|template| self.resolve(template).holes().any(|hole| hole.field == field.name && hole.exact))
    }

    /// Whether it stands in the entity's own key, whole or cut.
    fn is_keyed(&self, field: &FieldDesign) -> bool {
        self.key_templates().any(|template| template.holes().any(|hole| hole.field == field.name))
    }

    fn key_templates(&self) -> impl Iterator<Item = &Template> {
        [&self.partition, &self.row].into_iter().flatten().filter_map(|text| text.template())
    }

    /// The fields that a row of an index stores as properties: those of the entity's key, also where the key cuts them, and
    /// the copied fields, but for what the row's own key gives back.
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

    /// How many properties a row of this index has.
    pub(crate) fn copy_properties(&self, index: usize, kind: &RowKind) -> usize {
        let Some(index) = self.indexes.get(index) else { return 0 };
        let near = self.row_kinds().first().is_some_and(|primary| primary.shares_partition(kind));
        let own = if near { ON_EVERY_ROW } else { ON_FAR_ROWS };
        let named = usize::from(self.entity_type_value().is_some());
        count(self.copied_fields(index, kind)) + own + named
    }

    /// How many properties a row of the user's fields has, as far as can be seen: a series counts its slots, a
    /// flattened struct one.
    pub fn user_properties(&self) -> usize {
        count(self.stored_fields())
    }

    /// How many properties the library adds: `EntityType` and those that begin with `_`.
    pub fn own_properties(&self) -> usize {
        let derived = !self.indexes.is_empty() || !self.lookups.is_empty();
        usize::from(self.entity_type_value().is_some())
            + ON_EVERY_ROW
            + if derived { WITH_DERIVED_ROWS } else { 0 }
    }
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
        (Shape::Ord(number), kind) => Shape::Ord(match (number.map(OrdNumber::bits), kind) {
            (None | Some(8), FieldKind::Int { bits: 8, signed: true }) => Some(OrdNumber::I8),
            (None | Some(16), FieldKind::Int { bits: 16, signed: true }) => Some(OrdNumber::I16),
            (None | Some(32), FieldKind::Int { bits: 32, signed: true }) => Some(OrdNumber::I32),
            (None | Some(64), FieldKind::Int { bits: 64, signed: true }) => Some(OrdNumber::I64),
            (None | Some(32), FieldKind::Float { bits: 32 }) => Some(OrdNumber::F32),
            (None | Some(64), FieldKind::Float { bits: 64 }) => Some(OrdNumber::F64),
            _ => number,
        }),
        (shape, _) => shape,
    }
}
