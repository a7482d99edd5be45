//! What a design changes of what is told of it: findings that come and go, and numbers that are others.

mod figures;
mod json;
mod markdown;
mod older;
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
use crate::{design::Design, error::CommandError};

/// What is told otherwise of a design than of an older one. A number has changed where a report would show another text.
#[derive(Debug)]
pub(super) struct Diff<'r> {
    pub(super) before: &'r Report<'r>,
    pub(super) after: &'r Report<'r>,
    /// In the order of the report, what is gone last.
    pub(super) findings: Vec<FindingChange<'r>>,
    /// Of the six numbers those that are others.
    pub(super) numbers: Vec<Change>,
    pub(super) queries: Vec<Subject>,
    pub(super) writes: Vec<Subject>,
}

/// A finding that one of the two reports does not have, or not so.
#[derive(Clone, Copy, Debug)]
pub(super) enum FindingChange<'r> {
    Come(&'r Finding),
    Changed { before: &'r Finding, after: &'r Finding },
    Gone(&'r Finding),
}

/// A query or a write of which a number is another.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) changes: Vec<Change>,
}

/// A number before and after; none where what it is of is not there.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) before: Option<Figure>,
    pub(super) after: Option<Figure>,
}

/// Compares with an older design, and prints that. What is new decides how it exits.
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
        Format::Html => {
            clap::Error::raw(ErrorKind::ArgumentConflict, "--diff has no page: text, markdown or json\n")
                .exit()
        }
    };
    let old = Design::of(older::source(older)?, arguments.load.as_deref())?;
    // What is compared does not depend on servers.
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
            findings: findings(&before.findings, &after.findings),
            numbers: changes(figures::of_all(before), figures::of_all(after)),
            queries: subjects(queries(before), queries(after)),
            writes: subjects(writes(before), writes(after)),
            before,
            after,
        }
    }

    /// Whether the two reports tell the same.
    pub(super) const fn is_empty(&self) -> bool {
        self.findings.is_empty()
            && self.numbers.is_empty()
            && self.queries.is_empty()
            && self.writes.is_empty()
    }

    /// How many findings come, change, and are gone.
    pub(super) fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&FindingChange<'_>) -> bool| self.findings.iter().filter(|one| is(one)).count();
        [
            count(|one| matches!(one, FindingChange::Come(_))),
            count(|one| matches!(one, FindingChange::Changed { .. })),
            count(|one| matches!(one, FindingChange::Gone(_))),
        ]
    }

    /// Severities of what was not found before, or found to matter less.
    fn worse(&self) -> impl Iterator<Item = Severity> {
        self.findings.iter().filter_map(|change| match change {
            FindingChange::Come(finding) => Some(finding.severity),
            // The worst is the first.
            FindingChange::Changed { before, after } => {
                (after.severity < before.severity).then_some(after.severity)
            }
            FindingChange::Gone(_) => None,
        })
    }
}

/// Findings of one rule about one thing are the same finding, whatever they say.
fn findings<'r>(before: &'r [Finding], after: &'r [Finding]) -> Vec<FindingChange<'r>> {
    let says = |one: &Finding, other: &Finding| {
        one.severity == other.severity && one.message == other.message && one.fix == other.fix
    };
    let is_of = |one: &Finding, other: &Finding| one.code == other.code && one.subject == other.subject;
    // What is told alike is left out first, so that of several the right two are compared.
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

/// Queries or writes by their names, in the order of the newer design.
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

/// Of the same figures in the same order those that read otherwise.
fn changes(before: Vec<Figure>, after: Vec<Figure>) -> Vec<Change> {
    let all = before.into_iter().zip(after);
    let changed = all.filter(|(before, after)| before.text != after.text);
    changed.map(|(before, after)| Change { before: Some(before), after: Some(after) }).collect()
}

impl Change {
    /// What the number is called, in a text and in an object.
    pub(super) fn names(&self) -> (&'static str, &'static str) {
        let figure = self.after.as_ref().or(self.before.as_ref());
        figure.map_or(("", ""), |figure| (figure.what, figure.key))
    }
}
