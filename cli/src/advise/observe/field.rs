use table_advisor::sketch::{Distinct, Frequent, exponent, hash};
use table_designs::schema::Values;
use table_schema::{
    design::{FieldDesign, FieldKind},
    key::{KeyValue, units},
};
use table_store::value::ValueRef;

use super::real;

/// Number of bytes that encryption adds to a value.
const SEAL: usize = 48;

/// The measurements of a field.
#[derive(Debug, Default)]
pub(crate) struct FieldSeen {
    /// Number of entities that have it; for a series, number of slots.
    present: u64,
    /// The sum of the lengths of its values, in UTF-16 units or bytes, and the longest length.
    length: u64,
    longest: u64,
    distinct: Distinct,
    frequent: Frequent,
}

/// The measurable quantities of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// Presence, length, values.
    Values,
    /// Presence and length: encrypted values are never equal.
    Length,
    /// Presence: the row contains only the location of the value.
    Presence,
}

impl Measured {
    pub(super) fn of(field: &FieldDesign) -> Self {
        if field.kind == FieldKind::Blob || field.series.is_some() || field.flatten {
            Self::Presence
        } else if field.encrypted {
            Self::Length
        } else {
            Self::Values
        }
    }
}

impl FieldSeen {
    /// Adds a value of a property.
    pub(super) fn property(&mut self, field: &FieldDesign, value: ValueRef<'_>) {
        match value {
            ValueRef::String(text) => self.value(field, units(text), text.as_bytes()),
            ValueRef::Binary(bytes) if field.encrypted => {
                self.value(field, bytes.len().saturating_sub(SEAL), bytes);
            }
            ValueRef::Binary(bytes) => self.value(field, bytes.len(), bytes),
            ValueRef::Boolean(flag) => self.value(field, 0, &[u8::from(flag)]),
            ValueRef::Int32(number) => self.value(field, 0, &number.to_le_bytes()),
            ValueRef::Int64(number) => self.value(field, 0, &number.to_le_bytes()),
            ValueRef::Double(number) => self.value(field, 0, &number.to_bits().to_le_bytes()),
            ValueRef::Guid(id) => self.value(field, 0, id.as_bytes()),
            ValueRef::DateTime(time) => self.value(field, 0, &time.ticks().to_le_bytes()),
            // The service has no other type.
            _ => {}
        }
    }

    /// Adds a value from a key.
    pub(super) fn key(&mut self, field: &FieldDesign, value: &KeyValue<'_>) {
        match value {
            KeyValue::Text(text) => self.value(field, units(text), text.as_bytes()),
            other => self.value(field, 0, other.to_string().as_bytes()),
        }
    }

    fn value(&mut self, field: &FieldDesign, length: usize, bytes: &[u8]) {
        self.present += 1;
        let measured = Measured::of(field);
        if measured != Measured::Presence {
            self.length += length as u64;
            self.longest = self.longest.max(length as u64);
        }
        if measured == Measured::Values {
            let hash = hash(bytes);
            self.distinct.add(hash);
            self.frequent.add(hash);
        }
    }

    /// Returns the share of entities that have it.
    pub(crate) fn present(&self, field: &FieldDesign, entities: u64) -> f64 {
        let slots = match field.series {
            Some(table_schema::design::Series::Slots(slots)) => slots as u64,
            _ => 1,
        };
        if entities == 0 { 0.0 } else { (real(self.present) / real(entities * slots.max(1))).min(1.0) }
    }

    /// Returns the number of distinct values, and whether it is exact; `None` if it cannot be determined.
    pub(crate) fn distinct(&self, field: &FieldDesign) -> Option<(u64, bool)> {
        (Measured::of(field) == Measured::Values && self.present > 0).then(|| {
            let (count, is_exact) = self.distinct.count();
            (count.min(self.present), is_exact)
        })
    }

    /// Returns the share of the most frequent value.
    pub(crate) fn largest_share(&self, field: &FieldDesign) -> Option<f64> {
        self.distinct(field).map(|(distinct, _)| self.frequent.largest_share().max(1.0 / real(distinct)))
    }

    /// Returns the average length of a string or of bytes, and the maximum.
    pub(crate) fn length(&self, field: &FieldDesign) -> Option<(f64, u64)> {
        let has_length = matches!(
            field.kind,
            FieldKind::Text { .. }
                | FieldKind::Json { .. }
                | FieldKind::Enum { .. }
                | FieldKind::Binary { .. }
        );
        let is_known = has_length && Measured::of(field) != Measured::Presence && self.present > 0;
        is_known.then(|| (real(self.length) / real(self.present), self.longest))
    }

    /// Replaces the assumptions about its values. Quantities without a measurement are unchanged.
    pub(super) fn values(
        &self,
        field: &FieldDesign,
        entities: u64,
        is_counted: bool,
        was: &Values,
    ) -> Values {
        let mut values = was.clone();
        if let Some((distinct, _)) = self.distinct(field).filter(|_| is_counted) {
            let zipf = exponent(real(distinct), self.frequent.largest_share());
            (values.distinct, values.zipf) = (Some(distinct), (zipf > 0.0).then_some(zipf));
        }
        if let Some((average, _)) = self.length(field) {
            let average = Some((average * 10.0).round() / 10.0);
            let is_binary = matches!(field.kind, FieldKind::Binary { .. });
            *(if is_binary { &mut values.bytes } else { &mut values.chars }) = average;
        }
        let present = (self.present(field, entities) * 1_000.0).round() / 1_000.0;
        values.present = (present < 1.0).then_some(present);
        values
    }
}
