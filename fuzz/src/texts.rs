//! Short strings of characters at the boundaries of orders and escapes.

use arbitrary::{Result, Unstructured};

const CHARACTERS: [char; 24] = [
    'a',
    'b',
    '0',
    '9',
    'z',
    '_',
    '.',
    ' ',
    '!',
    '"',
    '\'',
    '~',
    '`',
    '^',
    '/',
    '\\',
    '\0',
    '\u{1f}',
    '\u{9f}',
    '\u{a0}',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '\u{10000}',
];

/// Returns a string of at most `most` characters.
pub fn short(input: &mut Unstructured<'_>, most: usize) -> Result<String> {
    let count = input.int_in_range(0..=most)?;
    (0..count).map(|_| input.choose(&CHARACTERS).copied()).collect()
}

/// Compares strings by their UTF-16 units.
pub fn utf16_order(left: &str, right: &str) -> std::cmp::Ordering {
    left.encode_utf16().cmp(right.encode_utf16())
}
