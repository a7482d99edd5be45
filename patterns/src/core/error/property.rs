use table_model::Name;

use crate::ValueError;

/// Error for a value that a property cannot store, or that could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    /// Stored name of the property.
    pub property: Name,
    /// Cause of the error.
    pub reason: ValueError,
}
