//! Sort order of keys, allowed characters, and the least key above all keys with a prefix.

use std::cmp::Ordering;

use super::KeyRule;

/// Compares two keys as the service does: by UTF-16 code units. The result differs from the order of `str` only above
/// U+D7FF.
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

/// Returns the length that the service counts, in UTF-16 code units.
#[must_use]
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Returns whether `character` is forbidden in keys: `/ \ # ?`, U+0000 to U+001F, U+007F to U+009F (REST reference).
#[must_use]
pub const fn is_forbidden(character: char) -> bool {
    matches!(character, '/' | '\\' | '#' | '?' | '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// Returns whether a string contains only characters that are allowed in keys.
pub(super) fn is_legal(text: &str) -> bool {
    // A table for printable ASCII, because keys are encoded for each request.
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
    let is_plain = |byte: u8| PLAIN.get(usize::from(byte)) == Some(&true);
    text.bytes().all(is_plain) || !text.chars().any(is_forbidden)
}

/// Returns the rule that a row key with a leading text field violates by its first character, if any. Keys that start
/// with `!` are reserved for the library, and ranges start above them. Keys with a leading literal or a fixed format
/// cannot start there.
pub(crate) fn refused_beginning(key: &str) -> Option<KeyRule> {
    match key.chars().next() {
        Some('!') => Some(KeyRule::Reserved),
        Some(' ') | None => Some(KeyRule::BelowRanges),
        Some(_) => None,
    }
}

/// Returns the least legal string above every string that starts with `prefix`, or `None` if it does not exist, so that
/// a range has no upper bound. The result contains only characters that are allowed in keys.
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

/// Returns the next legal character in code unit order. Supplementary characters are surrogate pairs and sort between
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
