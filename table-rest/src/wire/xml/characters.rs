/// Whether a character may stand in an XML document, as itself or as a reference.
pub(crate) const fn is_legal(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        character => character >= ' ',
    }
}
