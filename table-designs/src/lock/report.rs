use std::fmt;

use super::{FrontEnd, LockFinding};

/// Findings as the message of a failed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockReport {
    /// The name of the file.
    pub file: String,
    /// The findings.
    pub findings: Vec<LockFinding>,
    /// The command that accepts changes.
    pub accept: String,
    /// The language of the design that the file was compared with.
    pub front_end: FrontEnd,
}

impl fmt::Display for LockReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, count) = (&self.file, self.findings.len());
        let plural = if count == 1 { "" } else { "s" };
        let design = self.front_end.design();
        writeln!(f, "{file} differs from the {design}: {count} finding{plural}\n")?;
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
                let accept = format!(
                    "to accept: run `{}`, review the difference of {file}, and commit it",
                    self.accept
                );
                f.write_str(&wrapped(&accept, WIDTH).join("\n"))
            }
            refused => write!(f, "{refused} of {count} cannot be accepted; change the {design} first"),
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
    let mut units: Vec<String> = Vec::new();
    let mut is_code = false;
    for word in text.split(' ') {
        match units.last_mut().filter(|_| is_code) {
            Some(code) => code.extend([" ", word]),
            None => units.push(word.to_owned()),
        }
        is_code ^= word.matches('`').count() % 2 == 1;
    }
    let mut lines: Vec<String> = Vec::new();
    for unit in units {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + unit.chars().count() <= width => {
                line.extend([" ", &unit]);
            }
            _ => lines.push(unit),
        }
    }
    lines
}
