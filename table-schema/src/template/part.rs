//! A part of a template as plain data.

use super::Shape;

/// A part of a template, borrowed: as generated code holds it in a const, and as bounds and interpreters read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<'t> {
    /// The template's own text.
    Literal(&'t str),
    /// A field's value.
    Hole {
        /// The field's name.
        field: &'t str,
        /// How the value is written.
        shape: Shape,
        /// Whether the key gives the value back.
        exact: bool,
    },
}

impl Part<'_> {
    /// The character that ends a text before this part.
    pub(crate) fn separator(&self) -> Option<char> {
        match self {
            Self::Literal(text) => text.chars().next(),
            Self::Hole { .. } => None,
        }
    }
}
