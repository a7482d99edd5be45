//! The changes on a terminal: 80 columns, one block for each change. Commands are never broken.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use table_designs::evolution::{Change, ChangeCode, OldPrograms, Step, Verdict};

use super::{
    Diff, file,
    steps::{Told, is_move, told},
};
use crate::text::{WIDTH, counted, wrapped};

const BOLD: Style = Style::new().bold();

pub(super) fn text(diff: &Diff) -> String {
    let mut out = String::new();
    let name = if diff.name.is_empty() { String::new() } else { format!("{}: ", diff.name) };
    _ = writeln!(out, "{name}{} → {}\n", diff.older, diff.newer);
    for (number, change) in diff.changes.iter().enumerate() {
        let mut earlier = diff.changes.iter().take(number);
        let is_same =
            |earlier: &&Change| is_move(earlier) && is_move(change) && earlier.subject == change.subject;
        block(&mut out, change, earlier.find(is_same), file(&diff.newer));
        out.push('\n');
    }
    let style = style(diff.verdict);
    let summary = format!("{}: {}", counts(&diff.changes), meaning(diff.verdict));
    let verdict = diff.verdict.as_str();
    let lines = wrapped(&format!("verdict: {verdict}. {summary}"), WIDTH).join("\n");
    let rest = lines.strip_prefix(&format!("verdict: {verdict}")).unwrap_or_default();
    _ = writeln!(out, "{BOLD}verdict:{BOLD:#} {style}{verdict}{style:#}{rest}");
    out.push_str(&next(diff));
    out
}

/// Returns the chapter that explains the steps, and the command that performs those of all changes in one order.
fn next(diff: &Diff) -> String {
    let chapter = "\nguide: docs/guide/evolution.md (Changing a design)\n";
    let Diff { older, newer, .. } = diff;
    match diff.verdict {
        Verdict::Safe => String::new(),
        Verdict::Refused => chapter.to_owned(),
        Verdict::Ordered | Verdict::Migrate => format!(
            "{chapter}to perform these steps on a store, in one order for all changes:\n  \
             tables migrate --from {older} --design {newer} --store STORE --dry-run\n"
        ),
    }
}

/// Writes a change. `same` is an earlier change with the same steps.
fn block(out: &mut String, change: &Change, same: Option<&Change>, newer: &str) {
    let (style, verdict) = (style(change.verdict), change.verdict);
    let title = change.code.class().title;
    _ = writeln!(
        out,
        "{style}{verdict}[{}]{style:#}: {BOLD}{}{BOLD:#}: {title}",
        change.code, change.subject
    );
    part(out, "  reason: ", &change.reason);
    part(out, "  running older programs: ", older(change));
    if change.rewrite && change.verdict != Verdict::Refused {
        part(out, "  stored rows: ", stored_rows(change));
    }
    if let Some(same) = same {
        return part(out, "  steps: ", &format!("together with {}, above", same.code));
    }
    let steps = change.steps.iter().map(|step| told(*step, change, newer));
    for (number, Told { words, command }) in steps.filter(|told| !told.words.is_empty()).enumerate() {
        let label = format!("  {}. ", number + 1);
        part(out, &label, &words);
        if let Some(command) = command {
            _ = writeln!(out, "     {command}");
        }
    }
}

/// Writes a label and a message, whose further lines are indented.
fn part(out: &mut String, label: &str, text: &str) {
    let lines = wrapped(&format!("{}{text}", label.trim_start()), WIDTH - 6);
    for (number, line) in lines.iter().enumerate() {
        _ = writeln!(out, "{}{line}", if number == 0 { "  " } else { "     " });
    }
}

/// Returns what happens to stored rows.
fn stored_rows(change: &Change) -> &'static str {
    let has = |step| change.steps.contains(&step);
    let is_total = change.code == ChangeCode::C28;
    match (has(Step::DropIndex) || has(Step::DropTotal), has(Step::Backfill)) {
        _ if has(Step::RegistryFollow) => "moved to the new keys",
        (true, true) if is_total => "values of the new rule are written, those of the old one deleted",
        (true, true) => "rows of the new index are written, those of the old one deleted",
        (true, false) if is_total => "the values of the rule are deleted",
        (true, false) => "the rows of the index are deleted",
        (false, true) if is_total => "the values of the rule are written",
        (false, true) => "the rows of the index are written",
        _ if has(Step::Reindex) => "the rows of the index are rewritten",
        _ => "rewritten at the same keys",
    }
}

const fn older(change: &Change) -> &'static str {
    match change.old_programs {
        OldPrograms::Run => "run without restriction",
        OldPrograms::Keep => match change.code {
            ChangeCode::C01 | ChangeCode::C02 | ChangeCode::C26 => "run, and keep what they do not know",
            ChangeCode::C30 => "run, and use the rows",
            _ => "run, and maintain it until it is removed",
        },
        OldPrograms::RefuseRows => "reject rows of the new form with an error",
        OldPrograms::RefuseValues => "reject only values that do not fit",
        OldPrograms::Lease => "are rejected by the registry when they write",
        OldPrograms::Follow => "must follow the markers of moved entities",
        OldPrograms::Border => "use the old tables up to a date",
        OldPrograms::None => "must not run",
    }
}

const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "programs can be deployed in any order",
        Verdict::Ordered => "deploy all readers before the first writer",
        Verdict::Migrate => "a job changes stored rows",
        Verdict::Refused => "stored data would be lost or no longer be found",
    }
}

/// Returns the number of changes of each verdict.
fn counts(changes: &[Change]) -> String {
    let of = |verdict: Verdict| {
        let count = changes.iter().filter(|change| change.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {verdict}"))
    };
    let all = counted(changes.len(), "change");
    let counts: Vec<String> = Verdict::ALL.into_iter().filter_map(of).collect();
    if counts.len() < 2 { all } else { format!("{all} ({})", counts.join(", ")) }
}

fn style(verdict: Verdict) -> Style {
    let color = match verdict {
        Verdict::Safe => AnsiColor::Green,
        Verdict::Ordered => AnsiColor::Blue,
        Verdict::Migrate => AnsiColor::Yellow,
        Verdict::Refused => AnsiColor::Red,
    };
    BOLD.fg_color(Some(color.into()))
}
