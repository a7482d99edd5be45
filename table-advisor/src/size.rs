//! The documented sizes of entities and properties.

use super::facts::{Facts, real, slots};
use table_schema::{
    design::{FieldDesign, FieldKind, LookupDesign, RowKind},
    key::units,
};

/// Length in characters of a blob address in a row.
const ADDRESS: f64 = 80.0;
/// Overhead of encryption per value, in bytes.
const SEAL: f64 = 48.0;

impl Facts<'_> {
    /// Returns the size of a property as an average over all entities. An absent property has size 0.
    pub(super) fn property(&self, name_units: usize, field: &FieldDesign) -> f64 {
        (8.0 + 2.0 * real(name_units) + self.value(field)) * self.present(&field.name)
    }

    /// Returns the size of a value.
    pub(super) fn value(&self, field: &FieldDesign) -> f64 {
        if field.encrypted {
            let plain = if matches!(field.kind, FieldKind::Binary { .. }) {
                self.bytes(field)
            } else {
                self.chars(field)
            };
            return plain + SEAL + 4.0;
        }
        match &field.kind {
            FieldKind::Bool => 1.0,
            FieldKind::Int { bits: ..=16, .. } | FieldKind::Int { bits: 32, signed: true } => 4.0,
            FieldKind::Int { .. } | FieldKind::Float { .. } | FieldKind::Time | FieldKind::Date => 8.0,
            FieldKind::Guid => 16.0,
            FieldKind::Binary { .. } => self.bytes(field) + 4.0,
            FieldKind::Blob => 2.0 * ADDRESS + 4.0,
            // Text, JSON, enums, and types that are stored as text.
            _ => 2.0 * self.chars(field) + 4.0,
        }
    }

    /// Returns the size of all properties of a field: a series has one property per slot.
    pub(super) fn field(&self, field: &FieldDesign) -> f64 {
        self.some_slots(field, slots(field))
    }

    /// Returns the size of `count` slots of a series, or of the field.
    pub(super) fn some_slots(&self, field: &FieldDesign, count: usize) -> f64 {
        match field.series.and_then(table_schema::design::Series::digits) {
            Some(digits) => real(count) * self.property(units(&field.property) + 1 + digits, field),
            None => self.property(units(&field.property), field),
        }
    }

    /// Returns the size of the property names.
    pub(super) fn names(&self, field: &FieldDesign) -> f64 {
        let name = units(&field.property)
            + field.series.and_then(table_schema::design::Series::digits).map_or(0, |digits| digits + 1);
        2.0 * real(name) * real(slots(field)) * self.present(&field.name)
    }

    /// Returns the size of the keys of a row, including the overhead of 4 bytes.
    pub(super) fn keys_size(&self, kind: &RowKind) -> f64 {
        4.0 + 2.0 * (self.key_chars(&kind.partition) + self.key_chars(&kind.row))
    }

    /// Returns the size of `EntityType`, or 0 if it is not written.
    pub(super) fn type_size(&self) -> f64 {
        let name = self.entity.entity_type_value().filter(|_| self.is_typed);
        name.map_or(0.0, |name| 8.0 + 20.0 + 2.0 * real(units(&name)) + 4.0)
    }

    /// Returns the size of a lookup list with this number of members, or of the row of a member.
    pub(super) fn list_size(&self, lookup: &LookupDesign, number: usize, members: f64) -> f64 {
        let Some((kind, primary)) = self.entity.lookup_rows(number).zip(self.primary()) else { return 0.0 };
        if lookup.has_member_rows() {
            return self.keys_size(&kind);
        }
        let near = lookup.place == table_schema::design::LookupPlace::Partition;
        let beyond = if near { 0.0 } else { self.key_chars(&primary.partition) + 5.0 };
        let id = self.key_chars(&primary.row) + beyond;
        self.keys_size(&kind) + 8.0 + 2.0 * 3.0 + 4.0 + 4.0 + 2.0 * (id + 3.0) * members
    }
}
