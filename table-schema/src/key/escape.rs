//! The `esc` format: forbidden characters out, order kept.
//!
//! Characters that must not appear (forbidden ones, control characters, the separator) form runs. Each run joins the
//! legal character just below it, or just above it where the run starts at U+0000: its *lead*. A character of such a
//! group is written as the lead and its rank in the group, `0` to `9` then `a` to `z`. Every other character stands for
//! itself. A lead is between its neighbours, so the order of texts is kept; each character is written by itself, so
//! beginnings are kept too.

use super::{NotThisTemplate, order::is_forbidden};

const RANKS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Whether `character` must not appear in escaped text.
fn must_go(character: char, separator: Option<char>) -> bool {
    is_forbidden(character) || Some(character) == separator
}

fn offset(character: char, by: i32) -> Option<char> {
    char::from_u32(u32::from(character).checked_add_signed(by)?)
}

/// A group of neighbours that share a lead.
struct Group {
    lead: char,
    /// The least character of the group: the lead itself, or U+0000.
    base: char,
}

/// The group of `character`, if it has one.
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

/// Most characters are in no group; this says so without looking for one.
fn stands_for_itself(character: char) -> bool {
    matches!(character, '1'..='8' | 'A'..='Y' | 'a'..='y' | '\u{a0}'..)
}

/// Appends `value`, escaped, to `out`.
pub(super) fn push(out: &mut String, value: &str, separator: Option<char>) {
    for character in value.chars() {
        let found = if stands_for_itself(character) { None } else { group(character, separator) };
        let Some(Group { lead, base }) = found else {
            out.push(character);
            continue;
        };
        // Groups have at most 36 members: U+007F to U+009F with `~`, `}` and a separator.
        let rank = u32::from(character) - u32::from(base);
        let rank = usize::try_from(rank).ok().and_then(|rank| RANKS.get(rank)).copied().unwrap_or(b'z');
        out.push(lead);
        out.push(char::from(rank));
    }
}

/// Reads back what [`push`] wrote. Anything that it cannot have written is not of this template.
pub(super) fn read(text: &str, separator: Option<char>) -> Result<String, NotThisTemplate> {
    let mut value = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if must_go(character, separator) {
            return Err(NotThisTemplate);
        }
        let found = if stands_for_itself(character) { None } else { group(character, separator) };
        let Some(Group { lead, base }) = found else {
            value.push(character);
            continue;
        };
        let rank = characters.next().ok_or(NotThisTemplate)?;
        let rank = RANKS.iter().position(|known| char::from(*known) == rank).ok_or(NotThisTemplate)?;
        let member = i32::try_from(rank).ok().and_then(|rank| offset(base, rank)).ok_or(NotThisTemplate)?;
        // A rank past the group's end may meet a member of the next one.
        if group(member, separator).is_none_or(|group| group.lead != lead) {
            return Err(NotThisTemplate);
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

    /// Every separator that a template can have, and none.
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
                // Against each single character, and against each pair with a low, a middle and a high second.
                texts.extend(['\0', ' ', '~', 'm'].map(|second| format!("{first}{second}")));
            }
            texts.sort_by(|left, right| compare(left, right));
            let keys: Vec<String> = texts.iter().map(|text| escaped(text, separator)).collect();
            for (text, key) in texts.iter().zip(&keys) {
                assert!(!key.chars().any(|at| must_go(at, separator)), "{text:?} {separator:?}");
                assert_eq!(read(key, separator).as_ref(), Ok(text), "{key:?} {separator:?}");
            }
            // A sorted list whose images rise strictly: the order of all pairs holds.
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
            assert_eq!(read(text, separator), Err(NotThisTemplate), "{text:?}");
        }
        assert_eq!(read("x_y", Some('_')), Err(NotThisTemplate));
        assert_eq!(read("^", None).as_deref(), Ok("^"));
    }
}
