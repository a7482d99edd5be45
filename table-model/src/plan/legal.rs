//! The set of valid keys. A key contains no forbidden character, so the smallest possible character is the space. Every
//! bound therefore has one canonical form: the smallest valid key at or above it.

use crate::{key, limits};

/// Smallest character of a key. No key exists between `x` and `x` followed by it.
const LEAST: char = ' ';

/// Returns the smallest valid key that is not below `bound`, and whether it equals `bound`.
///
/// A string with a forbidden character is not a valid key. The keys above it start with the text before that character,
/// followed by a greater character.
pub(super) fn at_or_above(bound: &str) -> (String, bool) {
    match bound.char_indices().find(|(_, character)| key::is_forbidden(*character)) {
        None => (bound.to_owned(), true),
        Some((at, forbidden)) => {
            let mut key = bound.get(..at).unwrap_or_default().to_owned();
            // Forbidden characters are below U+00A0, which is allowed. In this range UTF-16 units and code points have
            // the same order.
            key.extend((forbidden..='\u{a0}').find(|character| !key::is_forbidden(*character)));
            (key, false)
        }
    }
}

/// Returns the smallest key above `key`. It may exceed the length limit; a range that ends there is then only less
/// tight.
pub(super) fn next(key: &str) -> String {
    format!("{key}{LEAST}")
}

/// Returns the greatest key below `key`, if it exists: then `key` is `next` of it.
pub(super) fn previous(key: &str) -> Option<&str> {
    key.strip_suffix(LEAST)
}

/// Returns the number of keys from `start` up to, but excluding, `end` if they can be enumerated: a key and the keys
/// immediately above it, which differ only in trailing spaces.
pub(super) fn count(start: &str, end: Option<&str>) -> Option<usize> {
    let spaces = end?.strip_prefix(start)?;
    let few = spaces.len() <= limits::FILTER_COMPARISONS && spaces.chars().all(|each| each == LEAST);
    few.then_some(spaces.len())
}

/// Returns the keys counted by [`count`].
pub(super) fn run(start: &str, count: usize) -> impl Iterator<Item = String> {
    std::iter::successors(Some(start.to_owned()), |key| Some(next(key))).take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_moves_up_to_the_least_key() {
        for (bound, key) in [
            ("", ""),
            ("a", "a"),
            ("a/", "a0"),
            ("a/zzz", "a0"),
            ("a#", "a$"),
            ("a?", "a@"),
            ("a\\", "a]"),
            ("\u{0}", " "),
            ("a\u{1}b/c", "a "),
            ("a\u{1f}", "a "),
            ("a\u{7f}", "a\u{a0}"),
            ("a\u{9f}", "a\u{a0}"),
            ("a\u{a0}", "a\u{a0}"),
        ] {
            assert_eq!(at_or_above(bound), (key.to_owned(), bound == key), "{bound:?}");
        }
    }

    #[test]
    fn no_key_lies_between_a_key_and_the_next() {
        assert!(key::is_forbidden('\u{1f}') && !key::is_forbidden(LEAST));
        assert_eq!(next("a"), "a ");
        assert_eq!(previous("a "), Some("a"));
        assert_eq!(previous("a"), None);
        assert_eq!(previous(""), None);
        assert_eq!(count("a", Some("a ")), Some(1));
        assert_eq!(count("a", Some("a   ")), Some(3));
        assert_eq!(run("a", 3).collect::<Vec<_>>(), ["a", "a ", "a  "]);
        for (start, end) in [("a", None), ("a", Some("b")), ("a", Some("a b")), ("", Some("a"))] {
            assert_eq!(count(start, end), None, "{start:?} {end:?}");
        }
        assert_eq!(count("", Some(&" ".repeat(100))), None);
    }
}
