//! Template text and its parse result.

use crate::template::{Template, TemplateError};

/// The text of a template and the result of parsing it. Errors are part of the model, so that all errors of a design
/// can be reported together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateText {
    text: String,
    read: Result<Template, TemplateError>,
}

impl TemplateText {
    /// Parses a template.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let read = Template::parse(&text);
        Self { text, read }
    }

    /// Returns the text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the template, or `None` if it is invalid.
    pub fn template(&self) -> Option<&Template> {
        self.read.as_ref().ok()
    }

    /// Returns the parse error, or `None` if it is valid.
    pub fn error(&self) -> Option<&TemplateError> {
        self.read.as_ref().err()
    }
}

impl From<&str> for TemplateText {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for TemplateText {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}
