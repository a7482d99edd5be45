//! Shapes: the encodings of field values in keys.

use std::fmt;

use super::{DateFormat, date::DateUnit};
use crate::key::{KeyKind, KeyValue, KeyWriter, MAX_TICKS};

/// Character classes in the patterns below. Templates never contain these characters.
const DIGIT: char = '\u{1}';
const HEX: char = '\u{2}';
/// Prefix of the formats in descending order.
pub(super) const INVERTED: &str = "inverted_";

/// The encoding of a field value in a key. The template determines it; the type of the field must fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// No format: unescaped text. (If the field is a GUID or a boolean, the shape resolves to `guid` or `bool`.)
    Text,
    /// `esc`: escaped text in the order of the original text.
    Esc,
    /// `0N`: N digits, 1 to 39.
    Padded(u8),
    /// `ord`, `ord32`, `ord64`: sortable hex. `None` until the width is determined by the field type.
    Ord(Option<OrdNumber>),
    /// `ticks`: 19 digits, oldest first.
    Ticks,
    /// `inverted_ticks`: 19 digits, newest first.
    InvertedTicks,
    /// `%Y` followed by finer units.
    Date(DateFormat),
    /// `inverted_0N`: the complement of each of N digits, greatest number first.
    InvertedPadded(u8),
    /// `inverted_ord`, `inverted_ord32`, `inverted_ord64`: the complement of sortable hex, greatest number first.
    InvertedOrd(Option<OrdNumber>),
    /// `inverted_%Y` followed by finer units: the complement of each digit, newest first.
    InvertedDate(DateFormat),
    /// `guid`: 36 characters.
    Guid,
    /// `guidn`: 32 characters.
    Guidn,
    /// `bool`: `false` or `true`.
    Flag,
}

/// The number type of an `ord` template field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrdNumber {
    /// `ord32` on an unresolved type: `i32` or `f32`.
    Bits32,
    /// `ord64` on an unresolved type: `i64` or `f64`.
    Bits64,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl OrdNumber {
    /// Returns the width in bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::I8 => 8,
            Self::I16 => 16,
            Self::Bits32 | Self::I32 | Self::F32 => 32,
            Self::Bits64 | Self::I64 | Self::F64 => 64,
        }
    }
}

impl Shape {
    /// Returns the format with the same values in ascending order: the format itself, unless it is inverted.
    #[must_use]
    pub const fn ascending(self) -> Self {
        match self {
            Self::InvertedPadded(width) => Self::Padded(width),
            Self::InvertedOrd(number) => Self::Ord(number),
            Self::InvertedTicks => Self::Ticks,
            Self::InvertedDate(format) => Self::Date(format),
            other => other,
        }
    }

    /// Returns the format with the same values in descending order, or `None` if there is none.
    #[must_use]
    pub const fn descending(self) -> Option<Self> {
        match self.ascending() {
            Self::Padded(width) => Some(Self::InvertedPadded(width)),
            Self::Ord(number) => Some(Self::InvertedOrd(number)),
            Self::Ticks => Some(Self::InvertedTicks),
            Self::Date(format) => Some(Self::InvertedDate(format)),
            _ => None,
        }
    }

    /// Returns whether greater values have lesser encodings.
    #[must_use]
    pub const fn is_descending(self) -> bool {
        matches!(
            self,
            Self::InvertedPadded(_) | Self::InvertedOrd(_) | Self::InvertedTicks | Self::InvertedDate(_)
        )
    }

    /// Returns the shape with another number type, if it is an `ord` format.
    #[must_use]
    pub fn map_ord(self, change: impl FnOnce(Option<OrdNumber>) -> Option<OrdNumber>) -> Self {
        match self {
            Self::Ord(number) => Self::Ord(change(number)),
            Self::InvertedOrd(number) => Self::InvertedOrd(change(number)),
            other => other,
        }
    }

    /// Replaces each digit of an encoding with its complement: 0 with 9 in a decimal format, 0 with f in a hexadecimal one.
    pub(crate) fn complement(self, text: &str) -> String {
        let is_hex = matches!(self, Self::InvertedOrd(_));
        let digit = |byte: u8| match byte {
            b'0'..=b'9' if !is_hex => b'9' - (byte - b'0'),
            b'6'..=b'9' => b'9' - (byte - b'6'),
            b'0'..=b'5' => b'f' - (byte - b'0'),
            b'a'..=b'f' if is_hex => b'0' + (b'f' - byte),
            other => other,
        };
        text.chars()
            .map(|character| u8::try_from(character).map_or(character, |byte| char::from(digit(byte))))
            .collect()
    }

    /// Returns whether values have unbounded length: unescaped and escaped text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Esc)
    }

    /// Returns the maximum length of a value in UTF-16 units, or `None` if it is unbounded. `max` is the bound of a
    /// text field.
    pub fn longest(self, max: Option<usize>) -> Option<usize> {
        match self {
            Self::Text => max,
            Self::Esc => max.map(|max| 2 * max),
            Self::Padded(width) => Some(width.into()),
            Self::Ord(number) => number.map(|number| usize::from(number.bits() / 4)),
            Self::Ticks | Self::InvertedTicks => Some(19),
            Self::Date(format) => Some(format.width()),
            Self::InvertedPadded(_) | Self::InvertedOrd(_) | Self::InvertedDate(_) => {
                self.ascending().longest(max)
            }
            Self::Guid => Some(36),
            Self::Guidn => Some(32),
            Self::Flag => Some(5),
        }
    }

    /// Returns the least and the greatest encoding, or `None` for text and for an `ord` of unknown width.
    pub(crate) fn extremes(self) -> Option<(String, String)> {
        let guid = |byte| {
            let mut writer = KeyWriter::new(KeyKind::Row);
            writer.value("", self, None, &KeyValue::Guid([byte; 16])).ok()?;
            Some(writer.into_prefix())
        };
        Some(match self {
            Self::Text | Self::Esc | Self::Ord(None) => return None,
            Self::Padded(width) => ("0".repeat(width.into()), "9".repeat(width.into())),
            Self::Ord(Some(number)) => {
                let width = usize::from(number.bits() / 4);
                ("0".repeat(width), "f".repeat(width))
            }
            Self::Ticks | Self::InvertedTicks => (format!("{:019}", 0), format!("{MAX_TICKS:019}")),
            Self::Date(format) => {
                (format.example([1, 1, 1, 0, 0, 0]), format.example([9999, 12, 31, 23, 59, 59]))
            }
            Self::InvertedPadded(_) | Self::InvertedOrd(_) | Self::InvertedDate(_) => {
                let (least, greatest) = self.ascending().extremes()?;
                (self.complement(&greatest), self.complement(&least))
            }
            Self::Guid | Self::Guidn => (guid(0)?, guid(0xff)?),
            Self::Flag => ("false".to_owned(), "true".to_owned()),
        })
    }

    /// Returns whether the encoding of some value can start with `beginning`, or be a prefix of it. Text always can.
    pub(crate) fn can_meet(self, beginning: &str) -> bool {
        let alike = |pattern: &str| {
            beginning.chars().zip(pattern.chars()).all(|(character, class)| match class {
                DIGIT => character.is_ascii_digit(),
                HEX => matches!(character, '0'..='9' | 'a'..='f'),
                other => character == other,
            })
        };
        let many = |class: char, times: usize| String::from(class).repeat(times);
        match self {
            Self::Text | Self::Esc | Self::Ord(None) => true,
            Self::Padded(width) => alike(&many(DIGIT, width.into())),
            Self::Ord(Some(number)) => alike(&many(HEX, usize::from(number.bits() / 4))),
            Self::Ticks | Self::InvertedTicks => alike(&many(DIGIT, 19)),
            Self::Guidn => alike(&many(HEX, 32)),
            Self::Guid => alike(&[8, 4, 4, 4, 12].map(|width| many(HEX, width)).join("-")),
            Self::Date(format) => {
                let mut pattern = String::new();
                for (unit, separator) in format.units() {
                    pattern.extend(separator);
                    pattern.push_str(&many(DIGIT, unit.digits()));
                }
                alike(&pattern)
            }
            Self::InvertedPadded(_) | Self::InvertedOrd(_) | Self::InvertedDate(_) => {
                self.ascending().can_meet(&self.complement(beginning))
            }
            Self::Flag => ["true", "false"]
                .iter()
                .any(|text| text.starts_with(beginning) || beginning.starts_with(text)),
        }
    }

    /// Returns whether this date format represents a type of day precision without truncation.
    pub(crate) fn holds_days(self) -> bool {
        matches!(self.ascending(), Self::Date(format) if format.finest() >= DateUnit::Day)
    }
}

impl fmt::Display for Shape {
    /// Formats the shape as written in a template; empty for unescaped text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => Ok(()),
            Self::Esc => f.write_str("esc"),
            Self::Padded(width) => write!(f, "0{width}"),
            Self::Ord(Some(OrdNumber::Bits32)) => f.write_str("ord32"),
            Self::Ord(Some(OrdNumber::Bits64)) => f.write_str("ord64"),
            Self::Ord(_) => f.write_str("ord"),
            Self::Ticks => f.write_str("ticks"),
            Self::InvertedTicks => f.write_str("inverted_ticks"),
            Self::Date(format) => format.fmt(f),
            Self::InvertedPadded(_) | Self::InvertedOrd(_) | Self::InvertedDate(_) => {
                write!(f, "{INVERTED}{}", self.ascending())
            }
            Self::Guid => f.write_str("guid"),
            Self::Guidn => f.write_str("guidn"),
            Self::Flag => f.write_str("bool"),
        }
    }
}
