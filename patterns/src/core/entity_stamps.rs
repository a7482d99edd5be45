//! Times that the library sets in an entity: of its creation and of its last change.

use table_model::{Timestamp, Value};

use crate::TableValue;

/// The times that a write has set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// `None` if the write did not create the entity, or the type has no such field.
    pub created: Option<Timestamp>,
    /// `None` if the type has no such field.
    pub updated: Option<Timestamp>,
}

impl Stamps {
    /// Sets a field to a time that was written.
    pub fn set<T: TableValue>(self, time: Option<Timestamp>, field: &mut T) {
        let value = time.map(|time| T::from_value(Value::DateTime(time)));
        if let Some(Ok(value)) = value {
            *field = value;
        }
    }
}
