use super::{PropertiesRef, read::Place};
use crate::value::ValueRef;

/// Looks properties up by name. A look-up begins at the place after the last one found, so properties that are asked
/// for in the order in which they stand are each found at once, and absent ones leave no gap.
#[derive(Clone, Debug)]
pub struct PropertyCursor<'r> {
    properties: PropertiesRef<'r>,
    next: Place,
}

impl<'r> PropertyCursor<'r> {
    pub(super) fn new(properties: PropertiesRef<'r>) -> Self {
        Self { properties, next: Place::default() }
    }

    /// The value of a property, wherever it stands.
    #[inline]
    pub fn get(&mut self, name: &str) -> Option<ValueRef<'r>> {
        let (value, next) = match self.properties.name(self.next) {
            Some((entry, found)) if found == name.as_bytes() => {
                (self.properties.value(self.next, &entry), self.next.after(&entry))
            }
            _ => self.properties.find(name)?,
        };
        self.next = next;
        value
    }
}
