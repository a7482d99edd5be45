//! Errors in the text of a template.

use std::ops::Range;

use thiserror::Error;

use crate::catalogue::Code;

/// The error for an invalid template: the cause, its span and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct TemplateError {
    code: Code,
    span: Range<usize>,
    message: String,
    help: String,
}

impl TemplateError {
    pub(super) fn new(
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { code, span, message: message.into(), help: help.into() }
    }

    /// Returns the catalog entry of the error.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns the byte range of the invalid part of the template.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the remedy.
    pub fn help(&self) -> &str {
        &self.help
    }
}
