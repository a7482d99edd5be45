//! Text for a terminal.

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
