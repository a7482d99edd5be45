//! The load: entity counts, write rates and value distributions.

use crate::language::Rate;
use table_schema::language::Span;

/// The assumptions about all entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The peak load as a multiple of the average.
    pub peak: f64,
    /// The period that is evaluated if no other bound applies.
    pub horizon: Span,
    /// The assumptions about each entity and log.
    pub entities: Vec<EntityLoad>,
}

impl Default for Load {
    /// Returns a load without a peak, with a horizon of a year and no entities.
    fn default() -> Self {
        Self { peak: 1.0, horizon: Span::days(365), entities: Vec::new() }
    }
}

/// The assumptions about one entity or log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntityLoad {
    /// The name of the entity.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The number of entities. Defaults to the inserts during their retention period.
    pub count: Option<u64>,
    /// The insert rate.
    pub insert: Option<Rate>,
    /// The rate of inserts or replacements.
    pub upsert: Option<Rate>,
    /// The delete rate.
    pub delete: Option<Rate>,
    /// The archive rate.
    pub archive: Option<Rate>,
    /// The updates, with their rates and changed fields.
    pub updates: Vec<Update>,
    /// The number of partitions. Defaults to an estimate from the field values.
    pub partitions: Option<u64>,
    /// The assumptions about field values, by name, in file order.
    pub values: Vec<Values>,
}

/// A kind of update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// The rate.
    pub rate: Rate,
    /// The fields that a merge changes. If `None`, the complete entity is replaced.
    pub fields: Option<Vec<String>>,
    /// The number of changed slots of a series.
    pub slots: Option<u64>,
}

/// The assumptions about the values of one field. Defaults follow from the type of the field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The name of the field.
    pub field: String,
    /// The number of distinct values.
    pub distinct: Option<u64>,
    /// The Zipf exponent of their frequencies; 0 is uniform.
    pub zipf: Option<f64>,
    /// The average length of a string, in characters.
    pub chars: Option<f64>,
    /// The average length in bytes.
    pub bytes: Option<f64>,
    /// The fraction of entities that have a value, from 0 to 1.
    pub present: Option<f64>,
    /// `Some(true)` if new values sort after old values.
    pub rising: Option<bool>,
    /// A field that is functionally determined by this field.
    pub within: Option<String>,
    /// The fractions of entities with certain values. Other values have the fraction 1/[`distinct`](Self::distinct).
    pub share: Vec<(String, f64)>,
}

impl EntityLoad {
    /// Returns the assumptions about the values of a field.
    pub fn values_of(&self, field: &str) -> Option<&Values> {
        self.values.iter().find(|values| values.field == field)
    }
}
