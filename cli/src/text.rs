//! Text for a terminal.

use std::fmt::{Display, Write};

use table_advisor::Finding;
use table_patterns::Difference;

/// Width of a report in columns.
pub(crate) const WIDTH: usize = 100;

/// Returns lines of at most `width` characters, broken at spaces. A longer word is on a separate line.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && wide(&line) + 1 + wide(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Returns a message whose lines have at most `width` characters. Shorter lines keep their spaces.
pub(crate) fn fitted(message: &str, width: usize) -> String {
    let fit = |line: &str| if wide(line) > width { wrapped(line, width).join("\n") } else { line.to_owned() };
    message.lines().map(fit).collect::<Vec<_>>().join("\n")
}

/// Maximum number of items of a list; `--json` prints more.
const MOST_LISTED: usize = 20;

/// Returns a line for each of the first items, and one for the number of all others. Items are never broken.
pub(crate) fn listed<'i>(items: impl Iterator<Item = &'i Difference>, all: u64) -> Vec<String> {
    let mut lines: Vec<String> = items.take(MOST_LISTED).map(ToString::to_string).collect();
    let more = all.saturating_sub(lines.len() as u64);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

/// Returns the number of characters.
pub(crate) fn wide(text: &str) -> usize {
    text.chars().count()
}

/// Returns the string on one line, without characters that would move a terminal's cursor, change its state, or reorder
/// the other characters.
pub(crate) fn plain(text: &str) -> String {
    escaped(text, |_| false)
}

/// Returns the string like [`plain`], with its line breaks.
pub(crate) fn plain_lines(text: &str) -> String {
    escaped(text, |character| character == '\n')
}

fn escaped(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_active(character) && !kept(character) {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

/// Returns JSON with a line break at its end. Its strings contain no characters that [`plain`] escapes, and have the same
/// value: JSON itself requires an escape only for the control characters before the space.
pub(crate) fn json_text(json: impl Display) -> String {
    let json = json.to_string();
    let mut text = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        // A character before the space is outside of strings.
        if character >= ' ' && is_active(character) {
            _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

/// Returns `true` for control characters, and for the marks that reorder text: a value could look like another one.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Truncates a string to `width` characters, with a sign for the omission.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Converts a count to a float.
pub(crate) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

/// Formats `1 error`, `2 errors`, `2 entities`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, word: &str) -> String {
    match word.strip_suffix('y') {
        _ if count == N::from(1) => format!("{count} {word}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {word}s"),
    }
}

/// Returns the message of a finding, after its subject if the sentence does not contain it.
pub(crate) fn told(finding: &Finding) -> String {
    if finding.message.contains(&format!("`{}`", finding.subject)) {
        finding.message.clone()
    } else {
        format!("`{}`: {}", finding.subject, finding.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_lines_of_a_message_are_broken_and_only_at_spaces() {
        let message = "error: the folder /a/long/path/without/a/space is missing\n  | column 3\n";
        let lines = "error: the folder\n/a/long/path/without/a/space\nis missing\n  | column 3";
        assert_eq!(fitted(message, 20), lines);
        assert_eq!(fitted(message, 100), message.trim_end());
        // The line has exactly this width.
        assert_eq!(fitted("error: 12345 12345", 18), "error: 12345 12345");
        assert_eq!(fitted("error: 12345 12345", 17), "error: 12345\n12345");
    }

    #[test]
    fn nothing_moves_the_cursor_or_reorders_text() {
        let text = "a\u{1b}[2J\u{9b}1mb\rc\td\u{202e}e\nf größe";
        assert_eq!(plain(text), "a\\u{1b}[2J\\u{9b}1mb\\rc\\td\\u{202e}e\\nf größe");
        assert_eq!(plain_lines(text), "a\\u{1b}[2J\\u{9b}1mb\\rc\\td\\u{202e}e\nf größe");
        let object = serde_json::json!({ "a\u{85}": text });
        for json in [json_text(&object), json_text(format_args!("{object:#}"))] {
            assert!(
                json.ends_with("}\n") && json.contains("[2J\\u009b1mb\\rc\\td\\u202ee\\nf größe"),
                "{json}"
            );
            assert!(json.lines().all(|line| plain(line) == line), "{json}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), object);
        }
    }
}
