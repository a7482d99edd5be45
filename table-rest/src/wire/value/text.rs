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

/// Returns the position of the first byte that must be escaped. Most strings contain none, so blocks are checked
/// without a branch per byte.
fn first_escaped(text: &[u8]) -> Option<usize> {
    let (blocks, _) = text.as_chunks::<16>();
    let plain = |block: &&[u8; 16]| !block.iter().fold(false, |found, byte| found | is_escaped(*byte));
    let start = 16 * blocks.iter().take_while(plain).count();
    let rest = text.get(start..)?;
    rest.iter().position(|byte| is_escaped(*byte)).map(|at| start + at)
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
