//! PartitionKey and RowKey: allowed characters, length limits and sort order.

mod order;
mod ordered;

pub(crate) use order::compare_bytes;
pub use order::{compare, utf16_units};
pub use ordered::{ordered_text, push_ordered};

use crate::{
    ErrorCode, TableError,
    limits::{KEY_UNITS_LENIENT, KeyLength},
};

/// Identifies one of the two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyName {
    /// `PartitionKey`.
    Partition,
    /// `RowKey`.
    Row,
}

impl KeyName {
    /// Returns the name of the property.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Partition => "PartitionKey",
            Self::Row => "RowKey",
        }
    }
}

/// Returns whether `character` is forbidden in keys: `/ \ # ?`, U+0000 to U+001F, U+007F to U+009F.
#[must_use]
pub const fn is_forbidden(character: char) -> bool {
    matches!(character, '/' | '\\' | '#' | '?' | '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// Returns the error code for a key of `units` UTF-16 units. Like the service, it returns the code for property values
/// if the length exceeds every interpretation of the key limit.
#[must_use]
pub const fn too_long(units: usize) -> ErrorCode {
    if units > KEY_UNITS_LENIENT { ErrorCode::PropertyValueTooLarge } else { ErrorCode::KeyValueTooLarge }
}

/// Checks a key like a write of the service does. The empty key is valid.
///
/// # Errors
/// `OutOfRangeInput` for a forbidden character, the code of [`too_long`] for an excessive length.
///
/// ```
/// use table_model::{key, limits::KeyLength};
///
/// key::check(key::KeyName::Row, "empid_000223", KeyLength::Strict)?;
/// let error = key::check(key::KeyName::Row, "a/b", KeyLength::Strict).unwrap_err();
/// assert_eq!(error.message(), "The 'RowKey' parameter of value 'a/b' is out of range.");
/// # Ok::<(), table_model::TableError>(())
/// ```
pub fn check(name: KeyName, key: &str, length: KeyLength) -> Result<(), TableError> {
    // A UTF-16 unit is one to three bytes of UTF-8, so most keys need no count.
    if key.len() > length.units() {
        let units = utf16_units(key);
        if units > length.units() {
            return Err(TableError::with_message(
                too_long(units),
                format!(
                    "The {} has {units} characters (UTF-16 units); at most {} are allowed.",
                    name.as_str(),
                    length.units()
                ),
            ));
        }
    }
    if !is_plain(key.as_bytes()) && key.chars().any(is_forbidden) {
        return Err(TableError::with_message(
            ErrorCode::OutOfRangeInput,
            format!("The '{}' parameter of value '{key}' is out of range.", name.as_str()),
        ));
    }
    Ok(())
}

/// Checks both keys of a point read.
///
/// # Errors
/// As [`check`].
pub fn check_both(partition_key: &str, row_key: &str, length: KeyLength) -> Result<(), TableError> {
    check(KeyName::Partition, partition_key, length)?;
    check(KeyName::Row, row_key, length)
}

/// Returns whether a key consists of printable ASCII characters that are allowed in keys. Nearly all keys do.
fn is_plain(key: &[u8]) -> bool {
    // A table, because every request checks its keys.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    const PLAIN: [bool; 256] = {
        let mut plain = [false; 256];
        let mut byte = b' ';
        while byte <= b'~' {
            plain[byte as usize] = !is_forbidden(byte as char);
            byte += 1;
        }
        plain
    };
    key.iter().all(|byte| PLAIN.get(usize::from(*byte)) == Some(&true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_length_in_utf16_units() {
        let at_limit = "é".repeat(512);
        assert!(check(KeyName::Row, &at_limit, KeyLength::Strict).is_ok());
        let over = "𝄞".repeat(257);
        let error = check(KeyName::Partition, &over, KeyLength::Strict).unwrap_err();
        assert_eq!(error.code(), ErrorCode::KeyValueTooLarge);
        assert!(error.message().contains("514"), "{error}");
        assert!(check(KeyName::Partition, &over, KeyLength::Lenient).is_ok());
        let code =
            |units, length| check(KeyName::Row, &"x".repeat(units), length).map_err(|error| error.code());
        assert_eq!(code(1024, KeyLength::Lenient), Ok(()));
        assert_eq!(code(1025, KeyLength::Lenient), Err(ErrorCode::PropertyValueTooLarge));
        assert_eq!(code(1024, KeyLength::Strict), Err(ErrorCode::KeyValueTooLarge));
        assert_eq!(code(2048, KeyLength::Strict), Err(ErrorCode::PropertyValueTooLarge));
    }

    #[test]
    fn refuses_each_forbidden_character_and_no_other() {
        for code in 0..=0x300_u32 {
            let Some(character) = char::from_u32(code) else { continue };
            let forbidden = matches!(code, 0x2f | 0x5c | 0x23 | 0x3f | 0..=0x1f | 0x7f..=0x9f);
            let refused = check(KeyName::Row, &format!("a{character}"), KeyLength::Strict).is_err();
            assert_eq!(refused, forbidden, "U+{code:04X}");
        }
        assert!(check(KeyName::Row, "", KeyLength::Strict).is_ok());
    }
}
