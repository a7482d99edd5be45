//! Property names.

use std::borrow::Cow;

use crate::{ErrorCode, TableError, limits};

/// Name of a property. Names in static strings are borrowed, so typed code does not allocate.
pub type Name = Cow<'static, str>;

/// Keys and timestamp: system properties that every entity has.
pub const SYSTEM: [&str; 3] = ["PartitionKey", "RowKey", "Timestamp"];

/// Checks a property name. It must be a C# identifier (a letter or `_`, then letters, digits, connectors and marks), a
/// valid XML 1.0 name, and at most 255 UTF-16 units long. Names are case-sensitive.
///
/// # Errors
/// `PropertyNameTooLong`, or `PropertyNameInvalid` for invalid characters and for the names of system properties
/// ([`SYSTEM`]).
///
/// ```
/// use table_model::name;
///
/// name::check("EmployeeCount")?;
/// assert!(name::check("employee-count").is_err());
/// # Ok::<(), table_model::TableError>(())
/// ```
pub fn check(name: &str) -> Result<(), TableError> {
    if name.len() > limits::PROPERTY_NAME_UNITS && crate::key::utf16_units(name) > limits::PROPERTY_NAME_UNITS
    {
        return Err(ErrorCode::PropertyNameTooLong.into());
    }
    let legal = is_plain(name.as_bytes()) || {
        let mut characters = name.chars();
        characters.next().is_some_and(is_start) && characters.all(is_part)
    };
    if legal && !SYSTEM.contains(&name) {
        return Ok(());
    }
    let shown: String = name.chars().take(64).collect();
    Err(TableError::with_message(
        ErrorCode::PropertyNameInvalid,
        format!(
            "The property name is invalid: `{shown}`. Use letters, digits and `_`, without a leading digit; \
             PartitionKey, RowKey and Timestamp are reserved."
        ),
    ))
}

/// Returns whether a name consists of ASCII letters, digits and `_`. Nearly all names do.
fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && name.first().is_some_and(|first| !first.is_ascii_digit())
}

pub(crate) fn is_start(character: char) -> bool {
    character == '_' || character.is_alphabetic() && is_xml_letter(character)
}

pub(crate) fn is_part(character: char) -> bool {
    // Identifiers may contain marks (combining accents); in these ranges they are valid XML name characters.
    is_start(character)
        || character.is_ascii_digit()
        || character.is_numeric() && is_xml_letter(character) && !is_small_number(character)
        || matches!(character, '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}' | '\u{b7}')
}

/// Returns whether a character is an XML `NameStartChar` (XML 1.0, section 2.3) other than `:`. C# identifiers end at
/// U+FFFF.
const fn is_xml_letter(character: char) -> bool {
    matches!(character,
        'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}')
}

/// Returns whether a character is a superscript, subscript or fraction: allowed in XML names, but not a digit of an
/// identifier.
const fn is_small_number(character: char) -> bool {
    matches!(character, '\u{2070}'..='\u{2089}' | '\u{2150}'..='\u{215f}' | '\u{2189}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_identifier_rules() {
        for name in ["a", "_a", "Größe", "x1", "hours_00", "名前", "partitionkey", "a٣", "e\u{301}", "a‿b"]
        {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in ["", "1a", "a-b", "a b", "a.b", "a:b", "PartitionKey", "RowKey", "Timestamp", "😀"] {
            assert_eq!(check(name).unwrap_err().code(), ErrorCode::PropertyNameInvalid, "{name}");
        }
        // Letters or numbers in Unicode, but not in C# or not in XML.
        for name in ["x\u{b2}", "x\u{bd}", "x\u{2070}", "x\u{2153}", "\u{aa}", "\u{24b6}", "\u{1d400}", "٣"]
        {
            assert_eq!(check(name).unwrap_err().code(), ErrorCode::PropertyNameInvalid, "{name}");
        }
        assert!(check(&"é".repeat(255)).is_ok());
        assert_eq!(check(&"é".repeat(256)).unwrap_err().code(), ErrorCode::PropertyNameTooLong);
    }
}
