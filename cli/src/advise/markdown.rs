//! The report for a page or a comment on a change.

use std::fmt::Write;

use table_advisor::{Finding, simulate::Parameters};

use super::{
    mermaid, observe,
    report::Report,
    suggestions,
    tables::{self, Form},
    terminal,
};
use crate::{
    heat,
    table::Table,
    text::{counted, plain},
};

pub(crate) fn text(report: &Report<'_>) -> String {
    let mut out = String::new();
    let schema = report.schema;
    _ = writeln!(out, "# {}\n", report.name());
    if let Some(about) = &schema.about {
        _ = writeln!(out, "{}\n", prose(about));
    }
    _ = writeln!(out, "**{}** {}\n", report.verdict(), terminal::counts(report));
    for (what, number) in tables::numbers(report) {
        _ = writeln!(out, "- {what}: {number}");
    }
    if let Some(observation) = report.observation {
        section(&mut out, "Observations", &observe::table(observation));
        _ = writeln!(out, "\n{}", observe::sentences(observation).join(" "));
    }
    if !report.advice.findings.is_empty() {
        _ = writeln!(out, "\n## Findings\n");
    }
    let same = |one: &&Finding, other: &&Finding| one.code == other.code && one.severity == other.severity;
    let causes: Vec<&Finding> = report.advice.causes().collect();
    for group in causes.chunk_by(same) {
        for (number, found) in group.iter().enumerate() {
            // The first finding of a rule is complete; the others are listed below it.
            if number == 0 {
                _ = writeln!(out, "- {}", finding(report, found));
            } else {
                _ = writeln!(out, "  - also {}.", found.sentence());
            }
            out.push_str(&suggestions::markdown(report, found));
            for symptom in report.advice.symptoms(found) {
                let Finding { severity, code, message, .. } = symptom;
                _ = writeln!(out, "  - with it **{severity} {code}**: {message}.");
            }
        }
    }
    section(&mut out, "Queries", &tables::queries(report, Form::Page));
    for layout in &report.layouts {
        section(&mut out, &format!("Table `{}`", layout.table), &tables::layout(layout, Form::Page));
    }
    if let Some(diagram) = mermaid::diagram(schema) {
        _ = write!(out, "\n## Relations\n\n{diagram}");
    }
    section(&mut out, "Writes", &tables::writes(report, Form::Page));
    for plan in report.model.plans().iter().filter(|plan| !plan.is_inside) {
        _ = write!(out, "\n### `{}`\n\n{}", plan.name(), mermaid::flow(plan));
    }
    section(&mut out, "Cost", &tables::costs(report));
    if let Some(chart) = mermaid::chart(report) {
        _ = write!(out, "\n{chart}");
    }
    _ = writeln!(out, "\n{}", tables::cost_words(report));
    if !report.scale.runs.is_empty() {
        section(&mut out, "Scale", &tables::scale(report));
        _ = writeln!(out, "\n{}", tables::scale_words(report));
    }
    if let Some((servers, run)) = report.scale.runs.last() {
        _ = writeln!(
            out,
            "\n```\n{}: served load, time (rows) by key space (columns)",
            counted(*servers, "server")
        );
        for line in heat::lines(run, Parameters::default().seconds) {
            _ = writeln!(out, "{line}");
        }
        _ = writeln!(out, "```");
    }
    _ = writeln!(out, "\n## Assumptions\n");
    for assumed in &report.assumed {
        match assumed.line.as_str() {
            "" => _ = writeln!(out, "- {}", assumed.what),
            line => _ = writeln!(out, "- {}: `{line}`", assumed.what),
        }
    }
    out
}

/// Returns a text of the design on one line, without special meaning in Markdown and HTML.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for character in plain(text).chars() {
        if character.is_ascii_punctuation() && !".,;:()'".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// Returns the finding on one line.
pub(super) fn finding(report: &Report<'_>, found: &Finding) -> String {
    let place = super::place::of(report, found);
    let place = place.map_or_else(String::new, |(place, _)| format!(", line {}", place.line));
    let Finding { severity, code, subject, message, fix, .. } = found;
    // A tested change follows as a block.
    let is_tested = suggestions::of(report, found).next().is_some();
    let fix = if is_tested { String::new() } else { format!(" Fix: {fix}.") };
    format!("**{severity} {code}**, `{subject}`{place}: {message}.{fix}")
}

pub(super) fn section(out: &mut String, name: &str, table: &Table) {
    if !table.is_empty() {
        _ = write!(out, "\n## {name}\n\n{}", table.markdown());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_design_has_no_markup() {
        assert_eq!(
            prose("Who, what: a (test).\n# <b>x</b> `y` [z](u)"),
            "Who, what: a (test).\\\\n\\# \\<b\\>x\\<\\/b\\> \\`y\\` \\[z\\](u)"
        );
    }
}
