//! Settings for findings.

use std::collections::BTreeMap;

use table_schema::catalogue::Severity;

/// The settings of a design for its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// The accepted findings: a code, or a code, `:` and its subject.
    pub allow: Vec<String>,
    /// The denied findings: `table_scan`, or codes that become errors.
    pub deny: Vec<String>,
    /// The severities by code that override the catalog.
    pub level: BTreeMap<String, Severity>,
}

impl Lint {
    /// Returns whether table scans are errors.
    pub fn denies_table_scans(&self) -> bool {
        self.deny.iter().any(|denied| denied == "table_scan")
    }

    /// Returns whether a finding is accepted.
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
