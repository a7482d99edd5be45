//! Checks of the examples in the catalog.

use std::collections::BTreeMap;

use table_advisor::Model;
use table_advisor::explanations::RuleExplanation;
use table_codegen::{Reading, Source};
use table_schema::catalogue::{ALL, Code, Severity};

/// Returns the codes that the reader and the advisor report for a design, each with its highest severity.
fn judged(text: &str) -> BTreeMap<&'static str, Severity> {
    let Reading { schema, diagnostics, .. } = Reading::of(Source::new("t.toml", text), None);
    let mistakes = diagnostics.iter().map(|mistake| (mistake.code, mistake.severity()));
    let findings = schema.iter().flat_map(|schema| Model::new(schema).findings());
    let findings =
        findings.map(|finding| (finding.code, finding.severity)).collect::<Vec<(Code, Severity)>>();
    let mut worst = BTreeMap::new();
    for (code, severity) in mistakes.chain(findings) {
        let known = worst.entry(code.as_str()).or_insert(severity);
        *known = severity.min(*known);
    }
    worst
}

/// A fixed example contains no errors of any rule.
#[test]
fn an_example_has_its_code_before_and_no_longer_after() {
    let mut failures = Vec::new();
    for code in ALL.iter().map(|entry| entry.code) {
        let example = RuleExplanation::of(code).example;
        if example.is_rust {
            continue;
        }
        let (before, after) = (judged(&example.before()), judged(&example.after()));
        if !before.contains_key(code.as_str()) {
            failures.push(format!("{code}: before has {before:?}"));
        }
        let has_error = after.values().any(|severity| *severity == Severity::Error);
        if after.contains_key(code.as_str()) || has_error {
            failures.push(format!("{code}: after has {after:?}"));
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}
