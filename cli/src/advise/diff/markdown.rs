use std::fmt::Write;

use super::{Diff, FindingChange, terminal};
use crate::advise::markdown::{finding, section};

pub(super) fn text(diff: &Diff<'_>) -> String {
    let mut out = format!("# {}\n\n", diff.after.name());
    _ = writeln!(out, "`{}` → `{}`\n\n**{}**", diff.before.file, diff.after.file, terminal::sentence(diff));
    if !diff.findings.is_empty() {
        _ = writeln!(out, "\n## Findings\n");
    }
    for change in &diff.findings {
        match change {
            FindingChange::Come(found) => _ = writeln!(out, "- new: {}", finding(diff.after, found)),
            FindingChange::Changed { before, after } => {
                let says = finding(diff.after, after);
                _ = writeln!(out, "- changed: {says} Before: {}: {}.", before.severity, before.message);
            }
            FindingChange::Gone(found) => {
                _ = writeln!(out, "- resolved: ~~{} {}~~, {}.", found.severity, found.code, found.sentence());
            }
        }
    }
    section(&mut out, "Numbers", &terminal::numbers(&diff.numbers));
    section(&mut out, "Queries", &terminal::subjects("query", &diff.queries));
    section(&mut out, "Writes", &terminal::subjects("write", &diff.writes));
    out
}
