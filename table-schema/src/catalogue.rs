//! The catalog of rule violations: code, title and severity. Every front end uses it.
//!
//! ```
//! use table_schema::catalogue::{Code, Severity};
//!
//! let code: Code = "K10".parse()?;
//! assert_eq!(code.title(), "unpadded number");
//! assert_eq!(code.severity(), Severity::Error);
//! # Ok::<(), table_schema::catalogue::UnknownCode>(())
//! ```

mod entries;

use std::{fmt, str::FromStr};

pub use entries::{ALL, Code};
use thiserror::Error;

/// The severity of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The design is invalid.
    Error,
    /// The design is valid, but has a problem.
    Warning,
    /// Information about the design.
    Note,
}

/// An entry of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// The title.
    pub title: &'static str,
    /// The severity.
    pub severity: Severity,
}

/// The error for an unknown code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no mistake `{0}`")]
pub struct UnknownCode(String);

impl Code {
    /// Returns the title.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Returns the severity.
    pub const fn severity(self) -> Severity {
        self.entry().severity
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let found = ALL.iter().find(|entry| entry.code.as_str().eq_ignore_ascii_case(text));
        found.map(|entry| entry.code).ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found_by_its_text() {
        for entry in ALL {
            assert_eq!(entry.code.to_string().parse(), Ok(entry.code));
            assert_eq!(entry.code.title(), entry.title);
        }
        assert_eq!("K99".parse::<Code>().unwrap_err().to_string(), "there is no mistake `K99`");
    }

    #[test]
    fn codes_stand_in_order_and_once() {
        assert!(ALL.windows(2).all(|pair| pair[0].code.as_str() < pair[1].code.as_str()));
    }

    #[test]
    fn no_title_is_a_sentence() {
        assert!(ALL.iter().all(|entry| !entry.title.ends_with('.')));
    }
}
