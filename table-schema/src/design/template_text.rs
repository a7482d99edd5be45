//! A template as spelled, and what it was read as.

use crate::template::{Template, TemplateError};

/// A template's text and what came of reading it: a mistake stays in the model, so that all mistakes of a design can be
/// reported together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateText {
    text: String,
    read: Result<Template, TemplateError>,
}

impl TemplateText {
    /// Reads the text.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let read = Template::parse(&text);
        Self { text, read }
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The template, if the text is one.
    pub fn template(&self) -> Option<&Template> {
        self.read.as_ref().ok()
    }

    /// Why it is none.
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
