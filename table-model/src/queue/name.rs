use std::{fmt, str::FromStr, sync::Arc};

use crate::{TableError, dns_name};

/// Name of a queue: 3 to 63 lower-case ASCII letters, digits and single `-`, with a letter or digit first and last.
/// Cloning is cheap.
///
/// ```
/// use table_model::queue::QueueName;
///
/// assert_eq!("photos-to-shrink".parse::<QueueName>()?.as_str(), "photos-to-shrink");
/// assert!("Photos".parse::<QueueName>().is_err());
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueName(Arc<str>);

impl QueueName {
    /// Creates a queue name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters.
    pub fn new(name: impl AsRef<str>) -> Result<Self, TableError> {
        let name = name.as_ref();
        dns_name::check(name)?;
        Ok(Self(name.into()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for QueueName {
    type Err = TableError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name)
    }
}

impl TryFrom<&str> for QueueName {
    type Error = TableError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl fmt::Display for QueueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn follows_the_services_grammar() {
        let code = |name: &str| QueueName::new(name).map(|_| ()).map_err(|error| error.code());
        for name in ["abc", "1-a", "a-1-b", "tables-outbox", &"a".repeat(63)] {
            assert_eq!(code(name), Ok(()), "{name}");
        }
        for name in ["", "ab", &"a".repeat(64)] {
            assert_eq!(code(name), Err(ErrorCode::OutOfRangeInput), "{name}");
        }
        for name in ["Abc", "-ab", "ab-", "a--b", "a.b", "a_b", "größe", "$root", "../x"] {
            assert_eq!(code(name), Err(ErrorCode::InvalidResourceName), "{name}");
        }
    }
}
