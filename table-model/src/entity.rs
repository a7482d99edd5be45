//! Entities to write: two keys and their properties.

mod check;

use crate::{Name, Properties, Value, key::utf16_units};

/// An entity to write: PartitionKey, RowKey and the user properties. Reads return a [`Row`](crate::Row).
///
/// ```
/// use table_model::Entity;
///
/// let employee = Entity::new("Sales", "empid_000223").with("FirstName", "Jo").with("Age", 34);
/// employee.check(Default::default())?;
/// assert_eq!(employee.size(), 4 + 2 * (5 + 12) + (8 + 18 + 8) + (8 + 6 + 4));
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// PartitionKey of the entity.
    pub partition_key: String,
    /// RowKey of the entity.
    pub row_key: String,
    /// User properties.
    pub properties: Properties,
}

impl Entity {
    /// Creates an entity without properties.
    pub fn new(partition_key: impl Into<String>, row_key: impl Into<String>) -> Self {
        Self { partition_key: partition_key.into(), row_key: row_key.into(), properties: Properties::new() }
    }

    /// Adds a property.
    #[must_use]
    pub fn with(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.properties.set(name, value);
        self
    }

    /// Returns the size of the entity in bytes by the documented formula: 4, plus two per UTF-16 unit of the keys, plus
    /// for each property 8, two per unit of its name, and the size of its value.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size_by(utf16_units)
    }

    /// Returns an upper bound of [`size`](Self::size) in bytes without counting characters: a UTF-16 unit has at least
    /// one byte in UTF-8. For ASCII strings it is the size.
    ///
    /// ```
    /// use table_model::Entity;
    ///
    /// let employee = Entity::new("Sales", "1").with("City", "Z\u{fc}rich");
    /// assert_eq!((employee.size(), employee.size_at_most()), (48, 50));
    /// ```
    #[must_use]
    pub fn size_at_most(&self) -> usize {
        self.size_by(str::len)
    }

    fn size_by(&self, units: impl Fn(&str) -> usize + Copy) -> usize {
        let keys = 4 + 2 * (units(&self.partition_key) + units(&self.row_key));
        let of = |(name, value): &(Name, Value)| 8 + 2 * units(name) + value.size_by(units);
        keys + self.properties.iter().map(of).sum::<usize>()
    }
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
            assert_eq!((entity.size(), entity.size_at_most()), (size, size), "{name}");
        }
        let entity = Entity::new("\u{e9}", "\u{10000}").with("\u{e9}", "\u{e9}\u{ffff}");
        assert_eq!((entity.size(), entity.size_at_most()), (4 + 6 + 8 + 2 + 8, 4 + 12 + 8 + 4 + 14));
    }
}
