//! The load: how many entities there are, how often they are written, which values they have.

use crate::language::{Rate, Span};

/// What is assumed of all entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The busiest moment, as a multiple of the average.
    pub peak: f64,
    /// The span of time that is looked at where nothing else bounds it.
    pub horizon: Span,
    /// What is assumed of each entity and log.
    pub entities: Vec<EntityLoad>,
}

impl Default for Load {
    /// No peak, a year, nothing.
    fn default() -> Self {
        Self { peak: 1.0, horizon: Span::days(365), entities: Vec::new() }
    }
}

/// What is assumed of one entity, or of one log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntityLoad {
    /// The entity's name.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// Entities alive; absent: inserts over the time that they live.
    pub count: Option<u64>,
    /// How often one is inserted.
    pub insert: Option<Rate>,
    /// How often one is inserted or replaced.
    pub upsert: Option<Rate>,
    /// How often one is deleted.
    pub delete: Option<Rate>,
    /// How often one goes to the archive.
    pub archive: Option<Rate>,
    /// How often one is changed, and what of it.
    pub updates: Vec<Update>,
    /// How many partitions there are; absent: by the values of its fields.
    pub partitions: Option<u64>,
    /// What is assumed of its fields' values, by name, in the order of the file.
    pub values: Vec<Values>,
}

/// A kind of update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// How often.
    pub rate: Rate,
    /// The fields that a merge changes; absent: the whole entity is replaced.
    pub fields: Option<Vec<String>>,
    /// Of a series: how many slots.
    pub slots: Option<u64>,
}

/// What is assumed of the values of one field. What is absent follows from the field's type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The field's name.
    pub field: String,
    /// How many different values there are.
    pub distinct: Option<u64>,
    /// The exponent of their popularity; 0 is even.
    pub zipf: Option<f64>,
    /// The average length of a text, in characters.
    pub chars: Option<f64>,
    /// The average length in bytes.
    pub bytes: Option<f64>,
    /// The share of entities that have it, from 0 to 1.
    pub present: Option<f64>,
    /// Whether new values sort after old ones.
    pub rising: Option<bool>,
    /// A field that this one determines.
    pub within: Option<String>,
}

impl EntityLoad {
    /// What is assumed of the values of a field.
    pub fn values_of(&self, field: &str) -> Option<&Values> {
        self.values.iter().find(|values| values.field == field)
    }
}
