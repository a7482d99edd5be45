//! The report on a terminal: 80 columns, findings in the format of compilers.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use table_advisor::{Finding, simulate::Parameters};
use table_schema::catalogue::Severity;

use super::{
    observe,
    report::Report,
    suggestions,
    tables::{self, Form},
};
use crate::{
    heat,
    text::{WIDTH, counted, plain_source, wide, wrapped},
};

pub(crate) const BOLD: Style = Style::new().bold();

pub(crate) fn text(report: &Report<'_>) -> String {
    let mut out = String::new();
    let (schema, name) = (report.schema, report.name());
    paragraph(
        &mut out,
        &match &schema.about {
            Some(about) => format!("{name}: {about}"),
            None => name.to_owned(),
        },
    );
    out.push('\n');
    _ = writeln!(out, "{BOLD}{}{BOLD:#}", report.verdict());
    _ = writeln!(out, "{}", counts(report));
    out.push('\n');
    for (what, number) in tables::numbers(report) {
        _ = writeln!(out, "  {number:>14}  {what}");
    }
    if let Some(observation) = report.observation {
        section(&mut out, "Observations", &observe::table(observation));
        out.push('\n');
        for sentence in observe::sentences(observation) {
            paragraph(&mut out, &sentence);
        }
    }
    findings(&mut out, report);
    section(&mut out, "Queries", &tables::queries(report, Form::Terminal));
    for layout in &report.layouts {
        section(&mut out, &layout.table, &tables::layout(layout, Form::Terminal));
    }
    if !report.layouts.is_empty() {
        _ = writeln!(out, "\n  + encrypted, → in a blob, = from other entities");
    }
    section(&mut out, "Writes", &tables::writes(report, Form::Terminal));
    section(&mut out, "Cost", &tables::costs(report));
    out.push('\n');
    paragraph(&mut out, &tables::cost_words(report));
    if !report.scale.runs.is_empty() {
        section(&mut out, "Scale", &tables::scale(report));
        out.push('\n');
        paragraph(&mut out, &tables::scale_words(report));
        if let Some((servers, run)) = report.scale.runs.last() {
            _ = writeln!(
                out,
                "\n  {}: served load, time (rows) by key space (columns)",
                counted(*servers, "server")
            );
            for line in heat::lines(run, Parameters::default().seconds) {
                _ = writeln!(out, "{line}");
            }
        }
    }
    title(&mut out, "Assumptions");
    for assumed in &report.assumed {
        _ = writeln!(out, "  {}", assumed.what);
        if !assumed.line.is_empty() {
            _ = writeln!(out, "      {}", assumed.line);
        }
    }
    out
}

pub(super) fn counts(report: &Report<'_>) -> String {
    let of = |severity, word| counted(report.count(severity), word);
    format!(
        "{}, {}, {}",
        of(Severity::Error, "error"),
        of(Severity::Warning, "warning"),
        of(Severity::Note, "note")
    )
}

fn title(out: &mut String, title: &str) {
    _ = writeln!(out, "\n{BOLD}{title}{BOLD:#}");
}

pub(crate) fn section(out: &mut String, name: &str, table: &crate::table::Table) {
    if !table.is_empty() {
        title(out, name);
        out.push_str(&table.text(Some(WIDTH)));
    }
}

pub(crate) fn paragraph(out: &mut String, text: &str) {
    for line in wrapped(text, WIDTH) {
        _ = writeln!(out, "{line}");
    }
}

/// Writes each code once, with all its findings. Findings that the same fix removes follow it.
fn findings(out: &mut String, report: &Report<'_>) {
    let same = |one: &&Finding, other: &&Finding| one.code == other.code && one.severity == other.severity;
    let causes: Vec<&Finding> = report.advice.causes().collect();
    for group in causes.chunk_by(same) {
        out.push('\n');
        let (mut fix, mut edge) = (None, 1);
        for (number, found) in group.iter().enumerate() {
            if number == 0 {
                edge = finding(out, report, found);
            } else {
                hanging(out, edge, "also", &found.sentence());
            }
            let mut tested = suggestions::of(report, found).peekable();
            if tested.peek().is_none() && fix != Some(&found.fix) {
                hanging(out, edge, "fix", &found.fix);
                fix = Some(&found.fix);
            }
            for suggestion in tested {
                let word = suggestions::word(suggestion, found).to_lowercase();
                hanging(out, edge, &word, &suggestions::lines(report, suggestion));
            }
            for symptom in report.advice.symptoms(found) {
                let Finding { severity, code, message, .. } = symptom;
                hanging(out, edge, "with it", &format!("{severity}[{code}]: {message}"));
            }
        }
    }
}

/// Writes a finding, and the related line of the file. Returns the column at which more text about it starts.
pub(super) fn finding(out: &mut String, report: &Report<'_>, found: &Finding) -> usize {
    let style = style(found.severity);
    let head = format!("{}[{}]", found.severity, found.code);
    let lines = wrapped(&found.message, WIDTH.saturating_sub(wide(&head) + 2));
    _ = writeln!(out, "{style}{head}{style:#}: {}", lines.join("\n    "));
    let Some((place, label)) = super::place::of(report, found) else { return 1 };
    out.push_str(&plain_source(&place.marked(label)));
    place.edge()
}

/// Writes a sentence below a finding, under the bar next to its line.
pub(super) fn hanging(out: &mut String, edge: usize, word: &str, text: &str) {
    let head = format!("{:edge$} = {word}: ", "");
    let lines = wrapped(text, WIDTH.saturating_sub(wide(&head)));
    let indent = " ".repeat(wide(&head));
    _ = writeln!(out, "{head}{}", lines.join(&format!("\n{indent}")));
}

pub(super) const fn style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    Style::new().bold().fg_color(Some(anstyle::Color::Ansi(colour)))
}
