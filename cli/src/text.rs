//! Text for a terminal.

use std::fmt::Display;

use table_advisor::Finding;

/// Columns of a report.
pub(crate) const WIDTH: usize = 100;

/// Lines of at most so many characters, broken at spaces. A longer word has a line of its own.
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

/// Characters.
pub(crate) fn wide(text: &str) -> usize {
    text.chars().count()
}

/// A text in one line, without what would move a terminal's cursor.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

/// A text cut to so many characters, with a sign that something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// A count as a number that is computed with.
pub(crate) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

/// `1 error`, `2 errors`, `2 entities`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, word: &str) -> String {
    match word.strip_suffix('y') {
        _ if count == N::from(1) => format!("{count} {word}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {word}s"),
    }
}

/// What a finding says, after its subject where the sentence does not name it.
pub(crate) fn told(finding: &Finding) -> String {
    if finding.message.contains(&format!("`{}`", finding.subject)) {
        finding.message.clone()
    } else {
        format!("`{}`: {}", finding.subject, finding.message)
    }
}
