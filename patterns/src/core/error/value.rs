use crate::{ValueError, core::error::property::PropertyError};

/// Error for a value that cannot be stored in its property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{entity}.{property}`: {reason}")]
pub struct PropertyValueError {
    /// Name of the entity type.
    pub entity: &'static str,
    /// Stored name of the property.
    pub property: String,
    /// Cause of the error.
    pub reason: ValueError,
}

impl PropertyValueError {
    pub(crate) fn new(entity: &'static str, error: PropertyError) -> Self {
        Self { entity, property: error.property.into_owned(), reason: error.reason }
    }
}
