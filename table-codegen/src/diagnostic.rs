//! Diagnostics of design files.

use std::{fmt, ops::Range};

use table_schema::catalogue::{Code, Severity};

use crate::{
    read::Position,
    source::{Source, Spot},
};

/// An error or warning in a file: the cause, the location and the remedy. The `Display` output has the format of
/// compiler diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalog entry.
    pub code: Code,
    /// The name of the file.
    pub file: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// Number of marked characters; at least 1.
    pub length: usize,
    /// The marked byte range.
    pub bytes: Range<usize>,
    /// The source line.
    pub excerpt: String,
    /// The cause.
    pub message: String,
    /// The label next to the mark; may be empty.
    pub label: String,
    /// The remedy; may be empty.
    pub help: String,
}

/// All diagnostics of a read operation, sorted by location. Never empty as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostic {
    /// Returns the severity.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Returns the location.
    pub fn position(&self) -> Position {
        let Self { file, line, column, length, excerpt, .. } = self.clone();
        Position { file, line, column, length, excerpt }
    }
}

impl std::ops::Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, message, label, help, .. } = self;
        let place = self.position();
        write!(f, "{}[{code}]: {message}\n{}", self.severity(), place.marked(label))?;
        if !help.is_empty() {
            writeln!(f, "{:1$} = help: {help}", "", place.edge())?;
        }
        Ok(())
    }
}

/// A diagnostic during reading, with locations in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) code: Code,
    pub(crate) spot: Spot,
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) help: String,
}

impl Found {
    pub(crate) fn new(code: Code, spot: &Spot, message: impl Into<String>) -> Self {
        let spot = spot.clone();
        Self { code, spot, message: message.into(), label: String::new(), help: String::new() }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Converts the location to lines and columns. Returns `None` if `sources` does not contain the file.
    pub(crate) fn placed(self, sources: &[Source]) -> Option<Diagnostic> {
        let Self { code, spot, message, label, help } = self;
        let source = sources.get(spot.file)?;
        let (line, column) = source.position(spot.range.start);
        Some(Diagnostic {
            code,
            file: source.name.clone(),
            line,
            column,
            length: source.length(&spot.range),
            excerpt: source.line(spot.range.start).to_owned(),
            bytes: spot.range,
            message,
            label,
            help,
        })
    }
}

/// Sorts the diagnostics by location, then by code.
pub(crate) fn sorted(mut found: Vec<Found>, sources: &[Source]) -> Vec<Diagnostic> {
    found.sort_by(|left, right| {
        let key = |found: &Found| (found.spot.file, found.spot.range.start, found.spot.range.end);
        key(left)
            .cmp(&key(right))
            .then(left.code.cmp(&right.code))
            .then_with(|| left.message.cmp(&right.message))
    });
    let mut placed: Vec<Diagnostic> = found.into_iter().filter_map(|found| found.placed(sources)).collect();
    placed.dedup();
    placed
}
