//! Which findings matter.

use std::collections::BTreeMap;

use crate::catalogue::Severity;

/// What a design says of the findings about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// Findings that are known and meant: a code, or a code, `:` and its subject.
    pub allow: Vec<String>,
    /// What must not be: `table_scan`, or codes that are then errors.
    pub deny: Vec<String>,
    /// Severities other than the catalogue's, by code.
    pub level: BTreeMap<String, Severity>,
}

impl Lint {
    /// Whether table scans are errors.
    pub fn denies_table_scans(&self) -> bool {
        self.deny.iter().any(|denied| denied == "table_scan")
    }

    /// Whether a finding is known and meant.
    pub fn allows(&self, code: &str, subject: &str) -> bool {
        self.allow.iter().any(|allowed| match allowed.split_once(':') {
            Some((of, about)) => of == code && about == subject,
            None => allowed == code,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_allowed_everywhere_or_of_one_subject() {
        let allow = ["Q07", "W05:Employee.insert"].map(str::to_owned).to_vec();
        let lint = Lint { allow, ..Lint::default() };
        assert!(lint.allows("Q07", "anything") && lint.allows("W05", "Employee.insert"));
        assert!(!lint.allows("W05", "Employee.update") && !lint.allows("Q08", "anything"));
    }
}
