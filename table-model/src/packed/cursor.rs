use super::{PropertiesRef, read::Place};
use crate::value::ValueRef;

/// Finds properties by name. A lookup starts after the previously found property. Lookups in storage order are
/// therefore immediate, and absent properties do not affect this.
#[derive(Clone, Debug)]
pub struct PropertyCursor<'r> {
    properties: PropertiesRef<'r>,
    next: Place,
}

impl<'r> PropertyCursor<'r> {
    pub(super) fn new(properties: PropertiesRef<'r>) -> Self {
        Self { properties, next: Place::default() }
    }

    /// Returns the value of a property at any position.
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
