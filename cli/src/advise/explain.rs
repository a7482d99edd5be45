use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use table_advisor::explanations::{RuleExplanation, Side};
use table_schema::catalogue::{ALL, Code};

use super::terminal::{BOLD, style};
use crate::{
    table::{
        Side::{Code as Word, Left},
        Table,
    },
    text::{WIDTH, wrapped},
};

/// Families of codes, by their first letter.
const FAMILIES: [(&str, &str); 6] = [
    ("D", "Invalid designs"),
    ("K", "Keys and partitions"),
    ("Q", "Queries"),
    ("W", "Writes and consistency"),
    ("S", "Sizes"),
    ("T", "Tables, account, cost"),
];

/// Returns the catalog's explanation of a rule: its condition, its reason, references, and its fix.
pub(crate) fn text(code: Code) -> String {
    let RuleExplanation { reason, when, pattern, example } = RuleExplanation::of(code);
    let style = style(code.severity());
    let mut text = format!("{style}{}[{code}]{style:#}: {}\n", code.severity(), code.title());
    for (heading, said) in [("Condition", when), ("Reason", reason), ("Pattern", pattern)] {
        _ = writeln!(text, "\n{BOLD}{heading}{BOLD:#}");
        for line in wrapped(said, WIDTH - 2) {
            _ = writeln!(text, "  {line}");
        }
    }
    _ = writeln!(text, "\n{BOLD}Example{BOLD:#} (- before, + after)");
    for (side, line) in example.lines() {
        let (mark, style) = match side {
            Side::Both => (' ', Style::new()),
            Side::Before => ('-', Style::new().fg_color(Some(AnsiColor::Red.into()))),
            Side::After => ('+', Style::new().fg_color(Some(AnsiColor::Green.into()))),
        };
        let line = format!("{mark} {line}");
        _ = writeln!(text, "{style}{}{style:#}", line.trim_end());
    }
    text
}

/// Returns a rule as JSON.
pub(crate) fn object(code: Code) -> Value {
    let RuleExplanation { reason, when, pattern, .. } = RuleExplanation::of(code);
    json!({
        "code": code.as_str(),
        "severity": code.severity().to_string(),
        "title": code.title(),
        "condition": when,
        "reason": reason,
        "pattern": pattern,
    })
}

/// Returns all rules as JSON.
pub(crate) fn objects() -> Value {
    json!({ "rules": ALL.iter().map(|entry| object(entry.code)).collect::<Vec<_>>() })
}

/// Returns all codes, by family.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for (letter, family) in FAMILIES {
        let mut table = Table::new([("code", Word), ("by default", Left), ("what", Left)]);
        for entry in ALL.iter().filter(|entry| entry.code.as_str().starts_with(letter)) {
            let (code, severity) = (entry.code.as_str(), entry.severity.to_string());
            table.row([code.into(), severity.into(), entry.title.into()]);
        }
        let rows = table.text(Some(WIDTH));
        let rows = rows.split_once('\n').map_or("", |(_, rows)| rows);
        _ = write!(text, "{}{BOLD}{family}{BOLD:#}\n{rows}", if text.is_empty() { "" } else { "\n" });
    }
    text
}
