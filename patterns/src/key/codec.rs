use std::fmt;

use table_schema::key::{KeyError, KeyRule, KeyValue, STRICT_UNITS};
use table_store::ErrorCode;

use super::value::HoleValue;
use crate::{ValueError, design::Template, wide::PART};

/// A value that cannot be part of a key: of which entity, in which template, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyProblem {
    /// The entity type.
    pub entity: &'static str,
    /// The template.
    pub template: &'static str,
    /// Why.
    pub why: WhyNoKey,
}

/// Why a value cannot be part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyNoKey {
    /// The format cannot hold it.
    Key(KeyError),
    /// The value has no form as text, number or time.
    Value {
        /// The field.
        field: &'static str,
        /// Why.
        why: ValueError,
    },
}

impl fmt::Display for KeyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, template, why } = self;
        write!(f, "key of `{entity}`: ")?;
        match why {
            WhyNoKey::Key(error) => {
                write!(f, "{error}")?;
                match error.fixed(template) {
                    Some(fixed) => write!(f, " (\"{fixed}\" instead of \"{template}\")"),
                    None => write!(f, " (in \"{template}\")"),
                }
            }
            WhyNoKey::Value { field, why } => write!(f, "field `{field}`: {why} (in \"{template}\")"),
        }
    }
}

impl std::error::Error for KeyProblem {}

impl KeyProblem {
    /// The code with which the service would refuse the key; none where only the template does.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        let WhyNoKey::Key(error) = &self.why else { return None };
        match error.rule() {
            KeyRule::Forbidden(_) => Some(ErrorCode::OutOfRangeInput),
            KeyRule::TooLong { units, .. } => Some(table_store::key::too_long(*units)),
            _ => None,
        }
    }

    pub(crate) fn key(entity: &'static str, template: &Template, error: KeyError) -> Self {
        Self { entity, template: template.text, why: WhyNoKey::Key(error) }
    }

    pub(crate) fn value(
        entity: &'static str,
        template: &Template,
        field: &'static str,
        why: ValueError,
    ) -> Self {
        Self { entity, template: template.text, why: WhyNoKey::Value { field, why } }
    }
}

/// The key of these values by this template.
pub(crate) fn encode(
    entity: &'static str,
    template: &Template,
    values: &[(&'static str, HoleValue<'_>)],
) -> Result<String, KeyProblem> {
    for (field, value) in values {
        if let Err(why) = value {
            return Err(KeyProblem::value(entity, template, field, why.clone()));
        }
    }
    let find = |field: &str| {
        let given = values.iter().find(|(name, _)| *name == field).and_then(|(_, value)| value.as_ref().ok());
        // The first row of a wide entity stands for it.
        given.or_else(|| (field == PART).then_some(&KeyValue::Unsigned(0)))
    };
    template.form.encode_with(find, STRICT_UNITS).map_err(|error| KeyProblem::key(entity, template, error))
}
