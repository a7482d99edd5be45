//! Property names.

use std::borrow::Cow;

use crate::{ErrorCode, TableError, limits};

/// A property's name. Borrowed where it stands in the program, so that typed code allocates none.
pub type Name = Cow<'static, str>;

/// The keys and the timestamp: properties that every entity has, and that are no user properties.
pub const SYSTEM: [&str; 3] = ["PartitionKey", "RowKey", "Timestamp"];

/// Checks a property's name: a C# identifier (a letter or `_`, then letters, digits, connectors and marks) of at most
/// 255 UTF-16 units. Names are case-sensitive.
///
/// ```
/// use table_store::name;
///
/// name::check("EmployeeCount")?;
/// assert!(name::check("employee-count").is_err());
/// # Ok::<(), table_store::TableError>(())
/// ```
pub fn check(name: &str) -> Result<(), TableError> {
    if name.len() > limits::PROPERTY_NAME_UNITS && crate::key::utf16_units(name) > limits::PROPERTY_NAME_UNITS
    {
        return Err(ErrorCode::PropertyNameTooLong.into());
    }
    let mut characters = name.chars();
    let legal = characters.next().is_some_and(is_start) && characters.all(is_part);
    if legal && !SYSTEM.contains(&name) {
        return Ok(());
    }
    let shown: String = name.chars().take(64).collect();
    Err(TableError::with_message(
        ErrorCode::PropertyNameInvalid,
        format!(
            "The property name is invalid: `{shown}`. Write letters, digits and `_`, not beginning with a digit; \
             PartitionKey, RowKey and Timestamp are the service's own."
        ),
    ))
}

pub(crate) fn is_start(character: char) -> bool {
    character == '_' || character.is_alphabetic()
}

pub(crate) fn is_part(character: char) -> bool {
    // Marks (combining accents) belong to identifiers too; they are legal XML name characters in these ranges.
    is_start(character)
        || character.is_numeric()
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}' | '\u{b7}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_identifier_rules() {
        for name in ["a", "_a", "Größe", "x1", "hours_00", "名前", "partitionkey"] {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in ["", "1a", "a-b", "a b", "a.b", "a:b", "PartitionKey", "RowKey", "Timestamp", "😀"] {
            assert_eq!(check(name).unwrap_err().code(), ErrorCode::PropertyNameInvalid, "{name}");
        }
        assert!(check(&"é".repeat(255)).is_ok());
        assert_eq!(check(&"é".repeat(256)).unwrap_err().code(), ErrorCode::PropertyNameTooLong);
    }
}
