use table_model::Entity;

/// A line of a file.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line number, starting at 1. A record of several lines has the number of its first line.
    pub number: u64,
    /// The entity, or the reason why the line is invalid.
    pub entity: Result<Entity, Broken>,
    /// The position after the line.
    pub end: Place,
}

/// A line that is not a valid entity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Broken {
    /// The line number.
    pub line: u64,
    /// The reason why it is invalid.
    pub reason: String,
}

/// A position between two lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset in bytes.
    pub offset: u64,
    /// The number of the line that starts at this position, counted from 1.
    pub line: u64,
}

impl Place {
    /// The start of a file.
    pub const START: Self = Self { offset: 0, line: 1 };
}
