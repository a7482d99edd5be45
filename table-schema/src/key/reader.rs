//! A decoder of keys.

use super::{
    KeyKind, KeyValue, MAX_TICKS, Sortable, TemplateMismatch, escape,
    order::{is_legal, refused_beginning},
    ticks,
};
use crate::template::{DateFormat, OrdNumber, Shape};

type Read<T> = Result<T, TemplateMismatch>;

/// Decodes a key, segment by segment. Decoding is canonical: encoding the result produces the same key, byte for byte.
/// All other input fails with [`TemplateMismatch`], which identifies a foreign row.
#[derive(Clone, Copy, Debug)]
pub struct KeyReader<'k> {
    kind: KeyKind,
    key: &'k str,
    rest: &'k str,
}

impl<'k> KeyReader<'k> {
    /// Creates a reader at the start of a key.
    #[inline]
    pub const fn new(kind: KeyKind, key: &'k str) -> Self {
        Self { kind, key, rest: key }
    }

    /// Returns the number of bytes that were read.
    pub(crate) const fn position(&self) -> usize {
        self.key.len() - self.rest.len()
    }

    /// Reads a literal of the template.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key continues with other text.
    #[inline]
    pub fn literal(&mut self, text: &str) -> Read<()> {
        self.rest = self.rest.strip_prefix(text).ok_or(TemplateMismatch)?;
        Ok(())
    }

    /// Reads unescaped text up to `separator` (which is not consumed), or to the end of the key.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the separator is missing, or if the text starts a row key that is not allowed.
    #[inline]
    pub fn text(&mut self, separator: Option<char>) -> Read<&'k str> {
        let text = self.up_to(separator)?;
        if is_legal(text) { Ok(text) } else { Err(TemplateMismatch) }
    }

    /// Reads escaped text up to `separator` (which is not consumed), or to the end of the key.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] as for [`text`](Self::text), or if the text is not a valid escape sequence.
    pub fn esc(&mut self, separator: Option<char>) -> Read<String> {
        escape::read(self.up_to(separator)?, separator)
    }

    #[inline]
    fn up_to(&mut self, separator: Option<char>) -> Read<&'k str> {
        // A leading text field never produces a row key that is reserved or below all ranges.
        let leads = self.rest.len() == self.key.len();
        if leads && self.kind == KeyKind::Row && refused_beginning(self.key).is_some() {
            return Err(TemplateMismatch);
        }
        let end = match separator {
            Some(separator) => self.rest.find(separator).ok_or(TemplateMismatch)?,
            None => self.rest.len(),
        };
        self.take(end)
    }

    #[inline]
    fn take(&mut self, bytes: usize) -> Read<&'k str> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or(TemplateMismatch)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads decimal digits. They are checked explicitly because `parse` accepts a sign.
    #[inline]
    fn digits(&mut self, width: usize) -> Read<&'k str> {
        let digits = self.take(width)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { Ok(digits) } else { Err(TemplateMismatch) }
    }

    /// Reads lower-case hex of at most 32 digits.
    fn hex(&mut self, width: usize) -> Read<u128> {
        let digits = self.take(width)?;
        if !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(TemplateMismatch);
        }
        u128::from_str_radix(digits, 16).map_err(|_| TemplateMismatch)
    }

    /// Reads a number of `width` digits.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with `width` digits.
    #[inline]
    pub fn padded(&mut self, width: u8) -> Read<u128> {
        // Short numbers are parsed as `u64`, because `u128` is slow. 19 digits always fit.
        if width > 19 {
            return self.digits(width.into())?.parse().map_err(|_| TemplateMismatch);
        }
        let mut number = 0_u64;
        for byte in self.take(width.into())?.bytes() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return Err(TemplateMismatch);
            }
            number = number * 10 + u64::from(digit);
        }
        // A format without digits contains no number.
        if width == 0 { Err(TemplateMismatch) } else { Ok(number.into()) }
    }

    /// Reads a signed integer or a float in sortable hex.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with the encoding of a number.
    pub fn ord<T: Sortable>(&mut self) -> Read<T> {
        let bits = u64::try_from(self.hex(usize::from(T::BITS / 4))?).map_err(|_| TemplateMismatch)?;
        T::from_ordered(bits).ok_or(TemplateMismatch)
    }

    /// Reads a time in ticks, oldest first.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with a valid time.
    #[inline]
    pub fn ticks(&mut self) -> Read<i64> {
        let ticks = self.digits(19)?.parse().map_err(|_| TemplateMismatch)?;
        if ticks::in_range(ticks) { Ok(ticks) } else { Err(TemplateMismatch) }
    }

    /// Reads a time in ticks, newest first.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with a valid time.
    #[inline]
    pub fn inverted_ticks(&mut self) -> Read<i64> {
        Ok(MAX_TICKS - self.ticks()?)
    }

    /// Reads a date and returns the first tick of its period.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with a valid date of this format.
    pub fn date(&mut self, format: DateFormat) -> Read<i64> {
        // Months and days that are not part of the format are 1.
        let mut fields = [1, 1, 1, 0, 0, 0];
        for (field, (unit, separator)) in fields.iter_mut().zip(format.units()) {
            if let Some(separator) = separator {
                self.literal(separator.encode_utf8(&mut [0; 4]))?;
            }
            *field = self.digits(unit.digits())?.parse().map_err(|_| TemplateMismatch)?;
        }
        ticks::start(fields).ok_or(TemplateMismatch)
    }

    /// Reads a GUID with hyphens.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with a GUID in lower case.
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

    /// Reads a GUID without hyphens.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with 32 lower-case hex digits.
    pub fn guidn(&mut self) -> Read<[u8; 16]> {
        Ok(self.hex(32)?.to_be_bytes())
    }

    /// Reads `false` or `true`.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key continues with other text.
    pub fn flag(&mut self) -> Read<bool> {
        if self.literal("true").is_ok() {
            return Ok(true);
        }
        self.literal("false").map(|()| false)
    }

    /// Reads a value of any format, for tools; the functions above are the typed equivalents. A bare `ord32` or `ord64`
    /// without a type is read as an integer.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key does not continue with a value of this format.
    #[inline]
    pub fn value(&mut self, shape: Shape, separator: Option<char>) -> Read<KeyValue<'k>> {
        Ok(match shape {
            Shape::Text => self.text(separator)?.into(),
            Shape::Esc => self.esc(separator)?.into(),
            Shape::Padded(width) => self.padded(width)?.into(),
            Shape::Ord(None) => return Err(TemplateMismatch),
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
            Shape::InvertedPadded(_) | Shape::InvertedOrd(_) | Shape::InvertedDate(_) => {
                self.inverted(shape)?
            }
            Shape::Guid => KeyValue::Guid(self.guid()?),
            Shape::Guidn => KeyValue::Guid(self.guidn()?),
            Shape::Flag => self.flag()?.into(),
        })
    }

    /// Reads a value of a format that writes the complement of its digits.
    fn inverted(&mut self, shape: Shape) -> Read<KeyValue<'static>> {
        let mut units = shape.longest(None).ok_or(TemplateMismatch)?;
        let end = self.rest.char_indices().find_map(|(at, character)| {
            let is_end = units == 0;
            units = units.saturating_sub(character.len_utf16());
            is_end.then_some(at)
        });
        let ascending = shape.complement(self.take(end.unwrap_or(self.rest.len()))?);
        let mut reader = KeyReader::new(self.kind, &ascending);
        let value = reader.value(shape.ascending(), None)?.into_owned();
        reader.finish()?;
        Ok(value)
    }

    /// Finishes reading at the end of the key.
    ///
    /// # Errors
    /// Returns [`TemplateMismatch`] if the key has more text.
    #[inline]
    pub fn finish(self) -> Read<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(TemplateMismatch) }
    }
}
