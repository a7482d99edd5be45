//! The effects of fixes, as text.

use serde_json::{Map, Value, json};
use table_advisor::{Answer, Finding, Measure, Suggestion, plain, size_text};
use table_schema::catalogue::Severity;

use super::report::Report;

/// Returns the tested changes for a finding.
pub(super) fn of<'r>(report: &'r Report<'_>, finding: &Finding) -> impl Iterator<Item = &'r Suggestion> {
    let finding = finding.clone();
    report.advice.suggestions.iter().filter(move |one| one.is_of(&finding))
}

/// Returns the word for a change: a fix removes the finding, other changes improve the query.
pub(super) fn word(suggestion: &Suggestion, finding: &Finding) -> &'static str {
    if suggestion.removes(finding) { "Fix" } else { "Improvement" }
}

/// Returns its effect: a sentence for each query, one for writes, one for the total. Names are in grave accents.
pub(super) fn sentences(report: &Report<'_>, suggestion: &Suggestion) -> Vec<String> {
    let Suggestion { before, after, .. } = suggestion;
    let mut all: Vec<String> = suggestion.provided.clone().into_iter().collect();
    all.extend(before.queries.iter().zip(&after.queries).map(|(before, after)| query(before, after)));
    let writes = before.writes.iter().zip(&after.writes);
    let writes: Vec<String> =
        writes.map(|((name, then), (_, now))| format!("`{name}` {}", change(*then, *now, plain))).collect();
    if !writes.is_empty() {
        all.push(format!("rows per write: {}", writes.join(", ")));
    }
    if (before.hottest - after.hottest).abs() > 0.1 * before.hottest.max(1.0) {
        let hottest = change(before.hottest, after.hottest, plain);
        all.push(format!("busiest partition: {hottest} per second"));
    }
    let money = |amount: f64| super::tables::money(report, amount);
    if money(before.month) != money(after.month) {
        all.push(format!("cost per month: {}", change(before.month, after.month, money)));
    }
    all.extend(ends(suggestion));
    all
}

fn query(before: &Answer, after: &Answer) -> String {
    let class = |answer: &Answer| answer.class.as_str().replace('-', " ");
    let mut words = Vec::new();
    if before.class != after.class {
        words.push(format!("{} → {}", class(before), class(after)));
    }
    for (what, before, after) in
        [("requests", before.requests, after.requests), ("read", before.read, after.read)]
    {
        if plain(before) != plain(after) {
            words.push(format!("{what} {}", change(before, after, plain)));
        }
    }
    if size_text(before.bytes) != size_text(after.bytes) {
        words.push(change(before.bytes, after.bytes, size_text));
    }
    format!("`{}`: {}", before.query, words.join(", "))
}

fn change(before: f64, after: f64, text: impl Fn(f64) -> String) -> String {
    format!("{} → {}", text(before), text(after))
}

/// Returns the findings that are removed and added.
fn ends(suggestion: &Suggestion) -> Option<String> {
    let names = |findings: &[Finding]| {
        let mut names: Vec<String> =
            findings.iter().map(|finding| format!("{} `{}`", finding.code, finding.subject)).collect();
        names.dedup();
        names.join(", ")
    };
    let ends = (!suggestion.gone.is_empty()).then(|| format!("resolves {}", names(&suggestion.gone)));
    let brings = (!suggestion.come.is_empty()).then(|| format!("introduces {}", names(&suggestion.come)));
    let both: Vec<String> = ends.into_iter().chain(brings).collect();
    let trade = if suggestion.is_trade() { "a trade-off: " } else { "" };
    (!both.is_empty()).then(|| format!("{trade}{}", both.join("; ")))
}

/// Returns the required lines, followed by their effect.
pub(super) fn lines(report: &Report<'_>, suggestion: &Suggestion) -> String {
    format!("{}\n{}", suggestion.change, sentences(report, suggestion).join("\n"))
}

/// Returns Markdown below the list item of the finding.
pub(super) fn markdown(report: &Report<'_>, finding: &Finding) -> String {
    let one = |suggestion: &Suggestion| {
        let change = suggestion.change.to_string().replace('\n', "\n  ");
        let sentences = sentences(report, suggestion).join("\n  - ");
        let word = word(suggestion, finding);
        format!("\n  {word}:\n\n  ```toml\n  {change}\n  ```\n\n  - {sentences}\n")
    };
    of(report, finding).map(one).collect()
}

pub(super) fn json(report: &Report<'_>) -> Value {
    report.advice.suggestions.iter().map(value).collect()
}

fn value(suggestion: &Suggestion) -> Value {
    let sections = suggestion.change.sections().iter().map(|section| {
        let keys = section.keys.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
        json!({ "table": section.table, "gone": section.is_gone, "keys": keys.collect::<Map<_, _>>() })
    });
    json!({
        "code": suggestion.code.as_str(),
        "subject": suggestion.subject,
        "change": suggestion.change.to_string(),
        "sections": sections.collect::<Vec<_>>(),
        "provided": suggestion.provided,
        "trade": suggestion.is_trade(),
        "before": measure(&suggestion.before),
        "after": measure(&suggestion.after),
        "gone": findings(&suggestion.gone),
        "come": findings(&suggestion.come),
    })
}

fn measure(measure: &Measure) -> Value {
    let query = |answer: &Answer| {
        let numbers = json!({
            "class": answer.class.as_str(),
            "requests": answer.requests,
            "read": answer.read,
            "bytes": answer.bytes,
        });
        (answer.query.clone(), numbers)
    };
    json!({
        "queries": measure.queries.iter().map(query).collect::<Map<_, _>>(),
        "writes": measure.writes.iter().map(|(name, rows)| (name.clone(), json!(rows))).collect::<Map<_, _>>(),
        "hottest": measure.hottest,
        "month": measure.month,
    })
}

fn findings(findings: &[Finding]) -> Value {
    let one = |finding: &Finding| {
        let severity: Severity = finding.severity;
        json!({ "code": finding.code.as_str(), "severity": severity.to_string(), "subject": finding.subject })
    };
    findings.iter().map(one).collect()
}
