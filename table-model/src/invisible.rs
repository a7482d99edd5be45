//! Characters that a person cannot see.

/// Returns `true` for control characters, for the marks that reorder text, and for characters without a width: with them, a
/// value could look like another one. Tools show them as escapes or symbols.
///
/// ```
/// use table_model::is_invisible;
///
/// assert!(is_invisible('\u{202e}') && is_invisible('\n') && !is_invisible(' '));
/// ```
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
