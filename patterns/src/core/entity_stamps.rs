//! Times that the library sets in an entity: of its creation and of its last change.

use table_model::{Timestamp, Value};

use crate::TableValue;

/// The times that a write has set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// `None` if the write did not create the entity, or the type has no such field. Of an entity that was read: `None` if
    /// its row lacks the time.
    pub created: Option<Timestamp>,
    /// `None` if the type has no such field.
    pub updated: Option<Timestamp>,
}

impl Stamps {
    /// Sets the field of the creation. The row of an older program may lack the time.
    pub fn set_created<T: TableValue>(self, field: &mut T) {
        set(self.created, field);
    }

    /// Sets the field of the last change, if the write has set it.
    pub fn set_updated<T: TableValue>(self, field: &mut T) {
        if self.updated.is_some() {
            set(self.updated, field);
        }
    }
}

fn set<T: TableValue>(time: Option<Timestamp>, field: &mut T) {
    if let Ok(value) = T::take(time.map(Value::DateTime)) {
        *field = value;
    }
}
