//! The shapes of holes: how a field's value is written in a key.

use std::fmt;

use super::{DateFormat, date::DateUnit};
use crate::key::{KeyKind, KeyValue, KeyWriter, MAX_TICKS};

/// Classes of characters in the patterns below. No template holds these characters themselves.
const DIGIT: char = '\u{1}';
const HEX: char = '\u{2}';

/// How a field's value is written in a key. The template alone decides it; the field's type must fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// No format: text as it is. (On a field known to be an id or a truth value it resolves to that shape.)
    Text,
    /// `esc`: text, escaped with its order kept.
    Esc,
    /// `0N`: N digits, 1 to 39.
    Padded(u8),
    /// `ord`, `ord32`, `ord64`: sortable hex. `None` until the field's type says how wide.
    Ord(Option<OrdNumber>),
    /// `ticks`: 19 digits, oldest first.
    Ticks,
    /// `inverted_ticks`: 19 digits, newest first.
    InvertedTicks,
    /// `%Y` and so on.
    Date(DateFormat),
    /// `guid`: 36 characters.
    Guid,
    /// `guidn`: 32 characters.
    Guidn,
    /// `bool`: `false` or `true`.
    Flag,
}

/// What an `ord` hole holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrdNumber {
    /// `ord32` on a type that cannot be seen: `i32` or `f32`.
    Bits32,
    /// `ord64` on a type that cannot be seen: `i64` or `f64`.
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
    /// Its width.
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
    /// Whether the value's length varies without limit by itself: bare and escaped text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Esc)
    }

    /// The longest value in UTF-16 units; `max` is the field's own bound, for text. `None`: no bound is known.
    pub fn longest(self, max: Option<usize>) -> Option<usize> {
        match self {
            Self::Text => max,
            Self::Esc => max.map(|max| 2 * max),
            Self::Padded(width) => Some(width.into()),
            Self::Ord(number) => number.map(|number| usize::from(number.bits() / 4)),
            Self::Ticks | Self::InvertedTicks => Some(19),
            Self::Date(format) => Some(format.width()),
            Self::Guid => Some(36),
            Self::Guidn => Some(32),
            Self::Flag => Some(5),
        }
    }

    /// The least and the greatest text that a value can have; `None` for text, and for an `ord` of unknown width.
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
            Self::Guid | Self::Guidn => (guid(0)?, guid(0xff)?),
            Self::Flag => ("false".to_owned(), "true".to_owned()),
        })
    }

    /// Whether some value's text can begin with `beginning`, or be the beginning of it. Text can.
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
            Self::Flag => ["true", "false"]
                .iter()
                .any(|text| text.starts_with(beginning) || beginning.starts_with(text)),
        }
    }

    /// Whether this date format and a type of day precision say the same: nothing is cut.
    pub(crate) fn holds_days(self) -> bool {
        matches!(self, Self::Date(format) if format.finest() >= DateUnit::Day)
    }
}

impl fmt::Display for Shape {
    /// The shape as a template spells it; nothing for bare text.
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
            Self::Guid => f.write_str("guid"),
            Self::Guidn => f.write_str("guidn"),
            Self::Flag => f.write_str("bool"),
        }
    }
}
