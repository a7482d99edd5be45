//! The locations of keys and values.

use std::ops::Range;

use super::tree::{Entry, Table};
use crate::source::{Source, Spot};

/// The locations of all items of a design in its files. The subject of a finding is found by its path.
///
/// ```
/// use table_codegen::{Reading, Source};
///
/// let text = "tables = 1\n[query.all]\nfind = \"Employee\"\nwhere = \"age > 20%\"\n";
/// let reading = Reading::of(Source::new("company.toml", text), None);
/// let place = reading.positions.value(&["query", "all", "where"]).unwrap();
/// assert_eq!((place.line, place.column, place.length), (4, 10, 9));
/// let part = reading.positions.part(&["query", "all", "where"], 6..9).unwrap();
/// assert_eq!((part.line, part.column, part.length), (4, 16, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Positions {
    root: Table,
    pub(super) sources: Vec<Source>,
}

/// A location in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The name of the file.
    pub file: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// Number of characters.
    pub length: usize,
    /// The source line.
    pub excerpt: String,
}

impl Position {
    /// Formats the location, its line, and a mark with a label below it, as compilers do. Each line ends with a line
    /// break.
    pub fn marked(&self, label: &str) -> String {
        let Self { file, line, column, length, excerpt } = self;
        let edge = " ".repeat(self.edge());
        // Tabs are kept in the line of marks, so that both lines are aligned.
        let before = excerpt.chars().take(column.saturating_sub(1));
        let indent: String = before.map(|character| if character == '\t' { '\t' } else { ' ' }).collect();
        let marks = format!("{edge} | {indent}{} {label}", "^".repeat(*length));
        format!("{edge}--> {file}:{line}:{column}\n{edge} |\n{line} | {excerpt}\n{}\n", marks.trim_end())
    }

    /// Returns the number of columns before the bar, to which text below it is indented.
    pub fn edge(&self) -> usize {
        self.line.to_string().len()
    }
}

impl Positions {
    pub(super) const fn new(root: Table, sources: Vec<Source>) -> Self {
        Self { root, sources }
    }

    /// Returns the location of the key at the end of a path: `["entity", "Employee"]`.
    pub fn key(&self, path: &[&str]) -> Option<Position> {
        self.position(&self.entry(path)?.key)
    }

    /// Returns the location of the value at the end of a path. The location of a string excludes the quotation marks.
    pub fn value(&self, path: &[&str]) -> Option<Position> {
        self.position(&self.entry(path)?.value.inner())
    }

    /// Returns the location of a byte range of the string at the end of a path.
    pub fn part(&self, path: &[&str], bytes: Range<usize>) -> Option<Position> {
        self.position(&self.entry(path)?.value.part(&bytes))
    }

    pub(super) fn entry(&self, path: &[&str]) -> Option<&Entry> {
        self.root.find(path)
    }

    fn position(&self, spot: &Spot) -> Option<Position> {
        let source = self.sources.get(spot.file)?;
        let (line, column) = source.position(spot.range.start);
        Some(Position {
            file: source.name.clone(),
            line,
            column,
            length: source.length(&spot.range),
            excerpt: source.line(spot.range.start).to_owned(),
        })
    }
}
