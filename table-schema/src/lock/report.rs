use std::fmt;

use super::LockFinding;

/// Findings as the message of a failed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockReport {
    /// The name of the file.
    pub file: String,
    /// The findings.
    pub findings: Vec<LockFinding>,
    /// The command that accepts changes.
    pub accept: String,
}

impl fmt::Display for LockReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, count) = (&self.file, self.findings.len());
        let plural = if count == 1 { "" } else { "s" };
        writeln!(f, "{file} differs from the code: {count} finding{plural}\n")?;
        for LockFinding { code, class, subject, reason, remedy, .. } in &self.findings {
            let class = class.map(|class| format!("[{class}]")).unwrap_or_default();
            writeln!(f, "{code}{class} {subject}: {}", code.title())?;
            writeln!(f, "  cause: {reason}")?;
            writeln!(f, "  remedy: {}\n", remedy.trim_end())?;
        }
        let refused = self.findings.iter().filter(|finding| !finding.is_acceptable).count();
        match refused {
            0 => {
                write!(f, "to accept: run `{}`, review the difference of {file}, and commit it", self.accept)
            }
            refused => write!(f, "{refused} of {count} cannot be accepted; change the code first"),
        }
    }
}
