use std::cmp::Ordering;

/// Compares two keys, or two String values, by UTF-16 code unit like the service.
///
/// The order differs from Rust's order (by code point) only when a character above U+FFFF is compared with a character
/// from U+E000 to U+FFFF: the surrogates of the former sort below the latter.
///
/// ```
/// use std::cmp::Ordering;
/// use table_model::key::compare;
///
/// assert_eq!(compare("a", "b"), Ordering::Less);
/// assert_eq!(compare("\u{10000}", "\u{ffff}"), Ordering::Less);
/// ```
#[must_use]
pub fn compare(left: &str, right: &str) -> Ordering {
    compare_bytes(left.as_bytes(), right.as_bytes())
}

/// Compares the bytes of two strings like [`compare`].
pub(crate) fn compare_bytes(left: &[u8], right: &[u8]) -> Ordering {
    let differs = left.iter().zip(right).position(|(a, b)| a != b);
    let Some(at) = differs else { return left.len().cmp(&right.len()) };
    match (left.get(at), right.get(at)) {
        (Some(&a), Some(&b)) => weight(a).cmp(&weight(b)),
        _ => Ordering::Equal,
    }
}

/// Returns the sort weight of a UTF-8 byte at the first difference. Lead bytes of four-byte characters (0xF0 to 0xF4)
/// sort before the lead bytes of U+E000 and above (0xEE, 0xEF) and after all other bytes.
///
/// At the first difference of two strings, either both bytes are continuation bytes, whose order is unchanged, or both
/// are lead bytes.
const fn weight(byte: u8) -> u16 {
    match byte {
        0xee | 0xef => byte as u16 + 0x100,
        _ => byte as u16,
    }
}

/// Returns the length of a string in UTF-16 units, the unit in which the service measures length.
#[must_use]
pub fn utf16_units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_comparison_of_units() {
        let samples = [
            "",
            "a",
            "ab",
            "b",
            "é",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{10ffff}",
            "a\u{10000}",
            "a\u{e000}b",
            "a\u{ffff}",
            "\u{e001}",
            "\u{ee00}",
            "\u{10001}",
        ];
        for left in samples {
            for right in samples {
                let units = left.encode_utf16().cmp(right.encode_utf16());
                assert_eq!(compare(left, right), units, "{left:?} {right:?}");
            }
            assert_eq!(utf16_units(left), left.encode_utf16().count());
        }
    }
}
