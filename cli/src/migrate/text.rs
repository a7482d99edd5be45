//! The plan and its progress on a terminal: 80 columns. Commands are never broken.

use std::fmt::Write;

use anstyle::Style;
use table_designs::evolution::Change;
use table_patterns::Difference;

use super::{
    Migration,
    means::Known,
    outcome::{JobResult, Outcome, Stop},
    words::{blocked, later, performer, sentences},
};
use crate::text::{WIDTH, counted, listed, wrapped};

const BOLD: Style = Style::new().bold();

pub(super) fn text(migration: &Migration<'_>, outcome: &Outcome, known: &Known) -> String {
    let mut out = String::new();
    let (from, to) = (&migration.arguments.from, &migration.arguments.design);
    let name =
        if migration.new.name.is_empty() { String::new() } else { format!("{}: ", migration.new.name) };
    _ = writeln!(out, "{name}{from} → {to}");
    registry(&mut out, known);
    out.push('\n');
    // A repeated run does not repeat what was done before.
    let first = if migration.is_shown_only() { 0 } else { outcome.before };
    match first {
        0 => {}
        1 => out.push_str("step 1 is done\n"),
        _ => _ = writeln!(out, "steps 1 to {first} are done"),
    }
    for (at, step) in migration.plan.steps.iter().enumerate().skip(first) {
        let number = at + 1;
        let state = outcome.state(number);
        _ = writeln!(out, "{number:>3}. {BOLD}{}{BOLD:#}, {state}", performer(&step.action));
        for sentence in sentences(migration, step, known) {
            part(&mut out, &format!("{}{}", sentence.words, concerned(&sentence.changes)));
            if let Some(command) = sentence.command {
                _ = writeln!(out, "     {command}");
            }
        }
        if let Some(result) = outcome.result(number) {
            found(&mut out, result);
        }
        if let Some(text) = outcome.progress(number) {
            part(&mut out, &format!("so far: {text}"));
        }
    }
    for (at, change) in migration.plan.blocked.iter().enumerate() {
        _ = writeln!(out, "{BOLD}blocked{BOLD:#}[{}]: {}", change.code, change.subject);
        part(&mut out, &blocked(change));
        for (_, result) in outcome.blocked_results.iter().filter(|(of, _)| *of == at) {
            found(&mut out, result);
        }
    }
    for (step, change) in &migration.plan.later {
        line(&mut out, &format!("later: {}{}", later(migration, *step, change), concerned(&[change])));
    }
    out.push('\n');
    line(&mut out, &summary(migration, outcome));
    out
}

fn registry(out: &mut String, known: &Known) {
    let with: Vec<&str> = known.registered().collect();
    let without: Vec<&str> = known.unregistered().collect();
    if !with.is_empty() {
        line(out, &format!("with the registry: {}", with.join(", ")));
    }
    if !without.is_empty() {
        line(out, &format!("without the registry: {}", without.join(", ")));
    }
}

/// Returns the changes that a step is for, in parentheses.
fn concerned(changes: &[&Change]) -> String {
    let all: Vec<String> =
        changes.iter().map(|change| format!("{} {}", change.code, change.subject)).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}

fn found(out: &mut String, result: &JobResult) {
    part(out, &format!("result: {}", result.text));
    for line in result.is_failed.then(|| listed(shown(result), result.left)).into_iter().flatten() {
        _ = writeln!(out, "       {line}");
    }
}

/// Returns the entities that must be changed. A repaired difference is not one of them.
pub(super) fn shown(result: &JobResult) -> impl Iterator<Item = &Difference> {
    let is_left = |one: &&Difference| !matches!(one.repair, table_patterns::RepairStatus::Done);
    result.failures.iter().filter(is_left).filter(|_| result.is_failed)
}

fn summary(migration: &Migration<'_>, outcome: &Outcome) -> String {
    let next = outcome.done + 1;
    let of = format!("{} of {} done", outcome.done, counted(outcome.count(), "step"));
    match &outcome.stop {
        _ if outcome.is_blocked => {
            "refused: the blocked changes require other designs; nothing was done".to_owned()
        }
        Some(Stop::Failed) if migration.arguments.dry_run => {
            format!("{of}; correct the listed entities first")
        }
        Some(Stop::Failed) => format!("{of}; correct what step {next} found, then run the command again"),
        Some(Stop::Person) => format!("{of}; when step {next} is done, run the command with --done {next}"),
        Some(Stop::Unfinished(reason)) if reason.is_empty() => {
            let option = if migration.arguments.dry_run { "--dry-run" } else { "--status" };
            format!("{of}; the next step is a job: run the command without {option}")
        }
        Some(Stop::Unfinished(reason)) => format!("{of}; {reason}"),
        None if outcome.count() == 0 => "nothing to do: the stored form is the same".to_owned(),
        None => format!("{of}: the migration is complete"),
    }
}

/// Writes an indented paragraph.
fn part(out: &mut String, text: &str) {
    for line in wrapped(text, WIDTH - 5) {
        _ = writeln!(out, "     {line}");
    }
}

fn line(out: &mut String, text: &str) {
    for line in wrapped(text, WIDTH) {
        _ = writeln!(out, "{line}");
    }
}
