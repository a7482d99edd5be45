//! Reading a key, segment by segment.

use super::{
    KeyKind, KeyValue, MAX_TICKS, NotThisTemplate, Sortable, escape,
    order::{is_legal, refused_beginning},
    ticks,
};
use crate::template::{DateFormat, OrdNumber, Shape};

type Read<T> = Result<T, NotThisTemplate>;

/// Reads a key, segment by segment. Canonical: what it reads would be written as the same key, byte for byte. All else
/// is [`NotThisTemplate`], the mark of a foreign row.
#[derive(Clone, Copy, Debug)]
pub struct KeyReader<'k> {
    kind: KeyKind,
    key: &'k str,
    rest: &'k str,
}

impl<'k> KeyReader<'k> {
    /// Begins at the key's start.
    pub const fn new(kind: KeyKind, key: &'k str) -> Self {
        Self { kind, key, rest: key }
    }

    /// The template's own text.
    pub fn literal(&mut self, text: &str) -> Read<()> {
        self.rest = self.rest.strip_prefix(text).ok_or(NotThisTemplate)?;
        Ok(())
    }

    /// Text as it is: up to `separator` (not read), or all that is left.
    pub fn text(&mut self, separator: Option<char>) -> Read<&'k str> {
        let text = self.up_to(separator)?;
        if is_legal(text) { Ok(text) } else { Err(NotThisTemplate) }
    }

    /// Escaped text: up to `separator` (not read), or all that is left.
    pub fn esc(&mut self, separator: Option<char>) -> Read<String> {
        escape::read(self.up_to(separator)?, separator)
    }

    fn up_to(&mut self, separator: Option<char>) -> Read<&'k str> {
        // No text leads a row key to the library's own rows, or below all ranges.
        let leads = self.rest.len() == self.key.len();
        if leads && self.kind == KeyKind::Row && refused_beginning(self.key).is_some() {
            return Err(NotThisTemplate);
        }
        let end = match separator {
            Some(separator) => self.rest.find(separator).ok_or(NotThisTemplate)?,
            None => self.rest.len(),
        };
        self.take(end)
    }

    fn take(&mut self, bytes: usize) -> Read<&'k str> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or(NotThisTemplate)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Digits are checked as digits: Rust's `parse` takes a sign.
    fn digits(&mut self, width: usize) -> Read<&'k str> {
        let digits = self.take(width)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { Ok(digits) } else { Err(NotThisTemplate) }
    }

    /// Lower-case hex of at most 32 digits.
    fn hex(&mut self, width: usize) -> Read<u128> {
        let digits = self.take(width)?;
        if !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(NotThisTemplate);
        }
        u128::from_str_radix(digits, 16).map_err(|_| NotThisTemplate)
    }

    /// A number in `width` digits.
    pub fn padded(&mut self, width: u8) -> Read<u128> {
        let digits = self.digits(width.into())?;
        // Short numbers are read as such: the wide type is slow.
        let read = if width <= 19 { digits.parse::<u64>().map(u128::from) } else { digits.parse() };
        read.map_err(|_| NotThisTemplate)
    }

    /// A signed integer or a float in sortable hex.
    pub fn ord<T: Sortable>(&mut self) -> Read<T> {
        let bits = u64::try_from(self.hex(usize::from(T::BITS / 4))?).map_err(|_| NotThisTemplate)?;
        T::from_ordered(bits).ok_or(NotThisTemplate)
    }

    /// A time, oldest first, in ticks.
    pub fn ticks(&mut self) -> Read<i64> {
        let ticks = self.digits(19)?.parse().map_err(|_| NotThisTemplate)?;
        if ticks::in_range(ticks) { Ok(ticks) } else { Err(NotThisTemplate) }
    }

    /// A time, newest first, in ticks.
    pub fn inverted_ticks(&mut self) -> Read<i64> {
        Ok(MAX_TICKS - self.ticks()?)
    }

    /// The first tick of the period that a date names.
    pub fn date(&mut self, format: DateFormat) -> Read<i64> {
        // Months and days that are not printed are the first.
        let mut fields = [1, 1, 1, 0, 0, 0];
        for (field, (unit, separator)) in fields.iter_mut().zip(format.units()) {
            if let Some(separator) = separator {
                self.literal(separator.encode_utf8(&mut [0; 4]))?;
            }
            *field = self.digits(unit.digits())?.parse().map_err(|_| NotThisTemplate)?;
        }
        ticks::start(fields).ok_or(NotThisTemplate)
    }

    /// An id with hyphens.
    pub fn guid(&mut self) -> Read<[u8; 16]> {
        let mut value = 0;
        for (index, width) in [8, 4, 4, 4, 12].into_iter().enumerate() {
            if index > 0 {
                self.literal("-")?;
            }
            value = (value << (4 * width)) | self.hex(width)?;
        }
        Ok(value.to_be_bytes())
    }

    /// An id without hyphens.
    pub fn guidn(&mut self) -> Read<[u8; 16]> {
        Ok(self.hex(32)?.to_be_bytes())
    }

    /// `false` or `true`.
    pub fn flag(&mut self) -> Read<bool> {
        if self.literal("true").is_ok() {
            return Ok(true);
        }
        self.literal("false").map(|()| false)
    }

    /// Any format, for tools; the functions above are the same, with types. A bare `ord32` or `ord64`, whose type is
    /// not known, is read as an integer.
    pub fn value(&mut self, shape: Shape, separator: Option<char>) -> Read<KeyValue<'k>> {
        Ok(match shape {
            Shape::Text => self.text(separator)?.into(),
            Shape::Esc => self.esc(separator)?.into(),
            Shape::Padded(width) => self.padded(width)?.into(),
            Shape::Ord(None) => return Err(NotThisTemplate),
            Shape::Ord(Some(number)) => match number {
                OrdNumber::I8 => self.ord::<i8>()?.into(),
                OrdNumber::I16 => self.ord::<i16>()?.into(),
                OrdNumber::I32 | OrdNumber::Bits32 => self.ord::<i32>()?.into(),
                OrdNumber::I64 | OrdNumber::Bits64 => self.ord::<i64>()?.into(),
                OrdNumber::F32 => self.ord::<f32>()?.into(),
                OrdNumber::F64 => self.ord::<f64>()?.into(),
            },
            Shape::Ticks => KeyValue::Ticks(self.ticks()?),
            Shape::InvertedTicks => KeyValue::Ticks(self.inverted_ticks()?),
            Shape::Date(format) => KeyValue::Ticks(self.date(format)?),
            Shape::Guid => KeyValue::Guid(self.guid()?),
            Shape::Guidn => KeyValue::Guid(self.guidn()?),
            Shape::Flag => self.flag()?.into(),
        })
    }

    /// The key must end here.
    pub fn finish(self) -> Read<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(NotThisTemplate) }
    }
}
