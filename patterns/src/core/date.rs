//! Calendar dates.

use std::{fmt, str::FromStr};

use table_model::Timestamp;

/// A date of the (proleptic Gregorian) calendar, in the years 1 to 9999. As a property it is stored as the DateTime of
/// midnight UTC. In a key it supports the time formats.
///
/// ```
/// use table_patterns::Date;
///
/// let day: Date = "2014-07-31".parse()?;
/// assert_eq!(day, Date::new(2014, 7, 31).unwrap());
/// assert_eq!(day.midnight().to_string(), "2014-07-31T00:00:00Z");
/// assert!(Date::new(2014, 2, 29).is_none());
/// # Ok::<(), table_patterns::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(Timestamp);

impl Date {
    /// Creates a date. Returns `None` if the date is invalid.
    #[must_use]
    pub fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        Timestamp::from_date(year, month, day).map(Self)
    }

    /// Returns the start of the day, in UTC.
    #[must_use]
    pub const fn midnight(self) -> Timestamp {
        self.0
    }

    /// Returns the year, from 1 to 9999.
    #[must_use]
    pub fn year(self) -> i32 {
        self.0.date().0
    }

    /// Returns the month, from 1 to 12.
    #[must_use]
    pub fn month(self) -> u8 {
        self.0.date().1
    }

    /// Returns the day of the month, from 1 to 31.
    #[must_use]
    pub fn day(self) -> u8 {
        self.0.date().2
    }
}

/// Converts a time to its date in UTC.
impl From<Timestamp> for Date {
    fn from(at: Timestamp) -> Self {
        let (year, month, day) = at.date();
        Self::new(year, month, day).unwrap_or(Self(Timestamp::MIN))
    }
}

/// Parses `2014-07-31`.
impl FromStr for Date {
    type Err = crate::ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let at = if text.len() == 10 { text.parse().ok() } else { None };
        at.map(Self).ok_or_else(|| crate::ValueError::unreadable(text, "a date like 2014-07-31"))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.0.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Serializes as a string like `2014-07-31`.
#[cfg(feature = "serde")]
impl serde::Serialize for Date {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::core::serde_text::serialize(self, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Date {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::core::serde_text::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_nothing_else() {
        let day: Date = "0001-01-01".parse().unwrap();
        assert_eq!(day.to_string(), "0001-01-01");
        for text in ["", "2014-7-31", "2014-02-30", "2014-07-31T00:00:00Z", "+014-07-31"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_in_its_day() {
        let at: Timestamp = "2014-07-31T23:59:59.9999999Z".parse().unwrap();
        assert_eq!(Date::from(at).to_string(), "2014-07-31");
    }
}
