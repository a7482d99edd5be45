//! The steps of a plan as sentences.

use table_designs::evolution::{Action, Change, ChangeCode, IndexName, PlannedStep, Step, Task};

use super::{Migration, means::Known};
use crate::diff::told;

/// A sentence about a step, and the changes that it concerns.
#[derive(Debug)]
pub(super) struct Sentence<'c> {
    pub(super) words: String,
    pub(super) command: Option<String>,
    pub(super) changes: Vec<&'c Change>,
}

/// Returns who performs a step.
pub(super) const fn performer(action: &Action) -> &'static str {
    match action {
        Action::Deployment(_) => "deployment",
        Action::Program(_) => "program",
        _ => "job",
    }
}

/// Returns the sentences of a step. Changes with the same sentence are together.
pub(super) fn sentences<'c>(
    migration: &Migration<'c>,
    step: &PlannedStep<'c>,
    known: &Known,
) -> Vec<Sentence<'c>> {
    if let Action::Job(task) = &step.action {
        let changes = step.changes.iter().map(|(_, change)| *change).collect();
        return vec![Sentence { words: job(task), command: None, changes }];
    }
    let mut sentences: Vec<Sentence<'c>> = Vec::new();
    for (of, change) in step.changes.iter().copied() {
        let (words, command) = match &step.action {
            // The program performs the steps of a feed, so their text has the calls.
            _ if change.is_feed() => told(of, change, &migration.arguments.design),
            Action::Program(_) => program(migration, of, change, known),
            _ => deployment(migration, of, change, known),
        };
        match sentences.iter_mut().find(|known| known.words == words && known.command == command) {
            Some(sentence) => sentence.changes.push(change),
            None => sentences.push(Sentence { words, command, changes: vec![change] }),
        }
    }
    sentences
}

fn job(task: &Task) -> String {
    let shown = |IndexName { entity, index }: &IndexName| format!("{entity}.{index}");
    match task {
        Task::CheckUnique(of) => format!("find equal values of {}", shown(of)),
        Task::AddIndex(of) => format!("add {} to the registry, write and compare its rows", shown(of)),
        Task::DropIndex(of) => format!("remove {} from the registry, and delete its rows", shown(of)),
        Task::Reindex(of) => format!("write the rows of {}", shown(of)),
        Task::Repair(entity) => format!("compare the index rows of {entity}, and repair them"),
        Task::DeleteRows(of) => format!("delete the rows of {}", shown(of)),
        Task::CheckVersions(entity) => format!("check that no row of {entity} has an older version"),
        Task::Verify(entity) => format!("verify the index rows of {entity}"),
        other => other.as_str().to_owned(),
    }
}

fn deployment(
    migration: &Migration<'_>,
    step: Step,
    change: &Change,
    known: &Known,
) -> (String, Option<String>) {
    let (_, part) = parts(change);
    let is_registered = known.of(change).is_registered;
    let words = match (step, change.code) {
        (Step::StopReading, ChangeCode::C10) => {
            format!("deploy programs that declare `{part}` and do not read by it")
        }
        (Step::Deploy, ChangeCode::C09) if !is_registered => {
            format!("deploy programs that declare `{part}` and do not read by it, and end all older programs")
        }
        (Step::Deploy, ChangeCode::C10) if !is_registered => {
            format!("deploy programs without `{part}`, and end all older programs")
        }
        (Step::Deploy, ChangeCode::C11) => {
            format!(
                "deploy programs that do not need the new fields of `{part}` yet, and end all older programs"
            )
        }
        (Step::Deploy, ChangeCode::C08) => "deploy the programs of the new version".to_owned(),
        (Step::Deploy, ChangeCode::C10) => format!("deploy programs without `{part}`"),
        _ => return told(step, change, &migration.arguments.design),
    };
    (words, None)
}

fn program(
    migration: &Migration<'_>,
    step: Step,
    change: &Change,
    known: &Known,
) -> (String, Option<String>) {
    let (entity, part) = parts(change);
    let is_registered = known.of(change).is_registered;
    let call = match (step, change.code) {
        (Step::AddIndex, _) if is_registered => format!("`tables.add_index::<{entity}>(\"{part}\").run()`"),
        (Step::AddIndex | Step::Reindex, ChangeCode::C09 | ChangeCode::C11) => format!(
            "`tables.reindex::<{entity}>(\"{part}\").run()`, then `tables.verify::<{entity}>().repair().run()`"
        ),
        (Step::DropIndex, _) if is_registered => {
            format!("`tables.drop_index::<{entity}>(\"{part}\").run()`")
        }
        (Step::DropIndex, _) => format!(
            "`tables.remove_index_rows::<{entity}>(\"{part}\").run()`, with a struct that still declares it"
        ),
        (Step::Verify, ChangeCode::C32) => format!("`tables.verify::<{entity}>().repair().run()`"),
        (Step::Backfill, ChangeCode::C15 | ChangeCode::C17 | ChangeCode::C18) => {
            let call = format!("`tables.migration::<{entity}>().run()`");
            return (format!("move the entities: {call}; a design does not contain the conversion"), None);
        }
        _ => return told(step, change, &migration.arguments.design),
    };
    (format!("{call} ({})", known.reason(change)), None)
}

/// Returns a step that can follow at any time.
pub(super) fn later(migration: &Migration<'_>, step: Step, change: &Change) -> String {
    told(step, change, &migration.arguments.design).0
}

/// Returns why a change is blocked, with the remedy.
pub(super) fn blocked(change: &Change) -> String {
    let (_, part) = parts(change);
    match change.code {
        // No program can declare both lists, because neither version has both names of the field.
        ChangeCode::C11 if change.steps.contains(&Step::DropIndex) => format!(
            "{}. In this order:\n\
             1. with the older design: add an index NEW_NAME with the keys of `{part}`, and either without `copy`, or \
             with a list that does not contain the field, in a migration of its own, and read by it\n\
             2. remove `{part}` in a second migration\n\
             3. migrate to this design, with NEW_NAME instead of `{part}`\n\
             guide: docs/guide/evolution.md (Fields in `copy(..)`)",
            change.reason
        ),
        ChangeCode::C11 | ChangeCode::C13 => format!(
            "the registry contains another definition of `{part}`; declare the new one under another name, and \
             remove `{part}` in the next migration"
        ),
        ChangeCode::C12 => format!(
            "{}; declare the unique index under another name next to `{part}`, and remove `{part}` in the next \
             migration",
            change.reason
        ),
        ChangeCode::C20 | ChangeCode::C27 if change.rewrite => format!(
            "{}, and no program reads both forms under one version; raise `version` of the entity and keep the older \
             struct: `tables.upgrade` then rewrites the values",
            change.reason
        ),
        _ => change.reason.clone(),
    }
}

fn parts(change: &Change) -> (&str, &str) {
    change.subject.split_once('.').unwrap_or((&change.subject, ""))
}
