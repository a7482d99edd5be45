//! A change and its consequences.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{ChangeCode, Step, class::CLASSES};
use table_schema::design::EntityDesign;

/// A difference between two versions of a design that concerns stored data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The class of the change.
    pub code: ChangeCode,
    /// The entity, or the entity and the stored name of the field, index or aggregate: `Employee.age`.
    pub subject: String,
    /// The consequence for the deployment.
    pub verdict: Verdict,
    /// The cause of the verdict, and the remedy if the change is rejected.
    pub reason: String,
    /// The effect on programs of the older version that still run.
    pub old_programs: OldPrograms,
    /// `true` if existing rows are rewritten, moved or deleted.
    pub rewrite: bool,
    /// The steps of the deployment, in order. Empty if the change is rejected and there is no remedy in steps.
    pub steps: Vec<Step>,
}

/// The consequence of a change for the deployment, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Programs can be deployed in any order.
    Safe,
    /// All readers are deployed before the first writer.
    Ordered,
    /// A job changes stored rows.
    Migrate,
    /// Data would be lost or no longer be found.
    Refused,
}

/// The effect of a change on programs of the older version that still run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OldPrograms {
    /// They run without restriction.
    Run,
    /// They run, and keep what they do not know if they merge. A replace writes only the fields that they know.
    Keep,
    /// They reject rows of the new form with a typed error.
    RefuseRows,
    /// They reject only the values that do not fit.
    RefuseValues,
    /// The registry rejects their writes.
    Lease,
    /// They follow the markers of moved entities.
    Follow,
    /// They use the old tables up to a date, and the new tables after it.
    Border,
    /// They must not run.
    None,
}

impl Verdict {
    /// All verdicts, mildest first.
    pub const ALL: [Self; 4] = [Self::Safe, Self::Ordered, Self::Migrate, Self::Refused];

    /// Returns the verdict as a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Ordered => "ordered",
            Self::Migrate => "migrate",
            Self::Refused => "refused",
        }
    }
}

impl OldPrograms {
    /// Returns the effect as a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Keep => "keep",
            Self::RefuseRows => "refuse-rows",
            Self::RefuseValues => "refuse-values",
            Self::Lease => "lease",
            Self::Follow => "follow",
            Self::Border => "border",
            Self::None => "none",
        }
    }
}

/// The error for an unknown class.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown class `{0}`; the classes are C00 to C32")]
pub struct UnknownChangeCode(String);

impl FromStr for ChangeCode {
    type Err = UnknownChangeCode;

    fn from_str(text: &str) -> Result<Self, UnknownChangeCode> {
        let found = CLASSES.iter().find(|class| class.code.as_str().eq_ignore_ascii_case(text));
        found.map(|class| class.code).ok_or_else(|| UnknownChangeCode(text.to_owned()))
    }
}

impl fmt::Display for ChangeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for OldPrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Change {
    /// Creates a change with this verdict and these steps, during which old programs run.
    pub(super) fn new(
        code: ChangeCode,
        subject: impl Into<String>,
        verdict: Verdict,
        steps: &[Step],
        reason: impl Into<String>,
    ) -> Self {
        let (subject, reason, old_programs) = (subject.into(), reason.into(), OldPrograms::Run);
        Self { code, subject, verdict, reason, old_programs, rewrite: false, steps: steps.to_vec() }
    }

    /// Creates a change that is rejected.
    pub(super) fn refused(code: ChangeCode, subject: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(code, subject, Verdict::Refused, &[], reason).old(OldPrograms::None)
    }

    /// Returns whether a change feed is added or removed. An index can also be named `changes`, but its rows are written.
    pub fn is_feed(&self) -> bool {
        matches!(self.code, ChangeCode::C09 | ChangeCode::C10) && !self.rewrite
    }

    /// Returns whether the change moves the entities of this design to other keys.
    pub(super) fn is_move_of(&self, entity: &EntityDesign) -> bool {
        matches!(self.code, ChangeCode::C15 | ChangeCode::C17 | ChangeCode::C18)
            && self.verdict == Verdict::Migrate
            && self.subject == entity.name
    }

    /// Returns whether a new version of the entity reads both forms and writes the new one, so that `upgrade` rewrites
    /// the rows of the older version.
    pub fn is_by_version(&self) -> bool {
        match self.code {
            ChangeCode::C04 | ChangeCode::C06 | ChangeCode::C07 => true,
            ChangeCode::C20 | ChangeCode::C27 => self.steps.contains(&Step::Retire),
            _ => false,
        }
    }

    /// Returns whether the oldest version that is read is raised, and nothing else.
    pub fn is_retirement(&self) -> bool {
        self.code == ChangeCode::C07 && self.steps.first() == Some(&Step::Upgrade)
    }

    /// Sets the effect on old programs.
    pub(super) const fn old(mut self, old_programs: OldPrograms) -> Self {
        self.old_programs = old_programs;
        self
    }

    /// Returns whether a rule is added, and none is removed.
    pub(crate) fn is_addition(&self) -> bool {
        self.steps.contains(&Step::AddTotal) && !self.steps.contains(&Step::DropTotal)
    }

    /// Declares that existing rows are rewritten.
    pub(super) const fn rewrites(mut self) -> Self {
        self.rewrite = true;
        self
    }
}
