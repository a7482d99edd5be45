//! The `esc` format: an encoding of text without forbidden characters that preserves its order.
//!
//! Characters that must not appear (forbidden characters, control characters, the separator) form runs. Each run joins
//! the legal character directly below it, or directly above it if the run starts at U+0000. This character is the
//! *lead* of the group. A character of a group is written as the lead followed by its rank in the group, `0` to `9`,
//! then `a` to `z`. Every other character is written unchanged. The lead sorts between the neighbors of the group, so
//! the order of strings is preserved. Each character is encoded independently, so prefixes are preserved too.

use super::{TemplateMismatch, order::is_forbidden};

const RANKS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Returns whether `character` must not appear in escaped text.
fn must_go(character: char, separator: Option<char>) -> bool {
    is_forbidden(character) || Some(character) == separator
}

fn offset(character: char, by: i32) -> Option<char> {
    char::from_u32(u32::from(character).checked_add_signed(by)?)
}

/// A group of adjacent characters that share a lead.
struct Group {
    lead: char,
    /// The lowest character of the group: the lead, or U+0000.
    base: char,
}

/// Returns the group of `character`, if it belongs to one.
fn group(character: char, separator: Option<char>) -> Option<Group> {
    // The highest group ends at U+009F.
    if character > '\u{9f}' {
        return None;
    }
    let legal = |at: &char| !must_go(*at, separator);
    let below = (0..=i32::from(u8::MAX)).map_while(|by| offset(character, -by)).find(legal);
    let lead = match below {
        Some(lead) => lead,
        None => (0..=i32::from(u8::MAX)).filter_map(|by| offset(character, by)).find(legal)?,
    };
    if ('\0'..lead).all(|at| must_go(at, separator)) {
        return Some(Group { lead, base: '\0' });
    }
    let has_run = offset(lead, 1).is_some_and(|above| must_go(above, separator));
    (has_run || lead != character).then_some(Group { lead, base: lead })
}

/// Returns `true` for common characters that belong to no group. This is a fast path that avoids computing the group.
fn stands_for_itself(character: char) -> bool {
    matches!(character, '1'..='8' | 'A'..='Y' | 'a'..='y' | '\u{a0}'..)
}

/// Appends the escaped `value` to `out`.
pub(super) fn push(out: &mut String, value: &str, separator: Option<char>) {
    for character in value.chars() {
        let found = if stands_for_itself(character) { None } else { group(character, separator) };
        let Some(Group { lead, base }) = found else {
            out.push(character);
            continue;
        };
        // A group has at most 36 members: U+007F to U+009F with `~`, `}` and a separator.
        let rank = u32::from(character) - u32::from(base);
        let rank = usize::try_from(rank).ok().and_then(|rank| RANKS.get(rank)).copied().unwrap_or(b'z');
        out.push(lead);
        out.push(char::from(rank));
    }
}

/// Decodes text written by [`push`]. Any other text does not belong to the template.
pub(super) fn read(text: &str, separator: Option<char>) -> Result<String, TemplateMismatch> {
    let mut value = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if must_go(character, separator) {
            return Err(TemplateMismatch);
        }
        let found = if stands_for_itself(character) { None } else { group(character, separator) };
        let Some(Group { lead, base }) = found else {
            value.push(character);
            continue;
        };
        let rank = characters.next().ok_or(TemplateMismatch)?;
        let rank = RANKS.iter().position(|known| char::from(*known) == rank).ok_or(TemplateMismatch)?;
        let member = i32::try_from(rank).ok().and_then(|rank| offset(base, rank)).ok_or(TemplateMismatch)?;
        // A rank beyond the end of the group may produce a member of the next group.
        if group(member, separator).is_none_or(|group| group.lead != lead) {
            return Err(TemplateMismatch);
        }
        value.push(member);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::compare;

    fn escaped(value: &str, separator: Option<char>) -> String {
        let mut out = String::new();
        push(&mut out, value, separator);
        out
    }

    /// Returns every separator that a template can have, and `None`.
    fn separators() -> impl Iterator<Item = Option<char>> {
        let legal = |at: &char| (at.is_ascii_punctuation() || *at == ' ') && !is_forbidden(*at);
        std::iter::once(None).chain((' '..='~').filter(legal).map(Some))
    }

    #[test]
    fn vectors() {
        for (value, key) in [
            ("a/b", "a.1b"),
            ("example.com/a", "example.0com.1a"),
            ("what?", "what>1"),
            ("C#", "C\"1"),
            ("a b", "a wb"),
            ("\0\u{1f} ", " 0 v w"),
            ("~\u{7f}\u{9f}", "~0~1~x"),
            ("[\\", "[0[1"),
        ] {
            assert_eq!(escaped(value, None), key);
        }
        for (value, key) in [("x_y", "x^1y"), ("\t", " 9"), ("~", "~0"), ("é/\u{85}", "é.1~7"), ("^", "^0")]
        {
            assert_eq!(escaped(value, Some('_')), key);
        }
    }

    #[test]
    fn order_absence_and_round_trip_hold_for_all_pairs_and_separators() {
        let alphabet: Vec<char> =
            ('\0'..='\u{a1}').chain(['é', '\u{d7ff}', '\u{e000}', '\u{1d11e}']).collect();
        for separator in separators() {
            let mut texts: Vec<String> = alphabet.iter().map(ToString::to_string).collect();
            texts.push(String::new());
            for first in &alphabet {
                // Each text is compared with every single character, and with pairs that have a low, a middle and a
                // high second character.
                texts.extend(['\0', ' ', '~', 'm'].map(|second| format!("{first}{second}")));
            }
            texts.sort_by(|left, right| compare(left, right));
            let keys: Vec<String> = texts.iter().map(|text| escaped(text, separator)).collect();
            for (text, key) in texts.iter().zip(&keys) {
                assert!(!key.chars().any(|at| must_go(at, separator)), "{text:?} {separator:?}");
                assert_eq!(read(key, separator).as_ref(), Ok(text), "{key:?} {separator:?}");
            }
            // If the encodings of a sorted list are strictly increasing, the order of all pairs is preserved.
            for (texts, keys) in texts.windows(2).zip(keys.windows(2)) {
                assert!(compare(&keys[0], &keys[1]).is_lt(), "{texts:?} {keys:?} {separator:?}");
            }
        }
    }

    #[test]
    fn what_was_not_escaped_is_foreign() {
        for (text, separator) in
            [(" ", None), (".2", None), (".", None), ("a/b", None), ("~z", None), ("^", Some('_'))]
        {
            assert_eq!(read(text, separator), Err(TemplateMismatch), "{text:?}");
        }
        assert_eq!(read("x_y", Some('_')), Err(TemplateMismatch));
        assert_eq!(read("^", None).as_deref(), Ok("^"));
    }
}
