//! How keys sort, which characters they hold, and the least key above all keys with a beginning.

use std::cmp::Ordering;

use super::KeyRule;

/// Compares two keys as the service does: by UTF-16 code unit. This differs from `str`'s order above U+D7FF only.
///
/// ```
/// use table_schema::key::compare;
///
/// assert!(compare("Jones", "department").is_lt());
/// assert!(compare("\u{1d11e}", "\u{ff5e}").is_lt()); // the pair D834 DD1E is below FF5E
/// ```
pub fn compare(left: &str, right: &str) -> Ordering {
    left.encode_utf16().cmp(right.encode_utf16())
}

/// The length that the service counts: UTF-16 code units.
#[must_use]
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Whether no key can hold `character`: `/ \ # ?`, U+0000 to U+001F, U+007F to U+009F (REST reference).
#[must_use]
pub const fn is_forbidden(character: char) -> bool {
    matches!(character, '/' | '\\' | '#' | '?' | '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// Whether a text holds only what a key can hold.
pub(super) fn is_legal(text: &str) -> bool {
    // Nearly all are plain ASCII.
    let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'/' | b'\\' | b'#' | b'?');
    text.as_bytes().iter().all(plain) || !text.chars().any(is_forbidden)
}

/// Why a row key that is led by text cannot begin so: keys that begin with `!` are the library's own, and ranges begin
/// above them. (What a literal or a fixed format leads cannot come there by its value.)
pub(crate) fn refused_beginning(key: &str) -> Option<KeyRule> {
    match key.chars().next() {
        Some('!') => Some(KeyRule::Reserved),
        Some(' ') | None => Some(KeyRule::BelowRanges),
        Some(_) => None,
    }
}

/// The least legal text that is above every text beginning with `prefix`; `None` when there is none, so that a range
/// has no upper end. No character is used that a key cannot hold.
///
/// ```
/// use table_schema::key::succ;
///
/// assert_eq!(succ("empid_").as_deref(), Some("empid`"));
/// assert_eq!(succ("a.").as_deref(), Some("a0")); // `/` is between, and in no key
/// assert_eq!(succ(""), None);
/// ```
#[must_use]
pub fn succ(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = next_legal(last) {
            text.push(next);
            return Some(text);
        }
    }
    None
}

/// The next legal character in the order of code units: supplementary characters, being surrogate pairs, stand between
/// U+D7FF and U+E000.
fn next_legal(character: char) -> Option<char> {
    let mut at = character;
    loop {
        at = match at {
            '\u{d7ff}' => '\u{10000}',
            '\u{10ffff}' => '\u{e000}',
            '\u{ffff}' => return None,
            other => char::from_u32(u32::from(other) + 1)?,
        };
        if !is_forbidden(at) {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_are_the_documented_ones() {
        for (prefix, next) in [
            ("a", Some("b")),
            ("\"", Some("$")),
            (".", Some("0")),
            (">", Some("@")),
            ("[", Some("]")),
            ("~", Some("\u{a0}")),
            ("a\u{ffff}", Some("b")),
            ("\u{ffff}", None),
            ("\u{ffff}\u{ffff}", None),
            ("\u{d7ff}", Some("\u{10000}")),
            ("\u{10ffff}", Some("\u{e000}")),
            ("\u{10000}", Some("\u{10001}")),
            ("", None),
        ] {
            assert_eq!(succ(prefix).as_deref(), next, "{prefix:?}");
        }
    }

    #[test]
    fn every_character_has_the_nearest_legal_successor() {
        let mut all: Vec<char> = ('\0'..=char::MAX).collect();
        all.sort_by(|a, b| compare(a.encode_utf8(&mut [0; 4]), b.encode_utf8(&mut [0; 4])));
        let mut next = None;
        for &character in all.iter().rev() {
            assert_eq!(next_legal(character), next, "{character:?}");
            if !is_forbidden(character) {
                next = Some(character);
            }
        }
    }
}
