//! Writing a key, segment by segment.

use std::{fmt, ops::Range};

use super::{
    Integer, KeyError, KeyKind, KeyRule, KeyValue, MAX_TICKS, Sortable, escape,
    order::{is_forbidden, is_legal, refused_beginning, units},
    ticks,
};
use crate::template::{DateFormat, OrdNumber, Shape};

/// Writes a key, segment by segment. Each function takes the field's name, for the message should its value not fit.
#[derive(Clone, Debug)]
pub struct KeyWriter<'f> {
    kind: KeyKind,
    text: String,
    /// The text that leads, where no literal does: to be named when the key may not begin so.
    leading: Option<Written<'f>>,
    /// The longest text, to be named when the key is too long.
    longest: Option<Written<'f>>,
}

/// A field's text in the key.
#[derive(Clone, Debug)]
struct Written<'f> {
    field: &'f str,
    range: Range<usize>,
    form: Form,
}

/// How a text was written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Bare,
    /// Escaped, with this separator.
    Escaped(Option<char>),
}

impl<'f> KeyWriter<'f> {
    /// An empty key.
    pub const fn new(kind: KeyKind) -> Self {
        Self { kind, text: String::new(), leading: None, longest: None }
    }

    /// An empty key, with room for a usual one.
    pub(crate) fn with_room(kind: KeyKind) -> Self {
        const USUAL: usize = 48;
        Self { text: String::with_capacity(USUAL), ..Self::new(kind) }
    }

    /// A template's own text.
    pub fn literal(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Text as it is. `separator` is the character that ends it in the template, if anything follows.
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

    /// Text, escaped so that its order is kept.
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

    /// A number in `width` digits.
    pub fn padded(&mut self, field: &'f str, value: impl Into<Integer>, width: u8) -> Result<(), KeyError> {
        let value = value.into();
        let Some(magnitude) = value.magnitude() else {
            return Err(KeyError::new(field, value, KeyRule::Negative));
        };
        // 10^39 is above every u128: then all fit.
        if 10_u128.checked_pow(width.into()).is_some_and(|above| magnitude >= above) {
            return Err(KeyError::new(field, value, KeyRule::Width(width)));
        }
        match u64::try_from(magnitude) {
            Ok(small) => self.push_digits(small, width.into()),
            Err(_) => self.push(format_args!("{magnitude:0width$}", width = usize::from(width))),
        }
        Ok(())
    }

    /// At least so many digits. By hand: formatting is most of what a key costs.
    fn push_digits(&mut self, mut number: u64, width: usize) {
        let zeros = width.saturating_sub(number.checked_ilog10().map_or(1, |log| log as usize + 1));
        self.text.extend(std::iter::repeat_n('0', zeros));
        let mut power = number.checked_ilog10().map_or(1, |log| 10_u64.pow(log));
        while power > 0 {
            let digit = u32::try_from(number / power).unwrap_or_default();
            self.text.extend(char::from_digit(digit, 10));
            number %= power;
            power /= 10;
        }
    }

    /// A signed integer or a float in sortable hex.
    pub fn ord<T: Sortable>(&mut self, field: &'f str, value: T) -> Result<(), KeyError> {
        let Some(bits) = value.to_ordered() else {
            return Err(KeyError::new(field, value, KeyRule::NotANumber));
        };
        let width = usize::from(T::BITS / 4);
        self.push(format_args!("{bits:0width$x}"));
        Ok(())
    }

    /// A time, oldest first.
    pub fn ticks(&mut self, field: &'f str, ticks: i64) -> Result<(), KeyError> {
        self.in_range(field, ticks)?;
        self.push_digits(ticks.unsigned_abs(), 19);
        Ok(())
    }

    /// A time, newest first.
    pub fn inverted_ticks(&mut self, field: &'f str, ticks: i64) -> Result<(), KeyError> {
        self.in_range(field, ticks)?;
        self.push_digits((MAX_TICKS - ticks).unsigned_abs(), 19);
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "reads as one of the writer's checks")]
    fn in_range(&self, field: &str, value: i64) -> Result<(), KeyError> {
        if ticks::in_range(value) { Ok(()) } else { Err(KeyError::new(field, value, KeyRule::Ticks)) }
    }

    /// A time by the calendar, cut after the format's finest unit.
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

    /// An id with hyphens: 36 characters.
    pub fn guid(&mut self, bytes: [u8; 16]) {
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                self.text.push('-');
            }
            self.push(format_args!("{byte:02x}"));
        }
    }

    /// An id without hyphens: 32 characters.
    pub fn guidn(&mut self, bytes: [u8; 16]) {
        self.push(format_args!("{:032x}", u128::from_be_bytes(bytes)));
    }

    /// `false` or `true`.
    pub fn flag(&mut self, value: bool) {
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// Any value by any format, for tools; the functions above are the same, with types.
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
            // A tool may not know that the field is signed; what does not fit i128 fits no `ord`.
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
        // Writing to a String cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.text, text);
    }

    /// What is written so far: the beginning of a range.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What is written so far, unchecked as a whole.
    pub fn into_prefix(self) -> String {
        self.text
    }

    /// Refuses a key that begins as the keys of sibling rows do: at run time two templates may meet that differ in shape.
    pub fn apart_from(&self, siblings: &[&str]) -> Result<(), KeyError> {
        match siblings.iter().find(|literal| self.text.starts_with(**literal)) {
            Some(literal) => Err(self.whole(KeyRule::Sibling((*literal).to_owned()))),
            None => Ok(()),
        }
    }

    /// The key, checked as a whole: at most `limit` UTF-16 units, and where all ranges of its kind find it.
    pub fn finish(self, limit: usize) -> Result<String, KeyError> {
        // A unit takes one to three bytes: most keys need no counting.
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

    /// An error of the key as a whole, told of the text that can mend it: the longest where the key is too long, else the
    /// one that leads it. (Of the key itself, if it has no text.)
    fn whole(&self, rule: KeyRule) -> KeyError {
        let leading = if matches!(rule, KeyRule::TooLong { .. }) { None } else { self.leading.as_ref() };
        let Some(Written { field, range, form }) = leading.or(self.longest.as_ref()) else {
            return KeyError::of_text("key", &self.text, rule);
        };
        let text = self.text.get(range.clone()).unwrap_or_default();
        // People know the value as they gave it, not as it is escaped.
        let given = match *form {
            Form::Bare => None,
            Form::Escaped(separator) => escape::read(text, separator).ok(),
        };
        KeyError::of_text(field, given.as_deref().unwrap_or(text), rule)
    }
}
