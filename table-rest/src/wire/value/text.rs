//! Strings: characters other than printable ASCII are escaped, as the service does.

/// Size of the buffer in which escaped characters are collected. A string accepts only valid UTF-8, which is checked once
/// for each buffer.
const BUFFER: usize = 256;

/// Maximum length of an escaped character: two UTF-16 units.
const LONGEST: usize = 12;

/// Number of consecutive plain characters after which plain text is copied in words again.
const PLAIN_RUN: usize = 16;

/// Appends a quoted string. The output is ASCII.
pub fn push_text(into: &mut String, text: &str) {
    into.reserve(text.len() + 2);
    into.push('"');
    push_inside(into, text);
    into.push('"');
}

/// Appends a string inside open quotes. The output is ASCII.
pub fn push_inside(into: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = first_escaped(rest.as_bytes()) {
        // All preceding bytes are ASCII, so this is a character boundary.
        let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        into.push_str(plain);
        rest = push_dense(into, behind);
    }
    into.push_str(rest);
}

/// Appends characters of which many must be escaped. Returns the remaining text.
fn push_dense<'t>(into: &mut String, text: &'t str) -> &'t str {
    let mut buffer = [0; BUFFER];
    let (mut filled, mut plain_run) = (0, 0);
    let mut characters = text.chars();
    while filled + LONGEST <= BUFFER && plain_run < PLAIN_RUN {
        let Some(character) = characters.next() else { break };
        let Some(room) = buffer.get_mut(filled..) else { break };
        let length = escape(room, character);
        plain_run = if length == 1 { plain_run + 1 } else { 0 };
        filled += length;
    }
    // The buffer is ASCII.
    into.push_str(buffer.get(..filled).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default());
    characters.as_str()
}

/// Writes a character, escaped if necessary. Returns the number of bytes.
fn escape(into: &mut [u8], character: char) -> usize {
    let short = match character {
        '"' | '\\' => character as u8,
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        ' '..='~' => {
            let [byte, ..] = into else { return 0 };
            *byte = character as u8;
            return 1;
        }
        other => {
            let mut written = 0;
            for unit in other.encode_utf16(&mut [0; 2]) {
                let Some(room) = into.get_mut(written..).and_then(|room| room.first_chunk_mut()) else {
                    break;
                };
                *room = unit_escape(*unit);
                written += room.len();
            }
            return written;
        }
    };
    let [backslash, letter, ..] = into else { return 0 };
    (*backslash, *letter) = (b'\\', short);
    2
}

/// Returns `\uXXXX`.
fn unit_escape(unit: u16) -> [u8; 6] {
    let digit = |shift: u16| {
        let digit = (unit >> shift & 0xf) as u8;
        if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
    };
    [b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]
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

    #[test]
    fn every_character_is_escaped_at_every_position() {
        for character in ['\0', '"', 'ö', '€', '𝄞'] {
            for before in 0..=BUFFER {
                let text = format!("{}{character}{}{character}", "é".repeat(before % 50), "a".repeat(before));
                let mut json = String::new();
                push_text(&mut json, &text);
                assert!(json.is_ascii());
                assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
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
