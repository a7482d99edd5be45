//! Sizes: `32KiB`.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use super::{LanguageError, number};
use crate::catalogue::Code;

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of units.
    pub number: u64,
    /// The unit.
    pub unit: SizeUnit,
}

/// The unit of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeUnit {
    /// `B`
    Byte,
    /// `KiB`
    Kibibyte,
    /// `MiB`
    Mebibyte,
    /// `GiB`
    Gibibyte,
}

impl SizeUnit {
    /// All units, smallest first.
    pub const ALL: [Self; 4] = [Self::Byte, Self::Kibibyte, Self::Mebibyte, Self::Gibibyte];

    /// Returns the unit as written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Byte => "B",
            Self::Kibibyte => "KiB",
            Self::Mebibyte => "MiB",
            Self::Gibibyte => "GiB",
        }
    }

    /// Returns the number of bytes in the unit.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Byte => 1,
            Self::Kibibyte => 1 << 10,
            Self::Mebibyte => 1 << 20,
            Self::Gibibyte => 1 << 30,
        }
    }
}

/// Two are equal if they are the same number of bytes, in any unit.
impl PartialEq for Size {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Size {}

impl Hash for Size {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

impl Size {
    /// Returns the size in bytes, saturating at the maximum of `u64`.
    pub const fn bytes(self) -> u64 {
        self.number.saturating_mul(self.unit.bytes())
    }
}

impl FromStr for Size {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        let read = || {
            let (number, rest) = number::whole(text.trim())?;
            let unit = rest.trim();
            Some(Self { number, unit: SizeUnit::ALL.into_iter().find(|known| known.as_str() == unit)? })
        };
        read().ok_or_else(|| LanguageError {
            code: Code::D005,
            span: 0..text.len(),
            message: "cannot read this size".to_owned(),
            label: "expected a number and a unit".to_owned(),
            help: "\"4MiB\"; units: B, KiB, MiB, GiB".to_owned(),
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_prints_as_what_it_is_read_from() {
        for (text, bytes) in [("1B", 1), ("32KiB", 32_768), ("4MiB", 4 << 20), ("2GiB", 2 << 30)] {
            let size: Size = text.parse().unwrap();
            assert_eq!((size.to_string().as_str(), size.bytes()), (text, bytes));
        }
        for text in ["", "4MB", "KiB", "1.5MiB", "4"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
