use table_store::EdmType;

use crate::UnsealError;

/// Why a value cannot be written to, or read from, a property or a key. Which property of which entity is said by the
/// error around it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// The row does not have the property.
    #[error(
        "the property is missing; make the field an `Option`, or give it #[table(default)], if rows may lack it"
    )]
    Missing,
    /// The property has another type.
    #[error("it is stored as {found}, but the field is read from {expected}")]
    Type {
        /// What the field's type is stored as.
        expected: EdmType,
        /// What the row holds.
        found: EdmType,
    },
    /// The value is legal where it comes from, but not where it should go.
    #[error("{value} does not fit: {limit}")]
    OutOfRange {
        /// The value.
        value: String,
        /// What does fit.
        limit: String,
    },
    /// A text that does not say what the type expects.
    #[error("{text:?} is not {expected}")]
    Unreadable {
        /// The text, at most 64 characters of it.
        text: String,
        /// What was expected, with its article.
        expected: String,
    },
    /// A series has no slot of this number. Slots count from 0.
    #[error("there is no slot {slot}: the series has {slots}, counted from 0")]
    NoSlot {
        /// What was asked for.
        slot: usize,
        /// How many there are.
        slots: usize,
    },
    /// The field and the row's key say different things.
    #[error("the property says {property}, but the row's key says {key}")]
    KeyDiffers {
        /// The property's value.
        property: String,
        /// The key's value.
        key: String,
    },
    /// `serde` could not write or read the value as JSON.
    #[error("JSON: {0}")]
    Json(String),
    /// An encrypted value could not be read, or a value could not be encrypted.
    #[error(transparent)]
    Sealed(UnsealError),
}

impl ValueError {
    /// `value` is outside of what fits: `limit`.
    #[expect(clippy::needless_pass_by_value, reason = "a number as well as a reference")]
    pub fn out_of_range(value: impl ToString, limit: impl Into<String>) -> Self {
        Self::OutOfRange { value: value.to_string(), limit: limit.into() }
    }

    /// `text` is not what the type writes; `expected` says what is, with its article.
    pub fn unreadable(text: impl AsRef<str>, expected: impl Into<String>) -> Self {
        Self::Unreadable { text: text.as_ref().chars().take(64).collect(), expected: expected.into() }
    }
}
