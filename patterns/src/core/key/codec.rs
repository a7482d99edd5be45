use std::fmt;

use table_model::ErrorCode;
use table_schema::key::{KeyError, KeyRule, KeyValue, STRICT_UNITS};

use super::value::FieldValue;
use crate::{ValueError, design::Template};

/// Name of the template field that is not an entity field: the number of a part.
pub(crate) const PART: &str = "part";

/// Error for a value that cannot be part of a key, with the entity type and the key template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityKeyError {
    /// Name of the entity type.
    pub entity: &'static str,
    /// Key template.
    pub template: &'static str,
    /// Cause.
    pub reason: EntityKeyErrorKind,
}

/// Reason that a value cannot be part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntityKeyErrorKind {
    /// The value does not fit the format.
    Key(KeyError),
    /// The value cannot be converted to a string, number or time.
    Value {
        /// Name of the field.
        field: &'static str,
        /// Cause.
        reason: ValueError,
    },
}

impl fmt::Display for EntityKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, template, reason } = self;
        write!(f, "key of `{entity}`: ")?;
        match reason {
            EntityKeyErrorKind::Key(error) => {
                write!(f, "{error}")?;
                match error.fixed(template) {
                    Some(fixed) => write!(f, " (\"{fixed}\" instead of \"{template}\")"),
                    None => write!(f, " (in \"{template}\")"),
                }
            }
            EntityKeyErrorKind::Value { field, reason } => {
                write!(f, "field `{field}`: {reason} (in \"{template}\")")
            }
        }
    }
}

impl std::error::Error for EntityKeyError {}

impl EntityKeyError {
    /// Returns the error code that the service would return for the key, or `None` if only the template rejects it.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        let EntityKeyErrorKind::Key(error) = &self.reason else { return None };
        match error.rule() {
            KeyRule::Forbidden(_) => Some(ErrorCode::OutOfRangeInput),
            KeyRule::TooLong { units, .. } => Some(table_model::key::too_long(*units)),
            _ => None,
        }
    }

    pub(crate) fn key(entity: &'static str, template: &Template, error: KeyError) -> Self {
        Self { entity, template: template.text, reason: EntityKeyErrorKind::Key(error) }
    }

    pub(crate) fn value(
        entity: &'static str,
        template: &Template,
        field: &'static str,
        reason: ValueError,
    ) -> Self {
        Self { entity, template: template.text, reason: EntityKeyErrorKind::Value { field, reason } }
    }
}

/// Encodes a key from values and a template.
pub(crate) fn encode(
    entity: &'static str,
    template: &Template,
    values: &[(&'static str, FieldValue<'_>)],
) -> Result<String, EntityKeyError> {
    for (field, value) in values {
        if let Err(reason) = value {
            return Err(EntityKeyError::value(entity, template, field, reason.clone()));
        }
    }
    let find = |field: &str| {
        let given = values.iter().find(|(name, _)| *name == field).and_then(|(_, value)| value.as_ref().ok());
        // The first row of a wide entity represents the entity.
        given.or_else(|| (field == PART).then_some(&KeyValue::Unsigned(0)))
    };
    template
        .form
        .encode_with(find, STRICT_UNITS)
        .map_err(|error| EntityKeyError::key(entity, template, error))
}
