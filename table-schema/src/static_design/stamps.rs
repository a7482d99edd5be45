//! Times that the library sets.

use super::Design;
use crate::design::Stamp;

impl Design {
    /// Returns the property that contains a time which the library sets.
    pub const fn stamp(&self, stamp: Stamp) -> Option<&'static str> {
        match stamp {
            Stamp::Created => self.created,
            Stamp::Updated => self.updated,
        }
    }

    /// Returns the properties that contain times which the library sets.
    pub fn stamps(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.created, self.updated].into_iter().flatten()
    }
}
