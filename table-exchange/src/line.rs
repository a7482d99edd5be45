use table_store::Entity;

/// A line of a file.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number, counted from 1; the first one's if it goes over several.
    pub number: u64,
    /// What it says.
    pub entity: Result<Entity, Broken>,
    /// Where what comes behind it begins.
    pub end: Place,
}

/// A line that is no entity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Broken {
    /// Its number.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// A place between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes before it.
    pub offset: u64,
    /// The number of the line that begins there, counted from 1.
    pub line: u64,
}

impl Place {
    /// Where a file begins.
    pub const START: Self = Self { offset: 0, line: 1 };
}
