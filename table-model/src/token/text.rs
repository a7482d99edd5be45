//! Base64 in the URL-safe alphabet without padding (RFC 4648, section 5).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Encodes bytes. Three bytes are four digits; one or two remaining bytes are two or three digits.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| group.get(at).map_or(0, |byte| u32::from(*byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        text.extend([18, 12, 6, 0].into_iter().take(group.len() + 1).map(|shift| digit(bits >> shift)));
    }
    text
}

fn digit(bits: u32) -> char {
    let at = (bits & 63) as usize;
    DIGITS.get(at).map_or('-', |digit| char::from(*digit))
}

/// Decodes a string. Returns `None` for a string that [`encode`] does not produce.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let count = group.len().checked_sub(1).filter(|count| *count > 0)?;
        let mut bits = 0;
        for at in 0..4 {
            bits = bits << 6 | group.get(at).map_or(Some(0), |digit| value(*digit))?;
        }
        let [_, decoded @ ..] = bits.to_be_bytes();
        let (taken, left) = decoded.split_at_checked(count)?;
        // Unused bits must be zero; otherwise several strings would represent the same bytes.
        if left.iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend_from_slice(taken);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_encoded_decodes_and_nothing_else_does(bytes in prop::collection::vec(any::<u8>(), 0..40), text in "[A-Za-z0-9_-]{0,9}") {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
            if let Some(decoded) = decode(&text) {
                prop_assert_eq!(encode(&decoded), text);
            }
        }
    }

    #[test]
    fn the_examples_of_the_rfc_hold() {
        for (bytes, text) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    }
}
