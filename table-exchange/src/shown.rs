/// Maximum number of characters of a file that a message contains.
const MOST: usize = 40;

/// Shortens a string for a message and escapes characters that would move the cursor.
pub(crate) fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown = String::new();
    for character in characters.by_ref().take(MOST) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
