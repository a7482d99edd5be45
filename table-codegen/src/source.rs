//! Source files and locations in them.

use std::ops::Range;

/// A file: its name, for messages, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name.
    pub name: String,
    /// The content.
    pub text: String,
}

/// A location in a group of files that are read together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
}

impl Source {
    /// Creates a file with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Returns the line and column of a byte, both starting at 1. Columns count characters.
    pub(crate) fn position(&self, byte: usize) -> (usize, usize) {
        let before = self.text.get(..byte.min(self.text.len())).unwrap_or(&self.text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, before.get(start..).map_or(0, |line| line.chars().count()) + 1)
    }

    /// Returns the number of characters in these bytes on their first line; at least 1.
    pub(crate) fn length(&self, range: &Range<usize>) -> usize {
        let marked = self.text.get(range.clone()).unwrap_or_default();
        marked.lines().next().unwrap_or_default().chars().count().max(1)
    }

    /// Returns the line that contains a byte, without its line break.
    pub(crate) fn line(&self, byte: usize) -> &str {
        let rest = self.text.get(self.line_start(byte)..).unwrap_or_default();
        rest.lines().next().unwrap_or_default()
    }

    /// Returns the first byte of the line that contains a byte.
    pub(crate) fn line_start(&self, byte: usize) -> usize {
        let before = self.text.get(..byte.min(self.text.len()));
        before.and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("a", "über = 1\r\nb = \"ö\"\n");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(6), (1, 6));
        assert_eq!(source.position(11), (2, 1));
        assert_eq!(source.position(usize::MAX), (3, 1));
        assert_eq!((source.line(3), source.line(12)), ("über = 1", "b = \"ö\""));
        assert_eq!(source.length(&(0..5)), 4);
        assert_eq!(source.length(&(0..30)), 1);
    }
}
