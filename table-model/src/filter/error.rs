use std::{fmt, ops::Range};

use crate::{ErrorCode, TableError};

/// Maximum number of characters of the filter string in an error.
const SHOWN: usize = 200;
/// Maximum number of characters shown on each side of the error span.
const AROUND: usize = 40;

/// Error of an invalid filter: the service's code and message, the span and a suggested correction.
///
/// `Display` shows the span:
///
/// ```
/// use table_model::Filter;
///
/// let error = Filter::parse("Name eq 'Jo' && Age gt 30").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Syntax error at position 15 in 'Name eq 'Jo' && Age gt 30'.\n\
///      | Name eq 'Jo' && Age gt 30\n\
///      |              ^^ write `and` instead of `&&`"
/// );
/// ```
///
/// Converted to a [`TableError`], it has one line: the message, followed by the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: ErrorCode,
    message: String,
    hint: Option<String>,
    span: Range<usize>,
    excerpt: Excerpt,
}

/// Part of the filter string around the error span, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: String,
    /// Number of characters before the span.
    indent: usize,
    /// Number of characters of the span, at least one.
    width: usize,
}

impl FilterError {
    pub(super) fn new(code: ErrorCode, text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let excerpt = Excerpt::of(text, &span);
        Self(Box::new(Inner { code, message: message.into(), hint: None, span, excerpt }))
    }

    /// Creates the error for input that is syntactically correct but invalid in this position.
    pub(super) fn invalid(text: &str, span: Range<usize>, what: &str) -> Self {
        let message = format!("{} {what}", ErrorCode::InvalidInput.message());
        Self::new(ErrorCode::InvalidInput, text, span, message)
    }

    /// Creates the error for OData syntax that the service does not support.
    pub(super) fn not_implemented(text: &str, span: Range<usize>) -> Self {
        Self::new(ErrorCode::NotImplemented, text, span, ErrorCode::NotImplemented.message())
    }

    /// Creates the service's error for an unexpected token. Its position is the one after the token.
    pub(super) fn syntax(text: &str, span: Range<usize>) -> Self {
        let position = characters(text, span.end);
        let message = format!("Syntax error at position {position} in '{}'.", clip(text));
        Self::new(ErrorCode::InvalidInput, text, span, message)
    }

    /// Creates the service's error for an unterminated string.
    pub(super) fn unterminated(text: &str, span: Range<usize>) -> Self {
        let position = characters(text, span.end);
        let message = format!("There is an unterminated literal at position {position} in '{}'.", clip(text));
        Self::new(ErrorCode::InvalidInput, text, span, message)
    }

    #[must_use]
    pub(super) fn hinting(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the error code: `InvalidInput` or `NotImplemented`.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Returns the error message, in the service's wording if it is known.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns a suggested correction, if available.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Returns the byte span of the error in the filter string. The span is empty at the end of an incomplete filter.
    pub fn span(&self) -> Range<usize> {
        self.0.span.clone()
    }
}

impl Excerpt {
    fn of(text: &str, span: &Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or_default();
        let place = text.get(span.clone()).unwrap_or_default();
        let after = text.get(span.end..).unwrap_or_default();
        let mut line: Vec<char> = before.chars().rev().take(AROUND).collect();
        line.reverse();
        let indent = line.len();
        line.extend(place.chars().take(AROUND));
        let width = (line.len() - indent).max(1);
        line.extend(after.chars().take(AROUND));
        let line = line.into_iter().map(visible).collect();
        Self { line, indent, width }
    }
}

fn characters(text: &str, end: usize) -> usize {
    text.get(..end).unwrap_or(text).chars().count()
}

/// Returns the start of a string on one line, with characters that are safe for terminals and logs.
fn clip(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

fn visible(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { message, hint, excerpt: Excerpt { line, indent, width }, .. } = &*self.0;
        write!(f, "{message}\n| {line}\n| {:indent$}{}", "", "^".repeat(*width))?;
        match hint {
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FilterError {}

impl From<FilterError> for TableError {
    fn from(error: FilterError) -> Self {
        let Inner { code, message, hint, .. } = *error.0;
        let message = match hint {
            Some(hint) => format!("{message} Hint: {hint}."),
            None => message,
        };
        Self::with_message(code, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;

    #[test]
    fn the_one_recorded_message_is_given_word_for_word() {
        let error = Filter::parse("aaa bbb ccc").unwrap_err();
        assert_eq!(error.message(), "Syntax error at position 7 in 'aaa bbb ccc'.");
        assert_eq!(error.span(), 4..7);
        let error = TableError::from(error);
        assert_eq!((error.code(), error.status()), (ErrorCode::InvalidInput, 400));
        assert!(error.message().starts_with("Syntax error at position 7 in 'aaa bbb ccc'."), "{error}");
    }

    #[test]
    fn positions_count_characters_and_spans_count_bytes() {
        let error = Filter::parse("Größe eq 'ü' ?").unwrap_err();
        assert_eq!(error.message(), "Syntax error at position 14 in 'Größe eq 'ü' ?'.");
        assert_eq!(error.span(), 16..17);
        let shown = error.to_string();
        let mut lines = shown.lines().skip(1);
        assert_eq!(lines.next(), Some("| Größe eq 'ü' ?"));
        assert!(lines.next().is_some_and(|line| line.starts_with("|              ^")), "{shown}");
    }

    #[test]
    fn a_long_text_is_shown_in_part_and_on_one_line() {
        let text = format!("{}\nA eq ! {}", "A eq 1 or ".repeat(14), "x".repeat(1000));
        let error = Filter::parse(&text).unwrap_err();
        assert_eq!(error.to_string().lines().count(), 3, "{error}");
        assert!(error.message().chars().count() < 260, "{error}");
        assert!(error.to_string().contains("A eq 1 or  A eq ! xxx"), "{error}");
    }
}
