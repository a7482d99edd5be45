/// Returns `true` if a character is legal in an XML document, literally or as a reference.
pub(crate) const fn is_legal(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => character >= ' ',
    }
}

/// Returns `true` for the name of an element or an attribute, with an optional prefix. Beyond ASCII letters, this
/// approximates the XML rules.
pub(super) fn is_name(text: &str) -> bool {
    let is_start = |character: char| character == '_' || character.is_alphabetic();
    let is_part =
        |character: char| is_start(character) || matches!(character, '-' | '.') || character.is_numeric();
    let is_simple = |text: &str| text.starts_with(is_start) && text.chars().all(is_part);
    text.split_once(':')
        .map_or_else(|| is_simple(text), |(prefix, name)| is_simple(prefix) && is_simple(name))
}
