//! A template at run time.

use std::borrow::Cow;

use super::{Part, Shape};
use crate::{
    bounds::{Bounds, OpenRange},
    key::{KeyError, KeyKind, KeyReader, KeyRule, KeyValue, KeyWriter, NotThisTemplate},
};

/// A template as keys of one kind: encodes, decodes, makes bounds. Generated code keeps it in a const.
///
/// ```
/// use table_schema::{key::{KeyKind, KeyValue, STRICT_UNITS}, template::{KeyForm, Part, Shape}};
///
/// const ROW: KeyForm<'static> = KeyForm::new(
///     KeyKind::Row,
///     &[Part::Literal("empid_"), Part::Hole { field: "id", shape: Shape::Padded(6), exact: true }],
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

impl<'t> KeyForm<'t> {
    /// A form of these parts.
    pub const fn new(kind: KeyKind, parts: &'t [Part<'t>]) -> Self {
        Self { kind, parts: Cow::Borrowed(parts), siblings: &[] }
    }

    pub(super) const fn owned(kind: KeyKind, parts: Vec<Part<'t>>) -> Self {
        Self { kind, parts: Cow::Owned(parts), siblings: &[] }
    }

    /// The same, whose keys may not begin with one of these literals: those of sibling templates that differ in shape,
    /// and that a bare text could run into.
    #[must_use]
    pub fn apart_from(mut self, siblings: &'t [&'t str]) -> Self {
        self.siblings = siblings;
        self
    }

    /// What the keys name.
    pub const fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The parts in order.
    pub fn parts(&self) -> &[Part<'t>] {
        &self.parts
    }

    /// Whether a key begins as the keys of sibling rows do, and so is none of this template.
    pub fn is_of_sibling(&self, key: &str) -> bool {
        self.siblings.iter().any(|literal| key.starts_with(literal))
    }

    /// The literal that every key begins with.
    pub fn lead(&self) -> &'t str {
        match self.parts.first() {
            Some(Part::Literal(text)) => text,
            _ => "",
        }
    }

    /// How many fields the key takes; a field with two holes counts twice.
    pub fn hole_count(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part, Part::Hole { .. })).count()
    }

    /// The part at `index`, and the character that ends a text there.
    pub(crate) fn part(&self, index: usize) -> Option<(Part<'t>, Option<char>)> {
        let separator = self.parts.get(index + 1).and_then(Part::separator);
        Some((*self.parts.get(index)?, separator))
    }

    /// The key of these values, found by field name; at most `limit` UTF-16 units.
    pub fn encode(&self, values: &[(&str, KeyValue<'_>)], limit: usize) -> Result<String, KeyError> {
        let find = |field: &str| values.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
        self.encode_with(find, limit)
    }

    /// The key of the values that `find` has for its fields; at most `limit` UTF-16 units.
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
                Part::Hole { field, shape, .. } => {
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

    /// The values in a key, in the order of the holes. A date gives the first tick of its period. A field with two
    /// holes must have one value, unless one of them is cut.
    pub fn decode<'k>(&self, key: &'k str) -> Result<Vec<(&'t str, KeyValue<'k>)>, NotThisTemplate> {
        if self.is_of_sibling(key) {
            return Err(NotThisTemplate);
        }
        let mut reader = KeyReader::new(self.kind, key);
        let mut values: Vec<(&'t str, bool, KeyValue<'k>)> = Vec::with_capacity(self.hole_count());
        let mut index = 0;
        while let Some((part, separator)) = self.part(index) {
            match part {
                Part::Literal(text) => reader.literal(text)?,
                Part::Hole { field, shape, exact } => {
                    let value = reader.value(shape, separator)?;
                    let differs = |(name, whole, other): &(&str, bool, KeyValue<'_>)| {
                        *name == field && exact && *whole && *other != value
                    };
                    if values.iter().any(differs) {
                        return Err(NotThisTemplate);
                    }
                    values.push((field, exact, value));
                }
            }
            index += 1;
        }
        reader.finish()?;
        Ok(values.into_iter().map(|(field, _, value)| (field, value)).collect())
    }

    /// The range of all rows of this kind; with [`OpenRange::fix`] of those with given leading parts.
    pub fn open(&self) -> OpenRange<'t> {
        OpenRange::new(self.clone())
    }

    /// The bounds of all rows of this kind.
    pub fn all(&self) -> Bounds {
        self.open().bounds()
    }

    /// Whether a hole with this shape leads.
    pub(crate) fn leading_shape(&self) -> Option<Shape> {
        match self.parts.first() {
            Some(Part::Hole { shape, .. }) => Some(*shape),
            _ => None,
        }
    }
}
