use table_model::EdmType;

use crate::DecryptError;

/// Error in converting a value to or from a property or a key. The enclosing error contains the property and the
/// entity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// The row does not have the property.
    #[error(
        "the property is missing; if it is optional, make the field an `Option` or add #[table(default)]"
    )]
    Missing,
    /// The row does not have the tag of an enum with fields, or a field that its variant requires.
    #[error(
        "the property is missing, and the enum requires it; write it to the row, or make a field of a variant an `Option`"
    )]
    MissingInEnum,
    /// The property has another type.
    #[error("it is stored as {found}, expected {expected}")]
    Type {
        /// Type in which the field is stored.
        expected: EdmType,
        /// Type of the stored property.
        found: EdmType,
    },
    /// The value is valid, but out of range for its destination.
    #[error("{value} is out of range: {limit}")]
    OutOfRange {
        /// The value.
        value: String,
        /// Allowed range.
        limit: String,
    },
    /// The value is longer than a property can be. The error contains only lengths.
    #[error("{}", too_long(*holder, *length, *limit, *is_encrypted))]
    TooLong {
        /// Type of the property: a String or a Binary.
        holder: EdmType,
        /// Length of the value: UTF-16 units of a String, bytes of a Binary.
        length: usize,
        /// Maximum length.
        limit: usize,
        /// `true` if the length is that of the encrypted value.
        is_encrypted: bool,
    },
    /// A string that is invalid for the type.
    #[error("{text:?} is not {expected}")]
    Unreadable {
        /// The string, truncated to 64 characters.
        text: String,
        /// Description of the expected format, with its article.
        expected: String,
    },
    /// The slot index is out of range for the series. Slots are counted from 0.
    #[error("slot index {slot} is out of range for a series of {slots} slots")]
    NoSlot {
        /// Requested slot.
        slot: usize,
        /// Number of slots.
        slots: usize,
    },
    /// The field and the key of the row have different values.
    #[error("the property is {property}, but the key of the row contains {key}")]
    KeyDiffers {
        /// Value of the property.
        property: String,
        /// Value in the key.
        key: String,
    },
    /// Serialization or deserialization of the value as JSON failed.
    #[error("JSON: {0}")]
    Json(String),
    /// A value could not be encrypted or decrypted.
    #[error(transparent)]
    Encrypted(DecryptError),
    /// The value of an encrypted property is not valid for the type of the field, or exceeds its limits. The error does
    /// not contain the value.
    #[error(
        "its value{} is not a valid `{}`, or exceeds the limits of the type; the value is not shown, \
         because the property is encrypted",
        in_clear(*found),
        without_paths(expected)
    )]
    Hidden {
        /// Rust type of the field.
        expected: &'static str,
        /// Type of the decrypted value. `None` for a value that was not encoded.
        found: Option<EdmType>,
    },
}

impl ValueError {
    /// Creates an error for a value out of range. `limit` describes the allowed range.
    #[expect(clippy::needless_pass_by_value, reason = "accepts numbers and references")]
    pub fn out_of_range(value: impl ToString, limit: impl Into<String>) -> Self {
        Self::OutOfRange { value: value.to_string(), limit: limit.into() }
    }

    /// Creates an error for an invalid string. `expected` describes the expected format, with its article.
    pub fn unreadable(text: impl AsRef<str>, expected: impl Into<String>) -> Self {
        Self::Unreadable { text: text.as_ref().chars().take(64).collect(), expected: expected.into() }
    }

    /// Returns the error for the value of an encrypted property. Implementations of [`TableValue`](crate::TableValue)
    /// may include the value in any text, so no text is kept.
    pub(crate) fn hidden(self, expected: &'static str, found: Option<EdmType>) -> Self {
        match self {
            Self::Missing
            | Self::MissingInEnum
            | Self::Type { .. }
            | Self::TooLong { .. }
            | Self::Encrypted(_)
            | Self::Hidden { .. } => self,
            Self::OutOfRange { .. }
            | Self::Unreadable { .. }
            | Self::NoSlot { .. }
            | Self::KeyDiffers { .. }
            | Self::Json(_) => Self::Hidden { expected, found },
        }
    }

    /// Returns the error without the value, for a message that is stored or logged.
    pub(crate) fn without_value(&self) -> Self {
        let value = || "<value>".to_owned();
        match self {
            Self::OutOfRange { limit, .. } => Self::OutOfRange { value: value(), limit: limit.clone() },
            Self::Unreadable { expected, .. } => {
                Self::Unreadable { text: value(), expected: expected.clone() }
            }
            Self::KeyDiffers { key, .. } => Self::KeyDiffers { property: value(), key: key.clone() },
            // Messages of serde contain parts of the text.
            Self::Json(_) => Self::Json("the text is not valid for the type of the field".to_owned()),
            Self::Missing
            | Self::MissingInEnum
            | Self::Type { .. }
            | Self::TooLong { .. }
            | Self::NoSlot { .. }
            | Self::Encrypted(_)
            | Self::Hidden { .. } => self.clone(),
        }
    }
}

fn too_long(holder: EdmType, length: usize, limit: usize, is_encrypted: bool) -> String {
    let (what, unit, holder, longer) = match holder {
        EdmType::String => ("a string", "UTF-16 units", "String", "longer text elsewhere, and its address"),
        _ if is_encrypted => {
            ("an encrypted value", "bytes", "Binary", "longer values elsewhere, and their address")
        }
        _ => ("a value", "bytes", "Binary", "more bytes elsewhere, and their address"),
    };
    format!(
        "{what} of {length} {unit} is out of range: a {holder} has at most {limit}; store {longer} in the property"
    )
}

/// Returns the name of a Rust type as a program writes it: `Option<String>`.
fn without_paths(name: &str) -> String {
    let is_path = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':');
    let parts = name.split_inclusive(|character| !is_path(character));
    parts.map(|part| part.rsplit("::").next().unwrap_or(part)).collect()
}

fn in_clear(found: Option<EdmType>) -> String {
    found.map(|found| format!(", stored as {found},")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_have_no_paths() {
        let name = std::any::type_name::<Option<Vec<String>>>();
        assert_eq!(without_paths(name), "Option<Vec<String>>");
        assert_eq!(without_paths("(a::b::C, [d::E; 3])"), "(C, [E; 3])");
    }

    #[test]
    fn encrypted_value_that_is_too_long_is_told_as_a_clear_one() {
        let error = ValueError::TooLong { holder: EdmType::String, length: 9, limit: 8, is_encrypted: false };
        assert_eq!(error.clone().hidden("alloc::string::String", None), error);
        assert_eq!(
            error.to_string(),
            "a string of 9 UTF-16 units is out of range: a String has at most 8; store longer text elsewhere, and its \
             address in the property"
        );
    }
}
