//! Keys and strings of TOML files.

use std::fmt::Write;

/// Returns whether a key can contain the character without quotes.
pub const fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Formats a key, quoted if required.
///
/// ```
/// # use table_schema::toml_text::key;
/// assert_eq!([key("by_mail"), key("a b")], ["by_mail", "\"a b\""]);
/// ```
pub fn key(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { text(name) }
}

/// Formats a string on one line.
///
/// ```
/// # use table_schema::toml_text::text;
/// assert_eq!(text("say \"hi\""), r#""say \"hi\"""#);
/// ```
pub fn text(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
