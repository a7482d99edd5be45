//! Text for a terminal.

use std::{
    borrow::Cow,
    fmt::{Display, Write},
    io::{self, IsTerminal},
};

use table_patterns::Difference;
use table_store::is_invisible;

/// Width of a report in columns.
pub(crate) const WIDTH: usize = 80;

/// Returns the width of a terminal, if standard output is one.
pub(crate) fn terminal_width() -> Option<usize> {
    let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size)?;
    terminal.map(|(width, _)| usize::from(width.0))
}

/// Returns lines of at most `width` columns, broken at spaces. A longer word is on a separate line. Characters that
/// [`plain`] escapes are escaped.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace().map(plain) {
            if !line.is_empty() && wide(&line) + 1 + wide(&word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines
}

/// Returns the parts of a string with at most `width` columns each; joined, they are the string. With `at_spaces`, a part
/// ends with a space if it contains one, which may be in the column behind the last one.
pub(crate) fn broken(text: &str, width: usize, at_spaces: bool) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), text);
    // A part has at least one character.
    while wide(rest) > width && rest.chars().nth(1).is_some() {
        let mut columns = 0;
        let fits = |(_, character): &(usize, char)| {
            columns += columns_of(*character);
            columns <= width
        };
        let last = rest.char_indices().take_while(fits).last();
        let last = last.or_else(|| rest.char_indices().next());
        let end = last.map_or(rest.len(), |(at, character)| at + character.len_utf8());
        let (line, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let space = if behind.starts_with(' ') { Some(line.len()) } else { line.rfind(' ') };
        let end = space.filter(|_| at_spaces).map_or(end, |space| space + 1);
        let (line, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        lines.push(line);
        rest = behind;
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Returns a message whose lines have at most `width` columns. Shorter lines keep their spaces. Text to paste, which is
/// indented by six spaces, is never broken.
pub(crate) fn fitted(message: &str, width: usize) -> String {
    let fit = |line: &str| {
        let is_kept = wide(line) <= width || line.starts_with("      ");
        if is_kept { line.to_owned() } else { wrapped(line, width).join("\n") }
    };
    message.lines().map(fit).collect::<Vec<_>>().join("\n")
}

/// Returns a sentence as lines of at most [`WIDTH`] columns. The later ones are indented by two more columns.
pub(crate) fn note(indent: &str, text: &str) -> String {
    let lines = wrapped(text, WIDTH - indent.len() - 2);
    format!("{indent}{}\n", lines.join(&format!("\n{indent}  ")))
}

/// Maximum number of items of a list; `--json` prints more.
const MOST_LISTED: usize = 20;

/// Returns a line for each of the first items, and one for the number of all others. Items are never broken.
pub(crate) fn listed<'i>(items: impl Iterator<Item = &'i Difference>, all: u64) -> Vec<String> {
    let mut lines: Vec<String> = items.take(MOST_LISTED).map(|item| plain(&item.to_string())).collect();
    let more = all.saturating_sub(lines.len() as u64);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

/// Returns the number of columns of a terminal that a string occupies.
pub(crate) fn wide(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Returns the columns of a character: two for those of East Asian scripts and for pictures, none for combining marks.
const fn columns_of(character: char) -> usize {
    match character {
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
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

/// Returns the string like [`plain`], with its line breaks and tabs: the lines of a source file above their marks.
pub(crate) fn plain_source(text: &str) -> String {
    escaped(text, |character| matches!(character, '\n' | '\t'))
}

fn escaped(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) && !kept(character) {
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
        if character >= ' ' && is_invisible(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

/// Returns a word of a command line for a POSIX shell, in quotation marks if it contains other characters than those that no
/// shell interprets.
pub(crate) fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/' | b':' | b'@')
    };
    if !text.is_empty() && !text.starts_with('~') && text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', "'\\''")))
}

/// Truncates a string to `width` columns, with a sign for the omission.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    let mut columns = 0;
    let fits = |character: &char| {
        columns += columns_of(*character);
        columns < width
    };
    let kept: String = text.chars().take_while(fits).collect();
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
        assert_eq!(fitted("      a = 1 # to paste", 12), "      a = 1 # to paste");
    }

    #[test]
    fn broken_lines_are_the_whole_text() {
        for (text, width, at_spaces, lines) in [
            ("empid_000223", 5, true, &["empid", "_0002", "23"][..]),
            ("age first_name badge", 10, true, &["age ", "first_name ", "badge"]),
            ("age first_name badge", 10, false, &["age first_", "name badge"]),
            ("日本語", 4, true, &["日本", "語"]),
            ("日本", 1, false, &["日", "本"]),
            ("short", 5, true, &["short"]),
            ("short ", 5, true, &["short "]),
            ("", 5, true, &[""]),
        ] {
            assert_eq!(broken(text, width, at_spaces), lines, "{text}");
            assert_eq!(broken(text, width, at_spaces).concat(), text);
        }
        assert_eq!((wide("日本a\u{301}"), cut("日本語", 5)), (5, "日本…".to_owned()));
    }

    #[test]
    fn words_of_a_command_line_are_quoted_if_required() {
        assert_eq!(shell_word("2.AXNbK0-_~"), "2.AXNbK0-_~");
        assert_eq!(shell_word("1!4!a&1!2!'b"), r"'1!4!a&1!2!'\''b'");
        assert_eq!((&*shell_word(""), &*shell_word("~a")), ("''", "'~a'"));
    }

    #[test]
    fn nothing_moves_the_cursor_or_reorders_text() {
        let text = "a\u{1b}[2J\u{9b}1mb\rc\td\u{202e}e\nf größe";
        assert_eq!(plain(text), "a\\u{1b}[2J\\u{9b}1mb\\rc\\td\\u{202e}e\\nf größe");
        assert_eq!(plain_source("a\tb\n\u{1b}"), "a\tb\n\\u{1b}");
        for hidden in ['\u{ad}', '\u{200b}', '\u{200d}', '\u{2028}', '\u{2060}', '\u{feff}', '\u{e0041}'] {
            let text = format!("a{hidden}b");
            assert_eq!(plain(&text), format!("a{}b", hidden.escape_default()));
            let json = json_text(serde_json::json!(text));
            assert!(json.is_ascii(), "{json}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
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
