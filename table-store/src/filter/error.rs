use std::{fmt, ops::Range};

use crate::{ErrorCode, TableError};

/// Most characters of a filter's text that an error repeats.
const SHOWN: usize = 200;
/// Most characters that it shows on each side of the place at fault.
const AROUND: usize = 40;

/// Why a text is no filter: the service's code and text, the place, and what to write instead.
///
/// `Display` shows the place:
///
/// ```
/// use table_store::Filter;
///
/// let error = Filter::parse("Name eq 'Jo' && Age gt 30").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Syntax error at position 15 in 'Name eq 'Jo' && Age gt 30'.\n\
///      | Name eq 'Jo' && Age gt 30\n\
///      |              ^^ write `and` for `&&`"
/// );
/// ```
///
/// As a [`TableError`] it has one line: the message, then the hint.
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

/// The part of the text around the place at fault, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: String,
    /// Characters before the place.
    indent: usize,
    /// Characters of the place, at least one.
    width: usize,
}

impl FilterError {
    pub(super) fn new(code: ErrorCode, text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let excerpt = Excerpt::of(text, &span);
        Self(Box::new(Inner { code, message: message.into(), hint: None, span, excerpt }))
    }

    /// A refusal of something that is written correctly but means nothing here.
    pub(super) fn invalid(text: &str, span: Range<usize>, what: &str) -> Self {
        let message = format!("{} {what}", ErrorCode::InvalidInput.message());
        Self::new(ErrorCode::InvalidInput, text, span, message)
    }

    /// A refusal of something that the OData language has and the service has not.
    pub(super) fn not_implemented(text: &str, span: Range<usize>) -> Self {
        Self::new(ErrorCode::NotImplemented, text, span, ErrorCode::NotImplemented.message())
    }

    /// The service's own text for an unexpected token. The position is the one just past it.
    pub(super) fn syntax(text: &str, span: Range<usize>) -> Self {
        let position = characters(text, span.end);
        let message = format!("Syntax error at position {position} in '{}'.", clip(text));
        Self::new(ErrorCode::InvalidInput, text, span, message)
    }

    /// The service's own text for a quote that is not closed.
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

    /// `InvalidInput` or `NotImplemented`.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// What is wrong, in the service's words where they are known.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to write instead, if that can be guessed.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The place at fault in the text, in bytes. Empty at the end of a text that stops too early.
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

/// The beginning of a text on one line, safe for a terminal and a log.
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
