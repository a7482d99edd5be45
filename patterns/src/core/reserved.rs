//! Properties that the library stores in the rows of entities.

use table_model::{RowRef, ValueRef};

/// Property that contains the type of a row.
pub(crate) const ENTITY_TYPE: &str = "EntityType";

/// `EntityType` of the marker at the old key of an entity that was moved.
pub(crate) const MOVED: &str = "!moved";

/// Property with the token of the transaction that last wrote a row: on an entity with derived rows, and on the derived
/// rows in its partition.
pub(crate) const TRANSACTION: &str = "_tx";

/// Placeholder for a token until a transaction is sent. It has the length of a token, so that sizes are correct.
pub(crate) const NO_TOKEN: &str = "00000000000000000000000000";

/// Placeholder for the token of a derived row in the partition of its entity.
pub(crate) const NO_DERIVED_TOKEN: &str = "80000000000000000000000000";

/// Returns a token as a derived row contains it. The 26 digits of a token have two bits more than its number, and the
/// lower one of them marks a derived row: its first digit is `8` to `F` instead of `0` to `7`. No row of an entity has
/// such a token, so the mark proves that a row is derived.
pub(crate) fn derived_token(token: &str) -> String {
    let mut digits = token.chars();
    let first =
        digits.next().and_then(|digit| digit.to_digit(8)).and_then(|digit| char::from_digit(digit + 8, 16));
    first.map_or_else(|| token.to_owned(), |first| first.to_ascii_uppercase().to_string() + digits.as_str())
}

/// Returns whether a token is that of a derived row.
pub fn is_derived_token(token: &str) -> bool {
    token.len() == NO_TOKEN.len() && matches!(token.bytes().next(), Some(b'8' | b'9' | b'A'..=b'F'))
}

/// Returns the `EntityType` of a row, if it is stored.
pub fn entity_type(row: RowRef<'_>) -> Option<&str> {
    match row.properties.get(ENTITY_TYPE) {
        Some(ValueRef::String(name)) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_marked_once() {
        for token in [NO_TOKEN, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "01KAV8Q3M4T6E9YB2N5R7W0XCD"] {
            let marked = derived_token(token);
            assert!(is_derived_token(&marked) && !is_derived_token(token), "{marked}");
            assert_eq!((marked.len(), &marked[1..]), (token.len(), &token[1..]));
            assert_eq!(derived_token(&marked), marked);
        }
        assert_eq!(derived_token(NO_TOKEN), NO_DERIVED_TOKEN);
        assert!(!is_derived_token("") && !is_derived_token("8"));
    }
}
