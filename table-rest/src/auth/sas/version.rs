use std::{fmt, str::FromStr};

use super::SasError;

/// The version of the signing rules: a date.
///
/// ```
/// use table_rest::auth::sas::Version;
///
/// let version: Version = "2019-02-02".parse()?;
/// assert!(version < Version::LATEST);
/// assert_eq!(version.to_string(), "2019-02-02");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    year: u16,
    month: u8,
    day: u8,
}

impl Version {
    /// The first accepted version. Earlier versions sign a resource without its service, so that a signature for a table
    /// is also one for a queue and a container of the same name.
    pub const FIRST: Self = Self::of(2015, 2, 21);
    /// The first version with account signatures, addresses and protocols.
    pub const ACCOUNT: Self = Self::of(2015, 4, 5);
    /// The first version that signs the kind of a blob resource.
    pub const RESOURCE: Self = Self::of(2018, 11, 9);
    /// The first version that signs encryption scopes: the latest change of the rules.
    pub const LATEST: Self = Self::of(2020, 12, 6);

    const fn of(year: u16, month: u8, day: u8) -> Self {
        Self { year, month, day }
    }
}

impl FromStr for Version {
    type Err = SasError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |from, to| text.get(from..to)?.parse().ok();
        let parts = || Some((number(0, 4)?, number(5, 7)?, number(8, 10)?));
        let (year, month, day): (u16, u16, u16) = parts().ok_or(SasError::Version)?;
        let small = |part| u8::try_from(part).map_err(|_| SasError::Version);
        let version = Self::of(year, small(month)?, small(day)?);
        // Only the canonical form of a date is valid.
        if version.to_string() == text && version >= Self::FIRST {
            Ok(version)
        } else {
            Err(SasError::Version)
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}
