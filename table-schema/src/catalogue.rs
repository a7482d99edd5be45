//! The one catalogue of mistakes: codes, titles, explanations.

use std::fmt;

/// The code of a kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A template names a field that does not exist.
    D008,
    /// An unclosed brace.
    D009,
    /// A format that is not for this type.
    D010,
    /// A forbidden character.
    D011,
    /// A number out of range.
    D024,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
