//! Findings: changes of the stored form that a lock does not contain.

use std::fmt;

use crate::evolution::{Change, ChangeCode, Verdict};

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LockCode {
    /// An addition that the lock does not contain.
    L01,
    /// Stored rows lack a required field.
    L02,
    /// The stored name, type or meaning of a property changed under the same version.
    L03,
    /// The stored name of an earlier version, or of a removed field, is used with another type.
    L04,
    /// The key, table, shards or parts of an entity changed.
    L05,
    /// The definition of an index, lookup or aggregate changed under its name, or was removed.
    L06,
    /// A version is no longer read, and the lock contains no proof that no row has it.
    L07,
    /// Rows of two entities can have the same key.
    L08,
}

impl LockCode {
    /// Returns the code as a string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::L01 => "L01",
            Self::L02 => "L02",
            Self::L03 => "L03",
            Self::L04 => "L04",
            Self::L05 => "L05",
            Self::L06 => "L06",
            Self::L07 => "L07",
            Self::L08 => "L08",
        }
    }

    /// Returns the finding as a phrase.
    pub const fn title(self) -> &'static str {
        match self {
            Self::L01 => "addition that the file does not contain",
            Self::L02 => "required field that stored rows lack",
            Self::L03 => "stored form changed under the same version",
            Self::L04 => "stored name of an earlier version, with another type",
            Self::L05 => "keys, table or layout of stored rows changed",
            Self::L06 => "rule changed under its name, or removed",
            Self::L07 => "version is no longer read, without proof that no row has it",
            Self::L08 => "rows of two entities can have the same key",
        }
    }

    /// Returns the kind of a change. `is_raised` is `true` if the code has a newer version of the entity than the lock.
    /// Returns `None` for changes that are not stored.
    pub(super) fn of(change: &Change, is_raised: bool) -> Option<Self> {
        let is_refused = change.verdict == Verdict::Refused;
        Some(match change.code {
            ChangeCode::C00 | ChangeCode::C21 => return None,
            ChangeCode::C30 => Self::L07,
            ChangeCode::C07 if is_refused => Self::L07,
            ChangeCode::C03 | ChangeCode::C22 => Self::L02,
            ChangeCode::C06 if is_refused && is_raised => Self::L04,
            ChangeCode::C15 | ChangeCode::C16 | ChangeCode::C17 | ChangeCode::C18 | ChangeCode::C19 => {
                Self::L05
            }
            ChangeCode::C10 | ChangeCode::C11 | ChangeCode::C12 | ChangeCode::C13 | ChangeCode::C14 => {
                Self::L06
            }
            ChangeCode::C28 if is_refused || !change.is_addition() => Self::L06,
            ChangeCode::C32 if change.verdict != Verdict::Ordered => Self::L06,
            ChangeCode::C01
            | ChangeCode::C07
            | ChangeCode::C09
            | ChangeCode::C28
            | ChangeCode::C31
            | ChangeCode::C32 => Self::L01,
            _ if change.verdict == Verdict::Safe || is_raised && !is_refused => Self::L01,
            _ => Self::L03,
        })
    }
}

impl fmt::Display for LockCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A change of the stored form that a lock does not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockFinding {
    /// The kind.
    pub code: LockCode,
    /// The class of the change, if it is a change of the newest version.
    pub class: Option<ChangeCode>,
    /// The stored name of the entity, or the entity and the stored name of the field, index or aggregate.
    pub subject: String,
    /// The cause.
    pub reason: String,
    /// The remedy: instructions, and text to paste, which is indented.
    pub remedy: String,
    /// `true` if the change can be accepted. Others lose data or make rows unreadable.
    pub is_acceptable: bool,
}

impl LockFinding {
    /// Adds the cause of another finding of the same kind and subject, whose remedy includes that of this one.
    pub(super) fn merge(&mut self, other: &mut Self) {
        let cause = self.reason.split("; ").next().unwrap_or_default();
        self.reason = format!("{cause}, and {}", other.reason);
        self.remedy = std::mem::take(&mut other.remedy);
    }
}
