//! Time spans: `90d`.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use super::{LanguageError, number};
use crate::catalogue::Code;

/// A duration.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The number of units.
    pub number: u64,
    /// The unit.
    pub unit: SpanUnit,
}

/// The unit of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanUnit {
    /// `s`
    Second,
    /// `min`
    Minute,
    /// `h`
    Hour,
    /// `d`
    Day,
    /// `w`
    Week,
    /// `y`: 365 days.
    Year,
}

impl SpanUnit {
    /// All units, shortest first.
    pub const ALL: [Self; 6] = [Self::Second, Self::Minute, Self::Hour, Self::Day, Self::Week, Self::Year];

    /// Returns the unit as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Day => "d",
            Self::Week => "w",
            Self::Year => "y",
        }
    }

    /// Returns the length of the unit in seconds.
    pub const fn seconds(self) -> u64 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3_600,
            Self::Day => 86_400,
            Self::Week => 7 * 86_400,
            Self::Year => 365 * 86_400,
        }
    }
}

/// Two are equal if they are the same duration, in any unit.
impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        self.seconds() == other.seconds()
    }
}

impl Eq for Span {}

impl Hash for Span {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seconds().hash(state);
    }
}

impl Span {
    /// Creates a span of `number` days.
    pub const fn days(number: u64) -> Self {
        Self { number, unit: SpanUnit::Day }
    }

    /// Returns the span in seconds, saturating at the maximum of `u64`.
    pub const fn seconds(self) -> u64 {
        self.number.saturating_mul(self.unit.seconds())
    }
}

impl FromStr for Span {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        let read = || {
            let (number, rest) = number::whole(text.trim())?;
            let unit = rest.trim();
            Some(Self { number, unit: SpanUnit::ALL.into_iter().find(|known| known.as_str() == unit)? })
        };
        read().ok_or_else(|| LanguageError {
            code: Code::D018,
            span: 0..text.len(),
            message: "cannot read this time span".to_owned(),
            label: "expected a number and a unit".to_owned(),
            help: "\"90d\"; units: min, h, d, w, y".to_owned(),
        })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_prints_as_what_it_is_read_from() {
        for (text, seconds) in
            [("60s", 60), ("5min", 300), ("7d", 604_800), ("1w", 604_800), ("2y", 63_072_000)]
        {
            let span: Span = text.parse().unwrap();
            assert_eq!((span.to_string().as_str(), span.seconds()), (text, seconds));
        }
        assert_eq!("99999999999999999y".parse::<Span>().unwrap().seconds(), u64::MAX);
    }

    #[test]
    fn other_texts_are_no_spans() {
        for text in ["", "3 months", "d", "1.5d", "-1d", "1dd", "7"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
