//! The values of a field, by their numbers.

use table_designs::schema::Values;
use table_patterns::{Timestamp, Uuid, Value};
use table_schema::design::{FieldDesign, FieldKind};

/// Ticks of 100 ns in a second, and in a day.
const SECOND: i64 = 10_000_000;
const DAY: i64 = 86_400 * SECOND;
/// 2024-01-01.
const START: i64 = 638_396_640_000_000_000;

/// Converts numbers to the values of a field. Except for GUIDs and words, greater numbers are greater values.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    kind: FieldKind,
    chars: usize,
    bytes: usize,
    /// Ticks between two times.
    step: f64,
    /// Values that the design names, and their numbers.
    named: Vec<Named>,
    /// `true` if a named value replaces the value of a number.
    is_replaced: bool,
}

/// A value that the design names.
#[derive(Clone, Debug)]
struct Named {
    text: String,
    number: usize,
    value: Value,
}

impl Encoder {
    /// Returns the encoder of a field, or `None` if values of its type are not generated. The times of `count` entities are
    /// distributed over the seconds.
    pub(super) fn of(field: &FieldDesign, values: &Values, count: usize, seconds: u64) -> Option<Self> {
        let is_known =
            is_generated(&field.kind) && !field.encrypted && field.series.is_none() && !field.from_source;
        let ticks = crate::text::real(usize::try_from(seconds).unwrap_or(usize::MAX)) * 1e7;
        let distinct = values.distinct.and_then(|distinct| usize::try_from(distinct).ok()).unwrap_or(count);
        is_known.then(|| Self {
            kind: field.kind.clone(),
            chars: truncated(values.chars.unwrap_or(16.0)),
            bytes: truncated(values.bytes.unwrap_or(match field.kind {
                FieldKind::Binary { max: Some(max) } => crate::text::real(max.div_ceil(2)),
                _ => 100.0,
            })),
            step: ticks / crate::text::real(distinct.max(1)),
            named: Vec::new(),
            is_replaced: false,
        })
    }

    /// Includes the values that a design names in the first `distinct` numbers. Returns `None` if one is not of the type,
    /// or if there are more.
    pub(super) fn with_named(mut self, texts: &[&str], distinct: usize) -> Option<Self> {
        if let FieldKind::Enum { variants } = &mut self.kind {
            let place = |word: &String| texts.iter().position(|text| text == word);
            variants.sort_by_key(|word| place(word).unwrap_or(usize::MAX));
        }
        let mut rest = Vec::new();
        for text in texts {
            let (number, value) = self.parsed(text)?;
            match number.filter(|number| *number < distinct) {
                Some(number) => self.named.push(Named { text: (*text).to_owned(), number, value }),
                None => rest.push((*text, value)),
            }
        }
        for (text, value) in rest {
            let is_free = |number: &usize| self.named.iter().all(|named| named.number != *number);
            let number = (0..distinct).rev().find(is_free)?;
            self.named.push(Named { text: text.to_owned(), number, value });
            self.is_replaced = true;
        }
        Some(self)
    }

    /// Returns a value that a design names, and its number if it is a generated one.
    fn parsed(&self, text: &str) -> Option<(Option<usize>, Value)> {
        match &self.kind {
            FieldKind::Bool => text.parse().ok().map(|flag| (Some(usize::from(flag)), Value::Boolean(flag))),
            FieldKind::Int { .. } => {
                let wide: i64 = text.parse().ok()?;
                Some((usize::try_from(wide).ok(), self.whole(wide)))
            }
            FieldKind::Float { .. } => text.parse().ok().map(|number| (None, Value::Double(number))),
            FieldKind::Enum { variants } => {
                let number = variants.iter().position(|word| word == text)?;
                Some((Some(number), Value::String(text.to_owned())))
            }
            FieldKind::Text { .. } => Some((None, Value::String(text.to_owned()))),
            _ => None,
        }
    }

    /// Returns the number of a value that the design names.
    pub(super) fn number_of(&self, text: &str) -> Option<usize> {
        self.named.iter().find(|named| named.text == text).map(|named| named.number)
    }

    fn whole(&self, number: i64) -> Value {
        match &self.kind {
            FieldKind::Int { bits: ..=16, .. } | FieldKind::Int { bits: 32, signed: true } => {
                Value::Int32(i32::try_from(number).unwrap_or(i32::MAX))
            }
            _ => Value::Int64(number),
        }
    }

    /// Returns a value.
    pub(super) fn value(&self, number: usize) -> Value {
        if let Some(named) = self.named.iter().find(|named| named.number == number) {
            return named.value.clone();
        }
        let narrow = i32::try_from(number).unwrap_or(i32::MAX);
        match &self.kind {
            FieldKind::Bool => Value::Boolean(number % 2 == 1),
            FieldKind::Int { .. } => self.whole(i64::try_from(number).unwrap_or(i64::MAX)),
            FieldKind::Float { .. } => Value::Double(f64::from(narrow)),
            FieldKind::Time | FieldKind::Date => {
                Value::DateTime(Timestamp::from_ticks(self.ticks(number)).unwrap_or(Timestamp::UNIX_EPOCH))
            }
            FieldKind::Guid => Value::Guid(Uuid::from_u128(guid(number))),
            FieldKind::Binary { .. } => {
                let mut bytes = number.to_be_bytes().to_vec();
                bytes.resize(self.bytes.max(bytes.len()), 0);
                Value::Binary(bytes)
            }
            FieldKind::Json { .. } => {
                Value::String(format!("\"{}\"", padded(number, self.chars.saturating_sub(2))))
            }
            FieldKind::Enum { variants } => Value::String(word(variants, number).to_owned()),
            _ => Value::String(padded(number, self.chars)),
        }
    }

    /// Returns a number that sorts as the value in a key, in ascending order.
    pub(super) fn rank(&self, number: usize) -> u128 {
        match &self.kind {
            FieldKind::Time | FieldKind::Date => u128::try_from(self.ticks(number)).unwrap_or(0),
            FieldKind::Guid => guid(number),
            FieldKind::Enum { variants } => {
                let word = word(variants, number);
                variants.iter().filter(|other| other.as_str() < word).map(|_| 1).sum()
            }
            _ => u128::try_from(number).unwrap_or(u128::MAX),
        }
    }

    /// Returns whether ranges of values are ranges of numbers.
    pub(super) const fn is_ordered(&self) -> bool {
        self.has_ranks() && !matches!(self.kind, FieldKind::Guid | FieldKind::Enum { .. } | FieldKind::Bool)
    }

    /// Returns whether the ranks of values are in the order of their keys.
    pub(super) const fn has_ranks(&self) -> bool {
        !self.is_replaced
    }

    /// Returns the end of a window of time that starts at a value.
    pub(super) fn after(&self, number: usize, seconds: u64) -> (u128, Value) {
        let ticks = i64::try_from(seconds).unwrap_or(0).saturating_mul(SECOND);
        let end = self.ticks(number).saturating_add(ticks);
        let value = Value::DateTime(Timestamp::from_ticks(end).unwrap_or(Timestamp::UNIX_EPOCH));
        (u128::try_from(end).unwrap_or(0), value)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the ticks of some years, or saturated")]
    fn ticks(&self, number: usize) -> i64 {
        let offset = (self.step * crate::text::real(number)) as i64;
        let ticks = START.saturating_add(offset);
        if self.kind == FieldKind::Date { ticks - ticks % DAY } else { ticks }
    }
}

/// Returns whether values of a type are generated.
const fn is_generated(kind: &FieldKind) -> bool {
    matches!(
        kind,
        FieldKind::Text { .. }
            | FieldKind::Bool
            | FieldKind::Int { .. }
            | FieldKind::Float { .. }
            | FieldKind::Time
            | FieldKind::Date
            | FieldKind::Guid
            | FieldKind::Binary { .. }
            | FieldKind::Json { .. }
            | FieldKind::Enum { .. }
    )
}

fn word(variants: &[String], number: usize) -> &str {
    variants.get(number % variants.len().max(1)).map_or("", String::as_str)
}

/// Returns a number whose digits look random. No two numbers have the same.
fn guid(number: usize) -> u128 {
    let number = u128::try_from(number).unwrap_or(0);
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// Returns a number of a fixed width, in lower-case letters and digits.
fn padded(number: usize, width: usize) -> String {
    let (mut digits, mut rest) = (Vec::new(), number);
    while digits.len() < width.max(1) || rest > 0 {
        let digit = u32::try_from(rest % 36).unwrap_or(0);
        digits.push(char::from_digit(digit, 36).unwrap_or('0'));
        rest /= 36;
    }
    digits.iter().rev().collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length in characters or bytes"
)]
const fn truncated(length: f64) -> usize {
    length as usize
}
