use std::borrow::Cow;

/// First lead byte of characters above U+FFFF.
const LEAD_OF_FOUR: u8 = 0xf0;

/// Appends `text` in an encoding whose bytes sort like the service sorts keys ([`compare`](super::compare)).
///
/// The service compares UTF-16 units. Surrogates are therefore encoded individually (CESU-8): the bytes then sort like
/// the units. A string without characters above U+FFFF, which is almost every string, is plain UTF-8.
///
/// ```
/// use table_model::key::{ordered_text, push_ordered};
///
/// let mut bytes = Vec::new();
/// push_ordered(&mut bytes, "\u{10000}");
/// assert_eq!(bytes, [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80]);
/// assert_eq!(ordered_text(&bytes).as_deref(), Some("\u{10000}"));
/// ```
pub fn push_ordered(out: &mut Vec<u8>, text: &str) {
    if text.is_ascii() || text.bytes().all(|byte| byte < LEAD_OF_FOUR) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let mut buffer = [0; 4];
    for character in text.chars() {
        let mut units = [0; 2];
        match character.encode_utf16(&mut units) {
            [high, low] => {
                push_surrogate(out, *high);
                push_surrogate(out, *low);
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes()),
        }
    }
}

/// Encodes a unit above U+07FF like UTF-8 would encode it as a single character.
fn push_surrogate(out: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    out.push(0xe0 | high >> 4);
    out.push(0x80 | (high & 0x0f) << 2 | low >> 6);
    out.push(0x80 | low & 0x3f);
}

/// Decodes a string that was encoded by [`push_ordered`]. Returns `None` for other bytes.
#[must_use]
pub fn ordered_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        // A surrogate: ED, then A0 to BF.
        if let ([second @ 0xa0..=0xbf, third @ 0x80..=0xbf, after @ ..], 0xed) = (tail, *first) {
            units.push(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f));
            rest = after;
            continue;
        }
        let length = match first {
            0..=0x7f => 1,
            0xc0..=0xdf => 2,
            _ => 3,
        };
        let (character, after) = rest.split_at_checked(length)?;
        units.extend(std::str::from_utf8(character).ok()?.encode_utf16());
        rest = after;
    }
    String::from_utf16(&units).ok().map(Cow::Owned)
}
