use crate::{ValueError, properties::PropertyError};

/// A value that cannot be stored: which property of which entity, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{entity}.{property}`: {why}")]
pub struct PropertyOf {
    /// The entity type.
    pub entity: &'static str,
    /// The property's stored name.
    pub property: String,
    /// Why.
    pub why: ValueError,
}

impl PropertyOf {
    pub(crate) fn new(entity: &'static str, error: PropertyError) -> Self {
        Self { entity, property: error.property.into_owned(), why: error.why }
    }
}
