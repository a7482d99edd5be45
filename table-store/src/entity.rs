//! An entity as it is written: two keys and its properties.

mod check;

use crate::{Name, Properties, Value, key::utf16_units};

/// What a write sends: PartitionKey, RowKey and the user's properties. What is read back is a [`Row`](crate::Row).
///
/// ```
/// use table_store::Entity;
///
/// let employee = Entity::new("Sales", "empid_000223").with("FirstName", "Jo").with("Age", 34);
/// employee.check(Default::default())?;
/// assert_eq!(employee.size(), 4 + 2 * (5 + 12) + (8 + 18 + 8) + (8 + 6 + 4));
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Which partition it is in.
    pub partition_key: String,
    /// Which entity of the partition it is.
    pub row_key: String,
    /// All else.
    pub properties: Properties,
}

impl Entity {
    /// An entity without properties.
    pub fn new(partition_key: impl Into<String>, row_key: impl Into<String>) -> Self {
        Self { partition_key: partition_key.into(), row_key: row_key.into(), properties: Properties::new() }
    }

    /// The same entity with one more property.
    #[must_use]
    pub fn with(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.properties.set(name, value);
        self
    }

    /// The entity's size in bytes by the documented formula: 4, two for each UTF-16 unit of the keys, and for each
    /// property 8, two for each unit of its name, and its value.
    #[must_use]
    pub fn size(&self) -> usize {
        let keys = 4 + 2 * (utf16_units(&self.partition_key) + utf16_units(&self.row_key));
        keys + self.properties.iter().map(|(name, value)| property_size(name, value)).sum::<usize>()
    }
}

/// What one property adds to an entity's size.
pub(crate) fn property_size(name: &str, value: &Value) -> usize {
    8 + 2 * utf16_units(name) + value.size()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uuid;

    #[test]
    fn size_follows_the_documented_formula() {
        let mut entity = Entity::new("p", "r");
        assert_eq!(entity.size(), 8);
        let steps: [(&'static str, Value, usize); 6] = [
            ("Age", 1.into(), 26),
            ("Name", "Bob".into(), 52),
            ("Id", Uuid::nil().into(), 80),
            ("On", true.into(), 93),
            ("Raw", vec![0_u8; 10].into(), 121),
            ("Big", 1_i64.into(), 143),
        ];
        for (name, value, size) in steps {
            entity = entity.with(name, value);
            assert_eq!(entity.size(), size, "{name}");
        }
    }
}
