//! Mistakes in a template's text.

use std::ops::Range;

use thiserror::Error;

use crate::catalogue::Code;

/// A text that is no template: what is wrong, where, and what to write instead.
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

    /// The mistake's entry in the catalogue.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The bytes of the template that are wrong.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What to write instead.
    pub fn help(&self) -> &str {
        &self.help
    }
}
