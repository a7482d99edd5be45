//! Date formats: `%Y`, then `%m %d %H %M %S` in this order without gaps.

use std::fmt;

/// A unit of a date format, largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateUnit {
    /// `%Y`, four digits.
    Year,
    /// `%m`
    Month,
    /// `%d`
    Day,
    /// `%H`, 00 to 23.
    Hour,
    /// `%M`
    Minute,
    /// `%S`
    Second,
}

impl DateUnit {
    /// All units, largest first.
    pub const ALL: [Self; 6] = [Self::Year, Self::Month, Self::Day, Self::Hour, Self::Minute, Self::Second];

    /// Returns the letter after `%`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Year => 'Y',
            Self::Month => 'm',
            Self::Day => 'd',
            Self::Hour => 'H',
            Self::Minute => 'M',
            Self::Second => 'S',
        }
    }

    /// Returns the unit for a letter.
    pub(super) fn of(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.letter() == letter)
    }

    /// Returns the number of digits.
    #[must_use]
    pub const fn digits(self) -> usize {
        match self {
            Self::Year => 4,
            _ => 2,
        }
    }
}

/// A date format: the units from the year to the finest unit, with at most one character before each unit except the
/// first.
///
/// ```
/// use table_schema::template::{DateFormat, DateUnit};
///
/// assert_eq!(DateFormat::new(DateUnit::Day).to_string(), "%Y%m%d");
/// let format = DateFormat::separated(DateUnit::Hour, [Some('-'), Some('-'), Some('T'), None, None]);
/// assert_eq!(format.to_string(), "%Y-%m-%dT%H");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateFormat {
    finest: DateUnit,
    /// The characters before the month, the day, the hour, the minute and the second. `None` below `finest`.
    separators: [Option<char>; 5],
}

impl DateFormat {
    /// Creates a format without separators.
    #[must_use]
    pub const fn new(finest: DateUnit) -> Self {
        Self { finest, separators: [None; 5] }
    }

    /// Sets the characters before the month, the day, the hour, the minute and the second. Separators of units below
    /// `finest` are ignored.
    #[must_use]
    pub const fn separated(finest: DateUnit, separators: [Option<char>; 5]) -> Self {
        Self { finest, separators }
    }

    /// Returns the finest unit, after which a time is truncated.
    #[must_use]
    pub const fn finest(self) -> DateUnit {
        self.finest
    }

    /// Returns the units, each with the separator before it.
    pub fn units(self) -> impl Iterator<Item = (DateUnit, Option<char>)> {
        let separators = std::iter::once(None).chain(self.separators);
        DateUnit::ALL.into_iter().zip(separators).take_while(move |(unit, _)| *unit <= self.finest)
    }

    /// Returns whether the format has a separator between two units.
    pub fn has_separators(self) -> bool {
        self.units().any(|(_, separator)| separator.is_some())
    }

    /// Returns the length of a formatted date in UTF-16 units.
    pub fn width(self) -> usize {
        self.units().map(|(unit, separator)| unit.digits() + separator.map_or(0, char::len_utf16)).sum()
    }

    /// Formats the fields of a time.
    pub(super) fn example(self, fields: [u16; 6]) -> String {
        let mut text = String::new();
        for (value, (unit, separator)) in fields.into_iter().zip(self.units()) {
            text.extend(separator);
            text = format!("{text}{value:0width$}", width = unit.digits());
        }
        text
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, separator) in self.units() {
            if let Some(separator) = separator {
                write!(f, "{separator}")?;
            }
            write!(f, "%{}", unit.letter())?;
        }
        Ok(())
    }
}
