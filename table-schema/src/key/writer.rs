//! An encoder of keys.

use std::{fmt, ops::Range};

use super::{
    Integer, KeyError, KeyKind, KeyRule, KeyValue, MAX_TICKS, Sortable, escape,
    order::{is_forbidden, is_legal, refused_beginning, units},
    ticks,
};
use crate::template::{DateFormat, OrdNumber, Shape};

/// Encodes a key, segment by segment. Each function requires the field name for the error message.
#[derive(Clone, Debug)]
pub struct KeyWriter<'f> {
    kind: KeyKind,
    text: String,
    /// The leading text field, if no literal precedes it. The error names this field if the start of the key is not
    /// allowed.
    leading: Option<Written<'f>>,
    /// The longest text field. The error names this field if the key is too long.
    longest: Option<Written<'f>>,
}

/// The text of a field in the key.
#[derive(Clone, Debug)]
struct Written<'f> {
    field: &'f str,
    range: Range<usize>,
    form: Form,
}

/// The encoding of a text field.
#[derive(Clone, Copy, Debug)]
enum Form {
    Bare,
    /// Escaped with this separator.
    Escaped(Option<char>),
}

impl<'f> KeyWriter<'f> {
    /// Creates a writer with an empty key.
    pub const fn new(kind: KeyKind) -> Self {
        Self { kind, text: String::new(), leading: None, longest: None }
    }

    /// Creates a writer with an empty key and the capacity of a typical key.
    pub(crate) fn with_room(kind: KeyKind) -> Self {
        const USUAL: usize = 48;
        Self { text: String::with_capacity(USUAL), ..Self::new(kind) }
    }

    /// Writes a literal of the template.
    pub fn literal(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes unescaped text. `separator` is the character that terminates the text in the template, if other parts
    /// follow.
    ///
    /// # Errors
    /// Returns [`KeyRule::Forbidden`] or [`KeyRule::Separator`] if the text contains a forbidden character or the
    /// separator.
    pub fn text(&mut self, field: &'f str, value: &str, separator: Option<char>) -> Result<(), KeyError> {
        if is_legal(value) && separator.is_none_or(|separator| !value.contains(separator)) {
            self.push_text(field, Form::Bare, |text| text.push_str(value));
            return Ok(());
        }
        for character in value.chars() {
            let rule = match character {
                _ if is_forbidden(character) => KeyRule::Forbidden(character),
                _ if Some(character) == separator => KeyRule::Separator(character),
                _ => continue,
            };
            return Err(KeyError::of_text(field, value, rule));
        }
        self.push_text(field, Form::Bare, |text| text.push_str(value));
        Ok(())
    }

    /// Writes text with an escape encoding that preserves its order.
    pub fn esc(&mut self, field: &'f str, value: &str, separator: Option<char>) {
        self.push_text(field, Form::Escaped(separator), |text| escape::push(text, value, separator));
    }

    fn push_text(&mut self, field: &'f str, form: Form, push: impl FnOnce(&mut String)) {
        let start = self.text.len();
        push(&mut self.text);
        let written = Written { field, range: start..self.text.len(), form };
        if start == 0 {
            self.leading = Some(written.clone());
        }
        if self.longest.as_ref().is_none_or(|longest| written.range.len() > longest.range.len()) {
            self.longest = Some(written);
        }
    }

    /// Writes a number in `width` digits.
    ///
    /// # Errors
    /// Returns [`KeyRule::Negative`] or [`KeyRule::Width`] if the number is negative or has more digits.
    pub fn padded(&mut self, field: &'f str, value: impl Into<Integer>, width: u8) -> Result<(), KeyError> {
        let value = value.into();
        let Some(magnitude) = value.magnitude() else {
            return Err(KeyError::new(field, value, KeyRule::Negative));
        };
        // If 10^width overflows, every `u128` fits.
        if 10_u128.checked_pow(width.into()).is_some_and(|above| magnitude >= above) {
            return Err(KeyError::new(field, value, KeyRule::Width(width)));
        }
        match u64::try_from(magnitude) {
            Ok(small) => self.push_digits(small, width.into()),
            Err(_) => self.push(format_args!("{magnitude:0width$}", width = usize::from(width))),
        }
        Ok(())
    }

    /// Writes at least `width` digits. This avoids the formatting machinery, which dominates the cost of writing a key.
    fn push_digits(&mut self, mut number: u64, width: usize) {
        const MOST: usize = 20;
        let mut digits = [b'0'; MOST];
        let mut start = MOST;
        for digit in digits.iter_mut().rev() {
            if number == 0 && start < MOST {
                break;
            }
            *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
            number /= 10;
            start -= 1;
        }
        self.text.extend(std::iter::repeat_n('0', width.saturating_sub(MOST)));
        let digits = digits.get(start.min(MOST.saturating_sub(width))..).unwrap_or_default();
        self.text.push_str(std::str::from_utf8(digits).unwrap_or_default());
    }

    /// Writes a signed integer or a float as sortable hex.
    ///
    /// # Errors
    /// Returns [`KeyRule::NotANumber`] for NaN.
    pub fn ord<T: Sortable>(&mut self, field: &'f str, value: T) -> Result<(), KeyError> {
        let Some(bits) = value.to_ordered() else {
            return Err(KeyError::new(field, value, KeyRule::NotANumber));
        };
        let width = usize::from(T::BITS / 4);
        self.push(format_args!("{bits:0width$x}"));
        Ok(())
    }

    /// Writes a time, oldest first.
    ///
    /// # Errors
    /// Returns [`KeyRule::Ticks`] if the time is outside the years 1 to 9999.
    pub fn ticks(&mut self, field: &'f str, ticks: i64) -> Result<(), KeyError> {
        self.in_range(field, ticks)?;
        self.push_digits(ticks.unsigned_abs(), 19);
        Ok(())
    }

    /// Writes a time, newest first.
    ///
    /// # Errors
    /// Returns [`KeyRule::Ticks`] if the time is outside the years 1 to 9999.
    pub fn inverted_ticks(&mut self, field: &'f str, ticks: i64) -> Result<(), KeyError> {
        self.in_range(field, ticks)?;
        self.push_digits((MAX_TICKS - ticks).unsigned_abs(), 19);
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "reads as one of the writer's checks")]
    fn in_range(&self, field: &str, value: i64) -> Result<(), KeyError> {
        if ticks::in_range(value) { Ok(()) } else { Err(KeyError::new(field, value, KeyRule::Ticks)) }
    }

    /// Writes a time as a calendar date, truncated after the finest unit of the format.
    ///
    /// # Errors
    /// Returns [`KeyRule::Ticks`] if the time is outside the years 1 to 9999.
    pub fn date(&mut self, field: &'f str, format: DateFormat, ticks: i64) -> Result<(), KeyError> {
        let Some(fields) = ticks::fields(ticks, format.finest()) else {
            return Err(KeyError::new(field, ticks, KeyRule::Ticks));
        };
        for (value, (unit, separator)) in fields.iter().zip(format.units()) {
            if let Some(separator) = separator {
                self.text.push(separator);
            }
            let width = unit.digits();
            self.push(format_args!("{value:0width$}"));
        }
        Ok(())
    }

    /// Writes a GUID with hyphens: 36 characters.
    pub fn guid(&mut self, bytes: [u8; 16]) {
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                self.text.push('-');
            }
            self.push(format_args!("{byte:02x}"));
        }
    }

    /// Writes a GUID without hyphens: 32 characters.
    pub fn guidn(&mut self, bytes: [u8; 16]) {
        self.push(format_args!("{:032x}", u128::from_be_bytes(bytes)));
    }

    /// Writes `false` or `true`.
    pub fn flag(&mut self, value: bool) {
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// Writes a value in any format, for tools; the functions above are the typed equivalents.
    ///
    /// # Errors
    /// Returns [`KeyRule::Format`] if the value does not have the type of the format, or the errors of the typed
    /// function.
    pub fn value(
        &mut self,
        field: &'f str,
        shape: Shape,
        separator: Option<char>,
        value: &KeyValue<'_>,
    ) -> Result<(), KeyError> {
        match (shape, value) {
            (Shape::Text, KeyValue::Text(text)) => self.text(field, text, separator)?,
            (Shape::Esc, KeyValue::Text(text)) => self.esc(field, text, separator),
            (Shape::Padded(width), KeyValue::Unsigned(number)) => self.padded(field, *number, width)?,
            (Shape::Padded(width), KeyValue::Signed(number)) => self.padded(field, *number, width)?,
            (Shape::Ord(number), _) => self.ord_value(field, number, value)?,
            (Shape::Ticks, KeyValue::Ticks(ticks)) => self.ticks(field, *ticks)?,
            (Shape::InvertedTicks, KeyValue::Ticks(ticks)) => self.inverted_ticks(field, *ticks)?,
            (Shape::Date(format), KeyValue::Ticks(ticks)) => self.date(field, format, *ticks)?,
            (Shape::InvertedPadded(_) | Shape::InvertedOrd(_) | Shape::InvertedDate(_), _) => {
                let start = self.text.len();
                self.value(field, shape.ascending(), separator, value)?;
                let ascending = self.text.split_off(start);
                self.text.push_str(&shape.complement(&ascending));
            }
            (Shape::Guid, KeyValue::Guid(bytes)) => self.guid(*bytes),
            (Shape::Guidn, KeyValue::Guid(bytes)) => self.guidn(*bytes),
            (Shape::Flag, KeyValue::Flag(flag)) => self.flag(*flag),
            _ => return Err(KeyError::new(field, value, KeyRule::Format(shape))),
        }
        Ok(())
    }

    fn ord_value(
        &mut self,
        field: &'f str,
        number: Option<OrdNumber>,
        value: &KeyValue<'_>,
    ) -> Result<(), KeyError> {
        let wide = match value {
            KeyValue::Signed(wide) => Some(*wide),
            // Tools may not know that the field is signed. A value that does not fit `i128` fits no `ord` format.
            KeyValue::Unsigned(wide) => Some(i128::try_from(*wide).unwrap_or(i128::MAX)),
            _ => None,
        };
        let narrow = |bits| KeyError::new(field, value, KeyRule::Bits(bits));
        match (number, value, wide) {
            (Some(OrdNumber::I8), _, Some(wide)) => {
                self.ord(field, i8::try_from(wide).map_err(|_| narrow(8))?)
            }
            (Some(OrdNumber::I16), _, Some(wide)) => {
                self.ord(field, i16::try_from(wide).map_err(|_| narrow(16))?)
            }
            (Some(OrdNumber::I32 | OrdNumber::Bits32), _, Some(wide)) => {
                self.ord(field, i32::try_from(wide).map_err(|_| narrow(32))?)
            }
            (Some(OrdNumber::I64 | OrdNumber::Bits64), _, Some(wide)) => {
                self.ord(field, i64::try_from(wide).map_err(|_| narrow(64))?)
            }
            (Some(OrdNumber::F32 | OrdNumber::Bits32), KeyValue::Float32(value), _) => {
                self.ord(field, *value)
            }
            (Some(OrdNumber::F64 | OrdNumber::Bits64), KeyValue::Float64(value), _) => {
                self.ord(field, *value)
            }
            _ => Err(KeyError::new(field, value, KeyRule::Format(Shape::Ord(number)))),
        }
    }

    fn push(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.text, text);
    }

    /// Returns the current content: the prefix of a range.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the current content, without the checks of the complete key.
    pub fn into_prefix(self) -> String {
        self.text
    }

    /// Rejects a key that starts with a literal of sibling rows: templates that differ only in shape may overlap at run
    /// time.
    ///
    /// # Errors
    /// Returns [`KeyRule::Sibling`] if the key starts with one of `siblings`.
    pub fn apart_from(&self, siblings: &[&str]) -> Result<(), KeyError> {
        match siblings.iter().find(|literal| self.text.starts_with(**literal)) {
            Some(literal) => Err(self.whole(KeyRule::Sibling((*literal).to_owned()))),
            None => Ok(()),
        }
    }

    /// Returns the key after checking it as a whole: at most `limit` UTF-16 units, and within all ranges of its kind.
    ///
    /// # Errors
    /// Returns [`KeyRule::TooLong`], [`KeyRule::Reserved`] or [`KeyRule::BelowRanges`].
    pub fn finish(self, limit: usize) -> Result<String, KeyError> {
        // A UTF-16 unit has one to three bytes in UTF-8, so most keys need no counting.
        if self.text.len() > limit {
            let units = units(&self.text);
            if units > limit {
                return Err(self.whole(KeyRule::TooLong { units, limit }));
            }
        }
        match refused_beginning(&self.text) {
            Some(rule) if self.kind == KeyKind::Row && self.leading.is_some() => Err(self.whole(rule)),
            _ => Ok(self.text),
        }
    }

    /// Creates an error of the complete key. It names the text field that can fix it: the longest field if the key is
    /// too long, otherwise the leading field. Without a text field, it names the key.
    fn whole(&self, rule: KeyRule) -> KeyError {
        let leading = if matches!(rule, KeyRule::TooLong { .. }) { None } else { self.leading.as_ref() };
        let Some(Written { field, range, form }) = leading.or(self.longest.as_ref()) else {
            return KeyError::of_text("key", &self.text, rule);
        };
        let text = self.text.get(range.clone()).unwrap_or_default();
        // The error shows the original value, not its escaped form.
        let given = match *form {
            Form::Bare => None,
            Form::Escaped(separator) => escape::read(text, separator).ok(),
        };
        KeyError::of_text(field, given.as_deref().unwrap_or(text), rule)
    }
}
