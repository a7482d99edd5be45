//! Strings: characters other than printable ASCII are escaped, as the service does.

use std::fmt::Write;

/// Appends a quoted string. The output is ASCII.
pub fn push_text(into: &mut String, text: &str) {
    into.reserve(text.len() + 2);
    into.push('"');
    let mut rest = text;
    while let Some(at) = first_escaped(rest.as_bytes()) {
        // All preceding bytes are ASCII, so this is a character boundary.
        let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        into.push_str(plain);
        let mut characters = behind.chars();
        if let Some(character) = characters.next() {
            push_escaped(into, character);
        }
        rest = characters.as_str();
    }
    into.push_str(rest);
    into.push('"');
}

/// Returns the position of the first byte that must be escaped. Most strings contain none, so words of eight bytes are
/// checked; the last one overlaps the word before it.
fn first_escaped(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks::<8>();
    let plain = words.iter().take_while(|word| is_plain(**word)).count();
    if plain == words.len() && (rest.is_empty() || text.last_chunk().copied().is_some_and(is_plain)) {
        return None;
    }
    let start = 8 * plain;
    let rest = text.get(start..)?;
    rest.iter().position(|byte| is_escaped(*byte)).map(|at| start + at)
}

/// Returns `true` if no byte of a word must be escaped.
fn is_plain(word: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_ne_bytes(word);
    // Has the high bit of some byte set exactly if some byte of an ASCII word is below `limit`: only such a byte borrows
    // from the next one. See "Bit Twiddling Hacks" by S. E. Anderson, "Determine if a word has a byte less than n".
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (word | below(word, u64::from(b' ')) | is(b'"') | is(b'\\') | is(b'\x7f')) & HIGH == 0
}

const fn is_escaped(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\')
}

fn push_escaped(into: &mut String, character: char) {
    match character {
        '"' => into.push_str("\\\""),
        '\\' => into.push_str("\\\\"),
        '\n' => into.push_str("\\n"),
        '\r' => into.push_str("\\r"),
        '\t' => into.push_str("\\t"),
        '\u{8}' => into.push_str("\\b"),
        '\u{c}' => into.push_str("\\f"),
        other => {
            for unit in other.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(into, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_but_printable_ascii_is_escaped() {
        let mut text = String::new();
        push_text(&mut text, "a/b 'c' \"d\" \\ \n\r\t\u{8}\u{c}\0\u{7f} ô 𝄞");
        assert_eq!(text, r#""a/b 'c' \"d\" \\ \n\r\t\b\f\u0000\u007f \u00f4 \ud834\udd1e""#);
    }

    #[test]
    fn every_byte_is_found_at_every_position() {
        for length in 1..=25 {
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text = vec![b'a'; length];
                    text[at] = byte;
                    let expected = is_escaped(byte).then_some(at);
                    assert_eq!(first_escaped(&text), expected, "{byte:#x} at {at} of {length}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_the_text_in_json(text in "\\PC*|[\\x00-\\u{ff}]*") {
            let mut json = String::new();
            push_text(&mut json, &text);
            prop_assert!(json.is_ascii());
            prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text));
        }
    }
}
