//! Rule violations of a design.

use std::{fmt, ops::Range};

use crate::{
    catalogue::{Code, Severity},
    design::{EntityDesign, Place, Which},
};

/// A rule violation: the cause, the location and the remedy. The `Display` output has three parts: the message, the
/// template with carets below the range, and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleViolation {
    /// The catalog entry.
    pub code: Code,
    /// The location.
    pub place: Place,
    /// The cause.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// The remedy in a design file, if the syntax differs there.
    pub file_help: Option<String>,
    /// The template and the byte range of the violation.
    pub excerpt: Option<(String, Range<usize>)>,
}

impl RuleViolation {
    /// Creates a violation outside templates.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self { code, place, message: message.into(), help: None, file_help: None, excerpt: None }
    }

    /// Creates a violation in a part of a template.
    pub fn in_template(
        design: &EntityDesign,
        code: Code,
        which: Which,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let excerpt = design.template_text(which).map(|text| (text.text().to_owned(), range.clone()));
        Self {
            code,
            place: Place::Template { which, range },
            message: message.into(),
            help: None,
            file_help: None,
            excerpt,
        }
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help for design files.
    #[must_use]
    pub fn file_help(mut self, help: impl Into<String>) -> Self {
        self.file_help = Some(help.into());
        self
    }

    /// Returns the severity.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Formats the three parts, with the code after the message: `... before 9 [K10]`.
    pub fn with_code(&self) -> String {
        self.render(&format!("{} [{}]", self.message, self.code))
    }

    fn render(&self, message: &str) -> String {
        let mut text = message.to_owned();
        if let Some((template, range)) = &self.excerpt {
            let width = |range: Range<usize>| template.get(range).map_or(0, |part| part.chars().count());
            let indent = " ".repeat(width(0..range.start));
            let carets = "^".repeat(width(range.clone()).max(1));
            text = format!("{text}\n  \"{template}\"\n   {indent}{carets}");
        }
        if let Some(help) = &self.help {
            text = format!("{text}\n\nhelp: {help}");
        }
        text
    }
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&self.message))
    }
}
