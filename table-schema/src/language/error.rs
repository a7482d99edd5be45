//! What is wrong with a text.

use std::ops::Range;

use thiserror::Error;

use crate::catalogue::Code;

/// A text that a small language does not have: what is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LanguageError {
    /// Its entry in the catalogue.
    pub code: Code,
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What was expected there.
    pub label: String,
    /// The right form: a value, without the key that it is given for.
    pub help: String,
}
