use std::fmt::Write;

use anstyle::Style;

use super::{Change, Diff, FindingChange, Subject};
use crate::{
    advise::terminal::{BOLD, finding, hanging, paragraph, section},
    table::{
        Side::{Code, Left, Right},
        Table,
    },
    text::{WIDTH, counted, cut, wrapped},
};

/// Maximum number of columns of a value; a list of asynchronous updates may be long.
const VALUE: usize = 22;

pub(super) fn text(diff: &Diff<'_>) -> String {
    let mut out = String::new();
    paragraph(&mut out, &heading(diff));
    _ = writeln!(out, "\n{BOLD}{}{BOLD:#}", sentence(diff));
    findings(&mut out, diff);
    section(&mut out, "Numbers", &numbers(&diff.numbers));
    section(&mut out, "Queries", &subjects("query", &diff.queries));
    section(&mut out, "Writes", &subjects("write", &diff.writes));
    out
}

fn heading(diff: &Diff<'_>) -> String {
    format!("{}: {} → {}", diff.after.name(), diff.before.file, diff.after.file)
}

/// Returns a sentence with the changes.
pub(super) fn sentence(diff: &Diff<'_>) -> String {
    if diff.is_empty() {
        return "The report has not changed.".to_owned();
    }
    let [come, changed, gone] = diff.counts();
    let numbers = |subjects: &[Subject]| subjects.iter().map(|subject| subject.changes.len()).sum::<usize>();
    let numbers = diff.numbers.len() + numbers(&diff.queries) + numbers(&diff.writes);
    format!(
        "Findings: {come} new, {changed} changed, {gone} resolved. {} changed.",
        counted(numbers, "number")
    )
}

fn findings(out: &mut String, diff: &Diff<'_>) {
    for change in &diff.findings {
        out.push('\n');
        match change {
            FindingChange::Come(found) => {
                let edge = finding(out, diff.after, found);
                hanging(out, edge, "fix", &found.fix);
            }
            FindingChange::Changed { before, after } => {
                let edge = finding(out, diff.after, after);
                hanging(out, edge, "before", &format!("{}: {}", before.severity, before.message));
                hanging(out, edge, "fix", &after.fix);
            }
            FindingChange::Gone(found) => {
                let dim = Style::new().dimmed();
                let says = format!("resolved {}[{}]: {}", found.severity, found.code, found.sentence());
                let lines = wrapped(&says, WIDTH - 4);
                _ = writeln!(out, "{dim}{}{dim:#}", lines.join("\n    "));
            }
        }
    }
}

/// Returns the table of the verdict's numbers.
pub(super) fn numbers(changes: &[Change]) -> Table {
    let mut table = Table::new([("", Left), ("before", Right), ("after", Right)]);
    for change in changes {
        let [before, after] = texts(change);
        table.row([change.names().0.into(), before.into(), after.into()]);
    }
    table
}

/// Returns a table with a line per number; only the first line of a subject contains its name.
pub(super) fn subjects(of: &'static str, subjects: &[Subject]) -> Table {
    let mut table = Table::new([(of, Code), ("", Left), ("before", Right), ("after", Right)]);
    for subject in subjects {
        for (place, change) in subject.changes.iter().enumerate() {
            let name = if place == 0 { subject.name.clone() } else { String::new() };
            let [before, after] = texts(change).map(|text| cut(&text, VALUE));
            table.row([name.into(), change.names().0.into(), before.into(), after.into()]);
        }
    }
    table
}

fn texts(change: &Change) -> [String; 2] {
    [&change.before, &change.after].map(|figure| match figure {
        Some(figure) if figure.text.is_empty() => "none".to_owned(),
        Some(figure) => figure.text.clone(),
        None => "–".to_owned(),
    })
}
