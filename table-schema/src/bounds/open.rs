//! Conversion of query values to bounds.

use std::ops::{Bound, RangeBounds};

use super::{Bounds, End, KeyRange};
use crate::{
    key::{KeyError, KeyKind, KeyRule, KeyValue, KeyWriter, compare, refused_beginning, succ},
    template::{KeyForm, Part, Shape},
};

/// The first key above the internal row keys of the library, which start with `!`, and above all keys below them.
const FIRST_USER_KEY: &str = "\"";

/// The rows of a template whose leading fields have fixed values: all of them, or an interval of the next field.
///
/// ```
/// use table_schema::{key::KeyKind, template::Template};
///
/// let template = Template::parse("{id:06}_{year:04}")?;
/// let form = template.form(KeyKind::Row);
/// let reviews = form.open().fix(&123_u32.into())?;
/// assert_eq!(reviews.bounds().to_string(), "ge '000123_' and lt '000123`'");
/// assert_eq!(reviews.between(2010_u16..=2012)?.to_string(), "ge '000123_2010' and le '000123_2012'");
/// assert_eq!(reviews.fix(&2012_u16.into())?.bounds().to_string(), "eq '000123_2012'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRange<'t> {
    form: KeyForm<'t>,
    /// The key text of all parts before `at`.
    prefix: String,
    /// The index of the first part without a fixed value: a template field, or the end.
    at: usize,
}

/// The first template field without a fixed value.
struct TemplateField<'t> {
    field: &'t str,
    shape: Shape,
    exact: bool,
    separator: Option<char>,
    last: bool,
}

/// A value at a bound of an interval.
enum Place {
    /// The key text of the template field.
    At(String),
    /// Below all values that the format can represent.
    Below,
    /// Above all values that the format can represent.
    Above,
}

impl<'t> OpenRange<'t> {
    pub(crate) fn new(form: KeyForm<'t>) -> Self {
        let mut range = Self { form, prefix: String::new(), at: 0 };
        range.pass_literals();
        range
    }

    fn pass_literals(&mut self) {
        while let Some((Part::Literal(text), _)) = self.form.part(self.at) {
            self.prefix.push_str(text);
            self.at += 1;
        }
    }

    fn hole(&self) -> Option<TemplateField<'t>> {
        match self.form.part(self.at)? {
            (Part::Field { field, shape, exact }, separator) => {
                let last = self.form.part(self.at + 1).is_none();
                Some(TemplateField { field, shape, exact, separator, last })
            }
            (Part::Literal(_), _) => None,
        }
    }

    fn encoded(&self, hole: &TemplateField<'t>, value: &KeyValue<'_>) -> Result<String, KeyError> {
        let mut writer = KeyWriter::new(self.form.kind());
        writer.value(hole.field, hole.shape, hole.separator, value)?;
        Ok(writer.into_prefix())
    }

    /// Returns the name of the first field without a fixed value, or `None` if all fields have values.
    pub fn field(&self) -> Option<&'t str> {
        self.hole().map(|hole| hole.field)
    }

    /// Fixes the value of the open field.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if the value is not valid in the key, or if all fields have values already.
    pub fn fix(&self, value: &KeyValue<'_>) -> Result<Self, KeyError> {
        let Some(hole) = self.hole() else {
            return Err(KeyError::new("key", value, KeyRule::Missing));
        };
        let mut fixed = self.clone();
        fixed.prefix.push_str(&self.encoded(&hole, value)?);
        fixed.at += 1;
        fixed.pass_literals();
        let led_by_text = self.at == 0 && self.form.kind() == KeyKind::Row && hole.shape.is_text();
        match refused_beginning(&fixed.prefix) {
            Some(rule) if led_by_text => Err(KeyError::new(hole.field, value, rule)),
            _ => Ok(fixed),
        }
    }

    /// Returns the bounds of all rows with these leading values, or a single key if all fields have values.
    pub fn bounds(&self) -> Bounds {
        match self.hole() {
            None => Bounds::Point(self.prefix.clone()),
            Some(_) => KeyRange { lower: self.floor(), upper: self.ceiling(), residual: false }.into_bounds(),
        }
    }

    /// Returns the bounds of rows whose open text field starts with `beginning`.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if the open field is not text, or if `beginning` is not valid in the key.
    pub fn starts_with(&self, beginning: &str) -> Result<Bounds, KeyError> {
        let value = KeyValue::from(beginning);
        let hole = match self.hole() {
            Some(hole) if hole.shape.is_text() => hole,
            Some(hole) => return Err(KeyError::new(hole.field, value, KeyRule::Format(hole.shape))),
            None => return Err(KeyError::new("key", value, KeyRule::Format(Shape::Text))),
        };
        let prefix = format!("{}{}", self.prefix, self.encoded(&hole, &value)?);
        if prefix == self.prefix {
            return Ok(self.bounds());
        }
        let upper = succ(&prefix).map(End::excluded);
        Ok(KeyRange { lower: Some(self.raised(End::included(prefix))), upper, residual: false }.into_bounds())
    }

    /// Returns the bounds of rows whose open field is in an interval, ordered by the type of the field. Text that is
    /// followed by a separator is ordered as in the key: text and separator together.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if an end of the interval is not valid in the key. A value outside the range of the
    /// format is not an error.
    pub fn between<'v, V: Clone + Into<KeyValue<'v>>>(
        &self,
        interval: impl RangeBounds<V>,
    ) -> Result<Bounds, KeyError> {
        let owned = |bound: Bound<&V>| bound.cloned().map(Into::into);
        self.between_values(&owned(interval.start_bound()), &owned(interval.end_bound()))
    }

    /// Returns the bounds of an interval as [`between`](Self::between) does, with [`KeyValue`] ends.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if an end of the interval is not valid in the key. A value outside the range of the
    /// format is not an error.
    pub fn between_values(
        &self,
        from: &Bound<KeyValue<'_>>,
        to: &Bound<KeyValue<'_>>,
    ) -> Result<Bounds, KeyError> {
        let Some(hole) = self.hole() else { return Ok(self.bounds()) };
        let from = match self.placed(&hole, from)? {
            Bound::Included(Place::Above) | Bound::Excluded(Place::Above) => return Ok(Bounds::Empty),
            end => known(end),
        };
        let to = match self.placed(&hole, to)? {
            Bound::Included(Place::Below) | Bound::Excluded(Place::Below) => return Ok(Bounds::Empty),
            end => known(end),
        };
        // All times of a period share one date in the key, so the periods at both ends are always included.
        let residual = !hole.exact && !matches!((&from, &to), (Bound::Unbounded, Bound::Unbounded));
        let widened = |end| match end {
            Bound::Excluded(text) if residual => Bound::Included(text),
            other => other,
        };
        let (from, to) = (widened(from), widened(to));
        let (low, high) = if hole.shape.is_descending() { (to, from) } else { (from, to) };
        let lower = match low {
            Bound::Unbounded => self.floor(),
            Bound::Included(text) => Some(self.raised(End::included(self.key_of(&hole, &text)))),
            Bound::Excluded(text) => match self.above(&hole, &text) {
                Some(end) => Some(self.raised(end)),
                None => return Ok(Bounds::Empty),
            },
        };
        let upper = self.upper(&hole, high);
        Ok(KeyRange { lower, upper, residual }.into_bounds())
    }

    fn placed(&self, hole: &TemplateField<'t>, end: &Bound<KeyValue<'_>>) -> Result<Bound<Place>, KeyError> {
        let place = |value| match self.encoded(hole, value) {
            Ok(text) => Ok(Place::At(text)),
            Err(error) => match (error.rule(), value) {
                (KeyRule::Negative, _) => Ok(Place::Below),
                (KeyRule::Ticks, KeyValue::Ticks(ticks)) if *ticks < 0 => Ok(Place::Below),
                (KeyRule::Bits(_), KeyValue::Signed(number)) if *number < 0 => Ok(Place::Below),
                (KeyRule::Width(_) | KeyRule::Ticks | KeyRule::Bits(_), _) => Ok(Place::Above),
                _ => Err(error),
            },
        };
        Ok(match end {
            Bound::Included(value) => Bound::Included(place(value)?),
            Bound::Excluded(value) => Bound::Excluded(place(value)?),
            Bound::Unbounded => Bound::Unbounded,
        })
    }

    /// Returns the lower bound above all keys with this field text, or `None` if no such key can exist.
    fn above(&self, hole: &TemplateField<'t>, text: &str) -> Option<End> {
        let key = self.key_of(hole, text);
        if hole.last { Some(End::excluded(key)) } else { succ(&key).map(End::included) }
    }

    /// Returns the upper bound for this field text.
    fn upper(&self, hole: &TemplateField<'t>, end: Bound<String>) -> Option<End> {
        match end {
            Bound::Unbounded => self.ceiling(),
            Bound::Included(text) if hole.last => Some(End::included(self.key_of(hole, &text))),
            Bound::Included(text) => succ(&self.key_of(hole, &text)).map(End::excluded),
            Bound::Excluded(text) => Some(End::excluded(self.key_of(hole, &text))),
        }
    }

    /// Returns the prefix of keys with this field text: for a text field, including its separator if more parts follow.
    fn key_of(&self, hole: &TemplateField<'t>, text: &str) -> String {
        let mut key = format!("{}{text}", self.prefix);
        if hole.shape.is_text() {
            key.extend(hole.separator);
        }
        key
    }

    /// Returns the lower bound of all rows with the fixed parts. Without fixed parts and a leading literal, this is the
    /// least value of the leading field, which is above the internal rows of the library.
    fn floor(&self) -> Option<End> {
        if !self.prefix.is_empty() {
            return Some(End::included(self.prefix.clone()));
        }
        match self.form.leading_shape().and_then(Shape::extremes) {
            Some((least, _)) => Some(End::included(least)),
            None => (self.form.kind() == KeyKind::Row).then(|| End::included(FIRST_USER_KEY.to_owned())),
        }
    }

    /// Returns the upper bound of all rows with the fixed parts. Without fixed parts and a leading literal, this is the
    /// end of the greatest value of the leading field, so that higher rows of other kinds are not read.
    fn ceiling(&self) -> Option<End> {
        let prefix = if self.prefix.is_empty() {
            self.form.leading_shape().and_then(Shape::extremes)?.1
        } else {
            self.prefix.clone()
        };
        succ(&prefix).map(End::excluded)
    }

    /// Returns the bound, or the floor if it is higher.
    fn raised(&self, end: End) -> End {
        match self.floor() {
            Some(floor) if compare(&end.key, &floor.key).is_lt() => floor,
            _ => end,
        }
    }
}

/// Returns the text at a bound. A bound beyond all values, on the side where it excludes no rows, becomes unbounded.
fn known(end: Bound<Place>) -> Bound<String> {
    match end {
        Bound::Included(Place::At(text)) => Bound::Included(text),
        Bound::Excluded(Place::At(text)) => Bound::Excluded(text),
        _ => Bound::Unbounded,
    }
}
