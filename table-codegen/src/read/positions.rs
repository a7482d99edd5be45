//! Where keys and values stand.

use std::ops::Range;

use super::tree::{Entry, Table};
use crate::source::{Source, Spot};

/// Where everything of a design stands in its files. What a finding is about is looked up by its path.
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
    sources: Vec<Source>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// How many characters.
    pub length: usize,
    /// The line's text.
    pub excerpt: String,
}

impl Position {
    /// The place, its line and a mark beneath it with a label, in the form of compilers. Each line ends.
    pub fn marked(&self, label: &str) -> String {
        let Self { file, line, column, length, excerpt } = self;
        let edge = " ".repeat(self.edge());
        // A tab is as wide in the line of marks as in the line above it.
        let before = excerpt.chars().take(column.saturating_sub(1));
        let indent: String = before.map(|character| if character == '\t' { '\t' } else { ' ' }).collect();
        let marks = format!("{edge} | {indent}{} {label}", "^".repeat(*length));
        format!("{edge}--> {file}:{line}:{column}\n{edge} |\n{line} | {excerpt}\n{}\n", marks.trim_end())
    }

    /// Columns before the bar: what is said below it begins there as well.
    pub fn edge(&self) -> usize {
        self.line.to_string().len()
    }
}

impl Positions {
    pub(super) const fn new(root: Table, sources: Vec<Source>) -> Self {
        Self { root, sources }
    }

    /// Where the key at the end of a path stands: `["entity", "Employee"]`.
    pub fn key(&self, path: &[&str]) -> Option<Position> {
        self.position(&self.entry(path)?.key)
    }

    /// Where the value at the end of a path stands; of a text what is between the quotation marks.
    pub fn value(&self, path: &[&str]) -> Option<Position> {
        self.position(&self.entry(path)?.value.inner())
    }

    /// Where some bytes of the text at the end of a path stand.
    pub fn part(&self, path: &[&str], bytes: Range<usize>) -> Option<Position> {
        self.position(&self.entry(path)?.value.part(&bytes))
    }

    fn entry(&self, path: &[&str]) -> Option<&Entry> {
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
