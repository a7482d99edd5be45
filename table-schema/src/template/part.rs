//! Template parts as plain data.

use super::Shape;

/// A borrowed part of a template, as stored in consts of generated code and used by bounds and interpreters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<'t> {
    /// A literal.
    Literal(&'t str),
    /// The value of an entity field.
    Field {
        /// The name of the entity field.
        field: &'t str,
        /// The encoding of the value.
        shape: Shape,
        /// `true` if the value can be decoded from the key.
        exact: bool,
    },
}

impl Part<'_> {
    /// Returns the character that terminates text before this part.
    pub(crate) fn separator(&self) -> Option<char> {
        match self {
            Self::Literal(text) => text.chars().next(),
            Self::Field { .. } => None,
        }
    }
}
