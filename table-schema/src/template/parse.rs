//! The template parser.

use std::ops::Range;

use super::{
    DateFormat, DateUnit, OrdNumber, Segment, SegmentKind, Shape, TemplateError, TemplateField,
    shape::INVERTED,
};
use crate::{
    catalogue::Code,
    key::{is_forbidden, quoted},
    suggest::closest,
};

/// The keywords for shapes, except dates and widths.
const WORDS: [&str; 9] = ["ord", "ord32", "ord64", "ticks", "inverted_ticks", "guid", "guidn", "bool", "esc"];

/// Maximum number of digits: the digits of `u128::MAX`.
const WIDEST: u8 = 39;

pub(super) fn segments(text: &str) -> Result<Vec<Segment>, TemplateError> {
    let mut segments = Vec::new();
    let mut literal = Literal::default();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let at = text.len() - rest.len();
        if rest.starts_with("{{") || rest.starts_with("}}") {
            literal.push(character, at..at + 2);
        } else if character == '{' {
            literal.end(&mut segments);
            let hole = hole(text, at)?;
            segments.push(hole);
        } else if character == '}' {
            let help = "write `}}` for a brace in the key";
            return Err(TemplateError::new(Code::D009, at..at + 1, "`}` without `{`", help));
        } else if is_forbidden(character) {
            let span = at..at + character.len_utf8();
            return Err(TemplateError::new(
                Code::D011,
                span,
                forbidden(character),
                "use another separator, `_` for example",
            ));
        } else {
            literal.push(character, at..at + character.len_utf8());
        }
        let read = segments.last().map_or(0, |segment: &Segment| segment.span.end).max(literal.span.end);
        rest = text.get(read..).unwrap_or_default();
    }
    literal.end(&mut segments);
    Ok(segments)
}

fn forbidden(character: char) -> String {
    format!("{} cannot be in a key: Azure forbids / \\ # ? and control characters", quoted(character))
}

/// The literal that is being parsed.
#[derive(Default)]
struct Literal {
    text: String,
    span: Range<usize>,
}

impl Literal {
    fn push(&mut self, character: char, span: Range<usize>) {
        if self.text.is_empty() {
            self.span.start = span.start;
        }
        self.text.push(character);
        self.span.end = span.end;
    }

    fn end(&mut self, segments: &mut Vec<Segment>) {
        if !self.text.is_empty() {
            let kind = SegmentKind::Literal(std::mem::take(&mut self.text));
            segments.push(Segment { kind, span: self.span.clone() });
        }
    }
}

/// Parses the template field that starts at `at`.
fn hole(text: &str, at: usize) -> Result<Segment, TemplateError> {
    let body = text.get(at + 1..).unwrap_or_default();
    let end = match body.find(['{', '}']) {
        Some(end) if body.get(end..).is_some_and(|rest| rest.starts_with('}')) => end,
        // In `{a` and `{a{b}`, the first brace is not closed.
        other => {
            let span = at..at + 1 + other.unwrap_or(body.len());
            let help = "write `{{` for a brace in the key";
            return Err(TemplateError::new(Code::D009, span, "`{` is not closed", help));
        }
    };
    let span = at..at + end + 2;
    let body = body.get(..end).unwrap_or_default();
    let (field, shape) = match body.split_once(':') {
        Some((field, shape)) => (field, Some(shape)),
        None => (body, None),
    };
    if !is_identifier(field) {
        let message = format!("`{{{body}}}` does not name a field");
        let help = "write `{field}` or `{field:format}`; `{{` for a brace in the key";
        return Err(TemplateError::new(Code::D008, span, message, help));
    }
    let shape = match shape {
        None => Shape::Text,
        Some(spelled) => shape_of(field, ("", spelled), &span)?,
    };
    let exact = !matches!(shape.ascending(), Shape::Date(_));
    Ok(Segment { kind: SegmentKind::Field(TemplateField { field: field.to_owned(), shape, exact }), span })
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && characters.all(|next| next == '_' || next.is_alphanumeric())
}

/// Returns the shape of a format. `prefix` is the part before it, for messages.
fn shape_of(
    field: &str,
    (prefix, spelled): (&str, &str),
    span: &Range<usize>,
) -> Result<Shape, TemplateError> {
    let error = |message: String, help: String| TemplateError::new(Code::D010, span.clone(), message, help);
    Ok(match spelled {
        "ord" => Shape::Ord(None),
        "ord32" => Shape::Ord(Some(OrdNumber::Bits32)),
        "ord64" => Shape::Ord(Some(OrdNumber::Bits64)),
        "ticks" => Shape::Ticks,
        "inverted_ticks" => Shape::InvertedTicks,
        "guid" => Shape::Guid,
        "guidn" => Shape::Guidn,
        "bool" => Shape::Flag,
        "esc" => Shape::Esc,
        inverted if inverted.starts_with(INVERTED) => {
            let spelled = inverted.get(INVERTED.len()..).unwrap_or_default();
            let shape = shape_of(field, (INVERTED, spelled), span)?;
            return match shape.descending().filter(|_| !shape.is_descending()) {
                Some(descending) => Ok(descending),
                None => Err(error(
                    format!("format `:{spelled}` cannot be inverted"),
                    format!("formats with `{INVERTED}`: `0N`, `ord`, `ticks`, `%Y%m%d`"),
                )),
            };
        }
        date if date.contains('%') => return date_of(field, (prefix, date), span),
        digits if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let Some(width) = digits.strip_prefix('0') else {
                let message =
                    format!("format `:{prefix}{digits}` pads with spaces in Rust, which keys do not use");
                return Err(error(
                    message,
                    format!("write `{{{field}:{prefix}0{digits}}}` for zero padding"),
                ));
            };
            match width.parse() {
                Ok(number @ 1..=WIDEST) if !width.starts_with('0') => Shape::Padded(number),
                _ => {
                    let message = format!("a number in a key has 1 to {WIDEST} digits, not `{digits}`");
                    let help = format!("write `{{{field}:{prefix}06}}` for six digits");
                    return Err(TemplateError::new(Code::D024, span.clone(), message, help));
                }
            }
        }
        unknown => {
            // Identifiers, truth values and text have no order to invert.
            let words = WORDS.iter().copied().take(if prefix.is_empty() { WORDS.len() } else { 4 });
            let help = match closest(unknown, words) {
                Some(word) => format!("did you mean `{prefix}{word}`?"),
                None => format!(
                    "supported: 06 (six digits), {}, %Y%m%d; `{INVERTED}` before a format of numbers or times sorts in \
                     descending order",
                    WORDS.join(", ")
                ),
            };
            return Err(error(format!("unknown key format `{prefix}{unknown}`"), help));
        }
    })
}

fn date_of(
    field: &str,
    (prefix, spelled): (&str, &str),
    span: &Range<usize>,
) -> Result<Shape, TemplateError> {
    let error = |message: String, help: String| TemplateError::new(Code::D010, span.clone(), message, help);
    let pieces: Vec<&str> = spelled.split('%').collect();
    let Some((before, pieces)) = pieces.split_first() else { return Ok(Shape::Text) };
    let mut units = Vec::new();
    let mut separators = [None; 5];
    for (index, piece) in pieces.iter().enumerate() {
        let letter = piece.chars().next().unwrap_or('%');
        let Some(unit) = DateUnit::of(letter) else {
            let message = format!("`%{letter}` is not a unit of a key's time");
            return Err(error(message, "units: %Y %m %d %H %M %S".to_owned()));
        };
        units.push(unit);
        if let Some(place) = separators.get_mut(index) {
            *place = piece.chars().nth(1);
        }
    }
    let finest = units.iter().copied().max().unwrap_or(DateUnit::Year);
    if let Some((&found, expected)) =
        units.iter().zip(DateUnit::ALL).find(|(found, expected)| *found != expected)
    {
        let message = format!(
            "`{spelled}` does not sort by time: %{} comes where %{} must",
            found.letter(),
            expected.letter()
        );
        let help = format!(
            "write `{{{field}:{prefix}{}}}`: largest unit first, none left out",
            DateFormat::new(finest)
        );
        return Err(error(message, help));
    }
    let last = units.len() - 1;
    let loose = pieces
        .iter()
        .enumerate()
        .any(|(index, piece)| piece.chars().count() > if index == last { 1 } else { 2 });
    if loose || !before.is_empty() {
        let message = format!("`{spelled}` holds more than one character between units");
        let help = format!(
            "write `{{{field}:{prefix}{}}}`, with other text outside the braces",
            DateFormat::new(finest)
        );
        return Err(error(message, help));
    }
    if let Some(character) = separators.into_iter().flatten().find(|separator| is_forbidden(*separator)) {
        let help = "use another separator, `-` for example";
        return Err(TemplateError::new(Code::D011, span.clone(), forbidden(character), help));
    }
    Ok(Shape::Date(DateFormat::separated(finest, separators)))
}
