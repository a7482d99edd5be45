//! Rates: `40/s`, `100_000/year`.

use std::{fmt, str::FromStr};

use super::{LanguageError, number};
use table_schema::catalogue::Code;

/// A count per unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// The count.
    pub number: f64,
    /// The unit of time.
    pub unit: RateUnit,
}

/// The unit of time of a rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RateUnit {
    /// `s`
    #[default]
    Second,
    /// `min`
    Minute,
    /// `h`
    Hour,
    /// `day`
    Day,
    /// `month`: 730 hours.
    Month,
    /// `year`: 365 days.
    Year,
}

impl RateUnit {
    /// All units, shortest first.
    pub const ALL: [Self; 6] = [Self::Second, Self::Minute, Self::Hour, Self::Day, Self::Month, Self::Year];

    /// Returns the unit as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Day => "day",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Returns the length of the unit in seconds.
    pub const fn seconds(self) -> u32 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3_600,
            Self::Day => 86_400,
            Self::Month => 730 * 3_600,
            Self::Year => 365 * 86_400,
        }
    }
}

impl Rate {
    /// Creates a rate per second.
    pub const fn of_second(number: f64) -> Self {
        Self { number, unit: RateUnit::Second }
    }

    /// Returns the rate per second.
    pub fn per_second(self) -> f64 {
        self.number / f64::from(self.unit.seconds())
    }
}

impl FromStr for Rate {
    type Err = LanguageError;

    /// Parses a number, `/` and a unit. A number without a unit is per second.
    fn from_str(text: &str) -> Result<Self, LanguageError> {
        let read = || {
            let (number, rest) = number::leading(text.trim())?;
            let rest = rest.trim();
            if rest.is_empty() {
                return Some(Self::of_second(number));
            }
            let unit = rest.strip_prefix('/')?.trim();
            Some(Self { number, unit: RateUnit::ALL.into_iter().find(|known| known.as_str() == unit)? })
        };
        read().ok_or_else(|| LanguageError {
            code: Code::D017,
            span: 0..text.len(),
            message: "cannot read this rate".to_owned(),
            label: "expected a number, `/`, a unit".to_owned(),
            help: "\"10/s\"; units: s, min, h, day, month, year".to_owned(),
        })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.unit.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_prints_as_what_it_is_read_from() {
        for text in ["40/s", "2.5/min", "100000/year", "500/day", "1/h", "730/month"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        assert_eq!("7".parse::<Rate>(), Ok(Rate::of_second(7.0)));
        assert_eq!(RateUnit::Month.seconds(), 730 * RateUnit::Hour.seconds());
    }

    #[test]
    fn other_texts_are_no_rates() {
        for text in ["", "10 per second", "/s", "1/", "1/w", "-1/s", "1/s/s", "s"] {
            assert_eq!(text.parse::<Rate>().unwrap_err().span, 0..text.len(), "{text}");
        }
    }
}
