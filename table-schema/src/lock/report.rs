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
            write(f, &format!("cause: {reason}"))?;
            write(f, &format!("remedy: {}", remedy.trim_end()))?;
            writeln!(f)?;
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

/// Width of the text in columns. Text to paste, which is indented, is never broken.
const WIDTH: usize = 80;

/// Writes a message with an indentation. Its further lines are indented more.
fn write(f: &mut fmt::Formatter<'_>, message: &str) -> fmt::Result {
    for line in message.lines() {
        if line.is_empty() || line.starts_with("      ") {
            writeln!(f, "{line}")?;
            continue;
        }
        for (number, line) in wrapped(line.trim_start(), WIDTH - 4).iter().enumerate() {
            writeln!(f, "{}{line}", if number == 0 { "  " } else { "    " })?;
        }
    }
    Ok(())
}

/// Breaks a line between words, but not in code.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut is_code = false;
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        let fits = line.chars().count() + 1 + word.chars().count() <= width;
        if line.is_empty() || fits || is_code {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
        is_code ^= word.matches('`').count() % 2 == 1;
    }
    lines
}
