use std::fmt::Display;

use super::Error;
use crate::TableEntity;

/// Error of an entity that its own function rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{entity}` is invalid: {message}")]
#[non_exhaustive]
pub struct ValidationError {
    /// Name of the entity type.
    pub entity: &'static str,
    /// Error of the function.
    pub message: String,
}

/// Converts the result of the function in `#[table(validate = function)]`.
///
/// # Errors
/// Returns [`Error::Invalid`] with the error of the function.
pub fn validated<E: TableEntity, M: Display>(result: Result<(), M>) -> Result<(), Error> {
    result.map_err(|message| {
        Box::new(ValidationError { entity: E::DESIGN.name, message: message.to_string() }).into()
    })
}
