use std::{fmt, str::FromStr, sync::Arc};

use crate::{TableError, dns_name};

/// Name of a container: 3 to 63 lower-case ASCII letters, digits and single `-`, with a letter or digit first and last;
/// or one of `$root`, `$web` and `$logs`. Cloning is cheap.
///
/// ```
/// use table_model::blob::ContainerName;
///
/// assert_eq!("employee-photos".parse::<ContainerName>()?.as_str(), "employee-photos");
/// assert!("Photos".parse::<ContainerName>().is_err());
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContainerName(Arc<str>);

impl ContainerName {
    /// Creates a container name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for invalid characters.
    pub fn new(name: impl AsRef<str>) -> Result<Self, TableError> {
        let name = name.as_ref();
        if ["$root", "$web", "$logs"].contains(&name) {
            return Ok(Self(name.into()));
        }
        dns_name::check(name)?;
        Ok(Self(name.into()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ContainerName {
    type Err = TableError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name)
    }
}

impl TryFrom<&str> for ContainerName {
    type Error = TableError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl fmt::Display for ContainerName {
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
        let code = |name: &str| ContainerName::new(name).map(|_| ()).map_err(|error| error.code());
        for name in ["abc", "1-a", "$root", "$web", "$logs", &"a".repeat(63)] {
            assert_eq!(code(name), Ok(()), "{name}");
        }
        for name in ["", "ab", &"a".repeat(64)] {
            assert_eq!(code(name), Err(ErrorCode::OutOfRangeInput), "{name}");
        }
        for name in ["Abc", "-ab", "ab-", "a--b", "a.b", "größe", "$other", "../x"] {
            assert_eq!(code(name), Err(ErrorCode::InvalidResourceName), "{name}");
        }
    }
}
