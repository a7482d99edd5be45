use super::{PropertiesRef, read::Place};
use crate::value::ValueRef;

/// Finds properties by name. A lookup starts after the previously found property. Lookups in storage order are
/// therefore immediate, and absent properties do not affect this.
#[derive(Clone, Debug)]
pub struct PropertyCursor<'r> {
    properties: PropertiesRef<'r>,
    next: Place,
    /// `true` if a lookup skipped properties.
    has_skipped: bool,
}

impl<'r> PropertyCursor<'r> {
    #[inline]
    pub(super) fn new(properties: PropertiesRef<'r>) -> Self {
        Self { properties, next: Place::default(), has_skipped: false }
    }

    /// Returns all properties.
    #[must_use]
    pub const fn properties(&self) -> PropertiesRef<'r> {
        self.properties
    }

    /// Returns the value of a property at any position.
    #[inline]
    pub fn get(&mut self, name: &str) -> Option<ValueRef<'r>> {
        let (value, next) = match self.properties.name(self.next) {
            Some((entry, found)) if found == name.as_bytes() => {
                (self.properties.value(self.next, &entry), self.next.after(&entry))
            }
            _ => {
                let found = self.properties.find(name)?;
                self.has_skipped = true;
                found
            }
        };
        self.next = next;
        value
    }

    /// Returns the names of the properties that no lookup returned, as bytes, if all lookups were in storage order.
    /// Otherwise returns `None`.
    #[must_use]
    #[inline]
    pub fn rest(&self) -> Option<impl Iterator<Item = &'r [u8]> + use<'r>> {
        (!self.has_skipped).then(|| self.properties.names_from(self.next))
    }
}
