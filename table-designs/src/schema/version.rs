//! Program versions.

use std::{fmt, str::FromStr};

/// A version of the program that reads design files: `0.4`, or `0.4.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramVersion {
    /// The major version.
    pub major: u32,
    /// The minor version.
    pub minor: u32,
    /// The patch version. Defaults to 0.
    pub patch: u32,
}

/// The error for an invalid version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a version is two or three numbers with dots between")]
pub struct NoVersion;

impl FromStr for ProgramVersion {
    type Err = NoVersion;

    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let number = |part: &str| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| is_number).ok_or(NoVersion)
        };
        match *text.split('.').collect::<Vec<_>>().as_slice() {
            [major, minor] => Ok(Self { major: number(major)?, minor: number(minor)?, patch: 0 }),
            [major, minor, patch] => {
                Ok(Self { major: number(major)?, minor: number(minor)?, patch: number(patch)? })
            }
            _ => Err(NoVersion),
        }
    }
}

impl fmt::Display for ProgramVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.patch > 0 {
            write!(f, ".{}", self.patch)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let version = |text: &str| text.parse::<ProgramVersion>().unwrap();
        assert!(version("0.10") > version("0.9.9"));
        assert_eq!(version("0.4.0").to_string(), "0.4");
        for text in ["", "1", "0.4.1.2", "0.x", "0.+4", "v0.4"] {
            assert_eq!(text.parse::<ProgramVersion>(), Err(NoVersion), "{text}");
        }
    }
}
