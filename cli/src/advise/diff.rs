//! Comparison of two designs: findings that are added, changed or removed, and numbers that differ.

mod figures;
mod json;
mod markdown;
mod terminal;

use std::process::ExitCode;

use clap::error::ErrorKind;
use table_advisor::{Finding, Model};
use table_schema::catalogue::Severity;

use self::figures::Figure;
use super::{
    Arguments,
    arguments::Format,
    report::{Report, Scope},
};
use crate::{
    design::{self, Design},
    error::CommandError,
    revision,
};

/// The differences between a design and an older one. A number counts as changed if its formatted text differs.
#[derive(Debug)]
pub(super) struct Diff<'r> {
    pub(super) before: &'r Report<'r>,
    pub(super) after: &'r Report<'r>,
    /// In the order of the report, removed findings last.
    pub(super) findings: Vec<FindingChange<'r>>,
    /// Those of the six numbers that differ.
    pub(super) numbers: Vec<Change>,
    pub(super) queries: Vec<Subject>,
    pub(super) writes: Vec<Subject>,
}

/// A finding that is missing or different in one of the two reports.
#[derive(Clone, Copy, Debug)]
pub(super) enum FindingChange<'r> {
    Come(&'r Finding),
    Changed { before: &'r Finding, after: &'r Finding },
    Gone(&'r Finding),
}

/// A query or a write with a changed number.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) changes: Vec<Change>,
}

/// A number before and after; `None` if its subject does not exist.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) before: Option<Figure>,
    pub(super) after: Option<Figure>,
}

/// Compares with an older design, and prints the differences. New findings determine the exit code.
pub(super) fn run(
    arguments: &Arguments,
    older: &str,
    name: &str,
    design: &Design,
) -> Result<ExitCode, CommandError> {
    let write = match arguments.form() {
        Format::Text => terminal::text,
        Format::Markdown => markdown::text,
        Format::Json => json::text,
        Format::Html => clap::Error::raw(
            ErrorKind::ArgumentConflict,
            "--diff does not support html; use text, markdown or json\n",
        )
        .exit(),
    };
    let load = arguments.load.as_deref().map(design::source).transpose()?;
    let old = Design::of(revision::source(older)?, load)?;
    // The comparison does not depend on servers.
    let scope = Scope { servers: Vec::new(), rate: arguments.rate, seed: arguments.seed, heat: None };
    let models = [Model::new(&old.schema), Model::new(&design.schema)];
    let [before, after] = &models;
    let before = Report::new(older, &old.schema, &old.positions, before, &scope);
    let after = Report::new(name, &design.schema, &design.positions, after, &scope);
    let diff = Diff::new(&before, &after);
    crate::print(&write(&diff))?;
    Ok(super::exit(diff.worse(), arguments.strict))
}

impl<'r> Diff<'r> {
    fn new(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let queries = |report: &Report<'_>| -> Vec<_> {
            let all = report.model.accesses().iter();
            all.map(|access| (access.query.clone(), figures::of_query(report, access))).collect()
        };
        let writes = |report: &Report<'_>| -> Vec<_> {
            let all = report.model.plans().iter();
            all.map(|plan| (plan.name(), figures::of_write(report, plan))).collect()
        };
        Self {
            findings: findings(&before.advice.findings, &after.advice.findings),
            numbers: changes(figures::of_all(before), figures::of_all(after)),
            queries: subjects(queries(before), queries(after)),
            writes: subjects(writes(before), writes(after)),
            before,
            after,
        }
    }

    /// Returns whether the two reports are equal.
    pub(super) const fn is_empty(&self) -> bool {
        self.findings.is_empty()
            && self.numbers.is_empty()
            && self.queries.is_empty()
            && self.writes.is_empty()
    }

    /// Returns the numbers of added, changed and removed findings.
    pub(super) fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&FindingChange<'_>) -> bool| self.findings.iter().filter(|one| is(one)).count();
        [
            count(|one| matches!(one, FindingChange::Come(_))),
            count(|one| matches!(one, FindingChange::Changed { .. })),
            count(|one| matches!(one, FindingChange::Gone(_))),
        ]
    }

    /// Returns the severities of findings that are new or became more severe.
    fn worse(&self) -> impl Iterator<Item = Severity> {
        self.findings.iter().filter_map(|change| match change {
            FindingChange::Come(finding) => Some(finding.severity),
            // The worst severity is the first.
            FindingChange::Changed { before, after } => {
                (after.severity < before.severity).then_some(after.severity)
            }
            FindingChange::Gone(_) => None,
        })
    }
}

/// Matches findings: findings of one rule about one subject are the same finding, even if their messages differ.
fn findings<'r>(before: &'r [Finding], after: &'r [Finding]) -> Vec<FindingChange<'r>> {
    let says = |one: &Finding, other: &Finding| {
        one.severity == other.severity && one.message == other.message && one.fix == other.fix
    };
    let is_of = |one: &Finding, other: &Finding| one.code == other.code && one.subject == other.subject;
    // Equal findings are removed first, so that the correct pairs of several findings are compared.
    let mut old: Vec<&Finding> = before.iter().collect();
    let mut new = Vec::new();
    for finding in after {
        match old.iter().position(|other| is_of(other, finding) && says(other, finding)) {
            Some(place) => _ = old.remove(place),
            None => new.push(finding),
        }
    }
    let mut changes = Vec::new();
    for after in new {
        changes.push(match old.iter().position(|other| is_of(other, after)) {
            Some(place) => FindingChange::Changed { before: old.remove(place), after },
            None => FindingChange::Come(after),
        });
    }
    changes.extend(old.into_iter().map(FindingChange::Gone));
    changes
}

/// Matches queries or writes by their names, in the order of the newer design.
fn subjects(mut before: Vec<(String, Vec<Figure>)>, after: Vec<(String, Vec<Figure>)>) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (name, after) in after {
        let place = before.iter().position(|(old, _)| *old == name);
        let before = place.map(|place| before.remove(place).1);
        let changes = match before {
            Some(before) => changes(before, after),
            None => after.into_iter().map(|after| Change { before: None, after: Some(after) }).collect(),
        };
        subjects.push(Subject { name, changes });
    }
    for (name, before) in before {
        let gone = |before| Change { before: Some(before), after: None };
        subjects.push(Subject { name, changes: before.into_iter().map(gone).collect() });
    }
    subjects.retain(|subject| !subject.changes.is_empty());
    subjects
}

/// Returns those of the same figures, in the same order, whose formatted values differ.
fn changes(before: Vec<Figure>, after: Vec<Figure>) -> Vec<Change> {
    let all = before.into_iter().zip(after);
    let changed = all.filter(|(before, after)| before.text != after.text);
    changed.map(|(before, after)| Change { before: Some(before), after: Some(after) }).collect()
}

impl Change {
    /// Returns the name of the number, in text and in JSON.
    pub(super) fn names(&self) -> (&'static str, &'static str) {
        let figure = self.after.as_ref().or(self.before.as_ref());
        figure.map_or(("", ""), |figure| (figure.what, figure.key))
    }
}
