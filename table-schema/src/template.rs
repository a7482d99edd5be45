//! Key templates: `empid_{id:06}`, `{submitted:inverted_ticks}_{claim}`, `Logins{at:%Y%m%d}`.
//!
//! ```text
//! template = { literal | hole } ;
//! literal  = char , { char } ;         not / \ # ? nor control characters; "{{" and "}}" are one brace
//! hole     = "{" , field , [ ":" , shape ] , "}" ;
//! ```
//!
//! | shape | written as | sorts as |
//! |---|---|---|
//! | none | unchanged text | text |
//! | `esc` | text without forbidden characters | text |
//! | `0N` | N digits | number |
//! | `ord`, `ord32`, `ord64` | hex of signed integers and floats | number |
//! | `ticks` | 19 digits, 100 ns since 0001-01-01 | oldest first |
//! | `inverted_` before `0N`, `ord`, `ticks` or `%Y%m%d` | the complement | greatest or newest first |
//! | `%Y%m%d` ... | as printed, truncated after the finest unit | oldest first |
//! | `guid`, `guidn` | 36 or 32 characters | bytes |
//! | `bool` | `false`, `true` | false first |

mod date;
mod error;
mod form;
mod meet;
mod parse;
mod part;
mod shape;

use std::{fmt, ops::Range};

pub use date::{DateFormat, DateUnit};
pub use error::TemplateError;
pub use form::{KeyForm, KeySpans};
pub use meet::{can_meet, rows_can_meet, same_form};
pub use part::Part;
pub use shape::{OrdNumber, Shape};

use crate::key::KeyKind;

/// A parsed template: literals and template fields, each with its span.
///
/// ```
/// use table_schema::template::{Shape, Template};
///
/// let template = Template::parse("empid_{id:06}")?;
/// let hole = template.holes().next().unwrap();
/// assert_eq!((hole.field.as_str(), hole.shape), ("id", Shape::Padded(6)));
/// assert_eq!(template.segments()[1].span, 6..13);
///
/// let error = Template::parse("empid_{id:6}").unwrap_err();
/// assert_eq!(error.to_string(), "format `:6` pads with spaces in Rust, which keys do not use");
/// assert_eq!(error.help(), "write `{id:06}` for zero padding");
/// # Ok::<(), table_schema::template::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Template {
    text: String,
    segments: Vec<Segment>,
}

/// A part of a template with its span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// The content of the segment.
    pub kind: SegmentKind,
    /// The byte range in the template text, including braces.
    pub span: Range<usize>,
}

/// The content of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// A literal, with doubled braces unescaped.
    Literal(String),
    /// The value of an entity field.
    Field(TemplateField),
}

/// A template field: a placeholder for the value of an entity field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TemplateField {
    /// The name of the entity field.
    pub field: String,
    /// The encoding of the value.
    pub shape: Shape,
    /// `true` if the value can be decoded from the key. A date is exact only if its field has day precision. Before the
    /// type is resolved, dates are not exact.
    pub exact: bool,
}

impl Segment {
    /// Returns the template field, or `None` for a literal.
    pub const fn hole(&self) -> Option<&TemplateField> {
        match &self.kind {
            SegmentKind::Field(hole) => Some(hole),
            SegmentKind::Literal(_) => None,
        }
    }

    /// Returns the segment without its span.
    pub fn part(&self) -> Part<'_> {
        match &self.kind {
            SegmentKind::Literal(text) => Part::Literal(text),
            SegmentKind::Field(hole) => {
                Part::Field { field: &hole.field, shape: hole.shape, exact: hole.exact }
            }
        }
    }
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// Returns the first error, with its span in `text`.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        Ok(Self { text: text.to_owned(), segments: parse::segments(text)? })
    }

    /// Returns the text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the segments in order. Two literals are never adjacent.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the template fields in order.
    pub fn holes(&self) -> impl Iterator<Item = &TemplateField> + Clone {
        self.segments.iter().filter_map(Segment::hole)
    }

    /// Returns the segments without their spans.
    pub fn parts(&self) -> Vec<Part<'_>> {
        self.segments.iter().map(Segment::part).collect()
    }

    /// Returns the literal that every key starts with, or an empty string if a template field is first.
    pub fn lead(&self) -> &str {
        match self.segments.first().map(|segment| &segment.kind) {
            Some(SegmentKind::Literal(text)) => text,
            _ => "",
        }
    }

    /// Returns a form of the template for keys of this kind, which encodes, decodes and computes bounds.
    pub fn form(&self, kind: KeyKind) -> KeyForm<'_> {
        KeyForm::owned(kind, self.parts())
    }

    /// Returns a copy of the template with `change` applied to each template field. The text stays as written.
    #[must_use]
    pub fn map_holes(&self, mut change: impl FnMut(&TemplateField) -> TemplateField) -> Self {
        let segments = self.segments.iter().map(|segment| Segment {
            kind: match &segment.kind {
                SegmentKind::Field(hole) => SegmentKind::Field(change(hole)),
                literal @ SegmentKind::Literal(_) => literal.clone(),
            },
            span: segment.span.clone(),
        });
        Self { text: self.text.clone(), segments: segments.collect() }
    }

    /// Returns the maximum key length in UTF-16 units, or `None` if a template field is unbounded. `max` returns the
    /// bound of a text field.
    ///
    /// ```
    /// use table_schema::template::Template;
    ///
    /// let template = Template::parse("{name:esc}_{id:06}")?;
    /// assert_eq!(template.longest(|_| Some(40)), Some(87));
    /// assert_eq!(template.longest(|_| None), None);
    /// # Ok::<(), table_schema::template::TemplateError>(())
    /// ```
    pub fn longest(&self, max: impl Fn(&str) -> Option<usize>) -> Option<usize> {
        self.segments
            .iter()
            .map(|segment| match &segment.kind {
                SegmentKind::Literal(text) => Some(crate::key::units(text)),
                SegmentKind::Field(hole) => hole.shape.longest(max(&hole.field)),
            })
            .sum()
    }
}

impl fmt::Display for TemplateField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Text => write!(f, "{{{}}}", self.field),
            shape => write!(f, "{{{}:{shape}}}", self.field),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
