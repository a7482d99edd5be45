//! Templates at run time.

use std::{borrow::Cow, ops::Range};

use super::{Part, Shape};
use crate::{
    bounds::{Bounds, OpenRange},
    key::{KeyError, KeyKind, KeyReader, KeyRule, KeyValue, KeyWriter, TemplateMismatch},
};

/// A template for keys of one kind: encodes, decodes and computes bounds. Generated code stores it in a const.
///
/// ```
/// use table_schema::{key::{KeyKind, KeyValue, STRICT_UNITS}, template::{KeyForm, Part, Shape}};
///
/// const ROW: KeyForm<'static> = KeyForm::new(
///     KeyKind::Row,
///     &[Part::Literal("empid_"), Part::Field { field: "id", shape: Shape::Padded(6), exact: true }],
/// );
/// assert_eq!(ROW.encode(&[("id", 223_u32.into())], STRICT_UNITS)?, "empid_000223");
/// assert_eq!(ROW.decode("empid_000223"), Ok(vec![("id", KeyValue::Unsigned(223))]));
/// assert!(ROW.decode("empid_+00223").is_err());
/// # Ok::<(), table_schema::key::KeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyForm<'t> {
    kind: KeyKind,
    parts: Cow<'t, [Part<'t>]>,
    siblings: &'t [&'t str],
}

/// The spans of the fields in a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpans<'t> {
    /// The fields in the order of the template, each with its byte range.
    pub fields: Vec<(&'t str, Range<usize>)>,
    /// The byte where the key stops matching the template. `None` if it matches.
    pub mismatch: Option<usize>,
}

impl<'t> KeyForm<'t> {
    // Not a call of `new`: a constant with parts that the compiler cannot see would need a destructor, and struct update
    // syntax could not use it.
    pub(crate) const EMPTY: Self = Self { kind: KeyKind::Row, parts: Cow::Borrowed(&[]), siblings: &[] };

    /// Creates a form with these parts.
    pub const fn new(kind: KeyKind, parts: &'t [Part<'t>]) -> Self {
        Self { kind, parts: Cow::Borrowed(parts), siblings: &[] }
    }

    pub(super) const fn owned(kind: KeyKind, parts: Vec<Part<'t>>) -> Self {
        Self { kind, parts: Cow::Owned(parts), siblings: &[] }
    }

    /// Sets the literals that keys must not start with: the leading literals of sibling templates that differ in shape
    /// and that unescaped text could match.
    #[must_use]
    pub fn apart_from(mut self, siblings: &'t [&'t str]) -> Self {
        self.siblings = siblings;
        self
    }

    /// Returns the kind of the keys.
    pub const fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[Part<'t>] {
        &self.parts
    }

    /// Returns whether a key starts like the keys of sibling rows and therefore does not belong to this template.
    pub fn is_of_sibling(&self, key: &str) -> bool {
        self.siblings.iter().any(|literal| key.starts_with(literal))
    }

    /// Returns the literal that every key starts with.
    pub fn lead(&self) -> &'t str {
        match self.parts.first() {
            Some(Part::Literal(text)) => text,
            _ => "",
        }
    }

    /// Returns the number of template fields. An entity field that is used twice counts twice.
    pub fn hole_count(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part, Part::Field { .. })).count()
    }

    /// Returns the part at `index` and the separator that terminates text there.
    pub(crate) fn part(&self, index: usize) -> Option<(Part<'t>, Option<char>)> {
        let separator = self.parts.get(index + 1).and_then(Part::separator);
        Some((*self.parts.get(index)?, separator))
    }

    /// Encodes the key for these values, which are found by field name. The key has at most `limit` UTF-16 units.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if a value is missing or invalid, or if the key is invalid or too long.
    pub fn encode(&self, values: &[(&str, KeyValue<'_>)], limit: usize) -> Result<String, KeyError> {
        let find = |field: &str| values.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
        self.encode_with(find, limit)
    }

    /// Encodes the key for the values that `find` returns for its fields. The key has at most `limit` UTF-16 units.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if a value is missing or invalid, or if the key is invalid or too long.
    pub fn encode_with<'v, 'k: 'v>(
        &self,
        find: impl Fn(&str) -> Option<&'v KeyValue<'k>>,
        limit: usize,
    ) -> Result<String, KeyError> {
        let mut writer = KeyWriter::with_room(self.kind);
        let mut index = 0;
        while let Some((part, separator)) = self.part(index) {
            match part {
                Part::Literal(text) => writer.literal(text),
                Part::Field { field, shape, .. } => {
                    let Some(value) = find(field) else {
                        return Err(KeyError::new(field, "nothing", KeyRule::Missing));
                    };
                    writer.value(field, shape, separator, value)?;
                }
            }
            index += 1;
        }
        writer.apart_from(self.siblings)?;
        writer.finish(limit)
    }

    /// Decodes the values of a key, in the order of the template fields. A date decodes to the first tick of its
    /// period. Two template fields of the same entity field must have the same value, unless one of them is truncated.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key was not encoded with this template.
    pub fn decode<'k>(&self, key: &'k str) -> Result<Vec<(&'t str, KeyValue<'k>)>, TemplateMismatch> {
        if self.is_of_sibling(key) {
            return Err(TemplateMismatch);
        }
        let mut reader = KeyReader::new(self.kind, key);
        let mut values: Vec<(&'t str, bool, KeyValue<'k>)> = Vec::with_capacity(self.hole_count());
        let mut index = 0;
        while let Some((part, separator)) = self.part(index) {
            match part {
                Part::Literal(text) => reader.literal(text)?,
                Part::Field { field, shape, exact } => {
                    let value = reader.value(shape, separator)?;
                    let differs = |(name, whole, other): &(&str, bool, KeyValue<'_>)| {
                        *name == field && exact && *whole && *other != value
                    };
                    if values.iter().any(differs) {
                        return Err(TemplateMismatch);
                    }
                    values.push((field, exact, value));
                }
            }
            index += 1;
        }
        reader.finish()?;
        Ok(values.into_iter().map(|(field, _, value)| (field, value)).collect())
    }

    /// Returns the spans of the fields in a key, up to the part that does not match.
    ///
    /// ```
    /// use table_schema::{key::KeyKind, template::Template};
    ///
    /// let template = Template::parse("empid_{id:06}_{name}")?;
    /// let spans = template.form(KeyKind::Row).spans("empid_000223-Jo");
    /// assert_eq!((spans.fields, spans.mismatch), (vec![("id", 6..12)], Some(12)));
    /// # Ok::<(), table_schema::template::TemplateError>(())
    /// ```
    #[must_use]
    pub fn spans(&self, key: &str) -> KeySpans<'t> {
        let mut reader = KeyReader::new(self.kind, key);
        let mut fields = Vec::with_capacity(self.hole_count());
        let mut index = 0;
        while let Some((part, separator)) = self.part(index) {
            let start = reader.position();
            match part {
                Part::Literal(text) if reader.literal(text).is_err() => {
                    let rest = key.get(start..).unwrap_or_default();
                    let same = text.chars().zip(rest.chars()).take_while(|(one, other)| one == other);
                    let at = start + same.map(|(one, _)| one.len_utf8()).sum::<usize>();
                    return KeySpans { fields, mismatch: Some(at) };
                }
                Part::Literal(_) => {}
                Part::Field { field, shape, .. } => {
                    if reader.value(shape, separator).is_err() {
                        return KeySpans { fields, mismatch: Some(start) };
                    }
                    fields.push((field, start..reader.position()));
                }
            }
            index += 1;
        }
        let end = reader.position();
        let is_end = reader.finish().is_ok();
        // Fields with different values, or the start of a key of other rows.
        let mismatch = if is_end { self.decode(key).err().map(|_| 0) } else { Some(end) };
        KeySpans { fields, mismatch }
    }

    /// Returns the range of all rows of this kind. [`OpenRange::fix`] restricts it to rows with given leading values.
    pub fn open(&self) -> OpenRange<'t> {
        OpenRange::new(self.clone())
    }

    /// Returns the bounds of all rows of this kind.
    pub fn all(&self) -> Bounds {
        self.open().bounds()
    }

    /// Returns the shape of the leading template field, or `None` if a literal is first.
    pub(crate) fn leading_shape(&self) -> Option<Shape> {
        match self.parts.first() {
            Some(Part::Field { shape, .. }) => Some(*shape),
            _ => None,
        }
    }
}
