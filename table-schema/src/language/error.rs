//! Errors of the small languages.

use std::ops::Range;

use thiserror::Error;

use crate::catalogue::Code;

/// A syntax error in a small language: the cause, its span and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct LanguageError {
    /// The catalog entry.
    pub code: Code,
    /// The byte range of the invalid text.
    pub span: Range<usize>,
    /// The cause.
    pub message: String,
    /// The expected input at the span.
    pub label: String,
    /// A valid value, without the key that it is assigned to.
    pub help: String,
}
