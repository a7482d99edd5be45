/// Whether a character may stand in an XML document, as itself or as a reference.
pub(crate) const fn is_legal(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => character >= ' ',
    }
}

/// Whether text is a name of an element or an attribute, perhaps behind a prefix. Beyond ASCII letters are what XML has in
/// mind.
pub(super) fn is_name(text: &str) -> bool {
    let is_start = |character: char| character == '_' || character.is_alphabetic();
    let is_part =
        |character: char| is_start(character) || matches!(character, '-' | '.') || character.is_numeric();
    let is_simple = |text: &str| text.starts_with(is_start) && text.chars().all(is_part);
    text.split_once(':')
        .map_or_else(|| is_simple(text), |(prefix, name)| is_simple(prefix) && is_simple(name))
}
