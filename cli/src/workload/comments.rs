//! The design file, with comments that give reasons.

use std::{collections::BTreeMap, fmt::Write};

use table_advisor::{
    money_text,
    search::{Alternative, Subject},
};

use super::Found;

/// A difference that is not reported.
pub(super) const CENT: f64 = 0.01;

/// Returns the design as TOML. Above each key and index, a comment says what the next best choice costs.
pub(super) fn commented(found: &Found<'_>) -> String {
    let designed = &found.designed;
    let mut above: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for alternative in &found.alternatives {
        above.entry(header(alternative)).or_default().push(sentence(found, alternative));
    }
    let mut behind: BTreeMap<String, String> = BTreeMap::new();
    for (query, origin) in designed.schema.queries.iter().zip(&designed.origins) {
        let header = format!("[query.{}]", query.name);
        match origin {
            Some(origin) if *origin != query.name => {
                behind.insert(header, format!("x-of = \"{origin}\""));
            }
            Some(_) => {}
            None => above.entry(header).or_default().insert(0, "Required by writes.".to_owned()),
        }
    }
    let mut text = String::new();
    let written = table_codegen::write(&designed.schema);
    for line in written.lines() {
        for comment in above.get(line).into_iter().flatten() {
            _ = writeln!(text, "# {}", comment.replace(['\n', '\r'], " "));
        }
        _ = writeln!(text, "{line}");
        if let Some(more) = behind.get(line) {
            _ = writeln!(text, "{more}");
        }
    }
    text
}

/// Returns the header of the table that an alternative belongs to.
fn header(alternative: &Alternative) -> String {
    let Alternative { entity, subject, .. } = alternative;
    match subject {
        Subject::Key(_) => format!("[entity.{entity}]"),
        Subject::WithoutIndex(index) | Subject::OtherIndex(index, _) => {
            format!("[entity.{entity}.index.{index}]")
        }
        Subject::WithoutScan(query) => format!("[query.{query}]"),
    }
}

/// Returns what a choice costs.
pub(super) fn sentence(found: &Found<'_>, alternative: &Alternative) -> String {
    let more = alternative.more.map(|more| difference(found, more));
    match (&alternative.subject, more) {
        (Subject::Key([table, partition, row]), more) => {
            let more = more.unwrap_or_else(|| "exceeds a limit".to_owned());
            format!("With the key `{partition}` / `{row}` in `{table}`: {more}.")
        }
        (Subject::WithoutIndex(_), Some(more)) => format!("Without it: {more}."),
        (Subject::WithoutIndex(_), None) => "Without it, a query exceeds a limit.".to_owned(),
        (Subject::OtherIndex(_, [partition, row]), more) => {
            let more = more.unwrap_or_else(|| "exceeds a limit".to_owned());
            format!("With the key `{partition}` / `{row}`: {more}.")
        }
        (Subject::WithoutScan(_), Some(more)) => format!("With an index instead of the scan: {more}."),
        (Subject::WithoutScan(_), None) => "With this key, only a scan meets the limits.".to_owned(),
    }
}

/// Formats an additional cost per month. The slack can make it negative.
pub(super) fn difference(found: &Found<'_>, more: f64) -> String {
    if more.abs() < CENT {
        return "about the same".to_owned();
    }
    let sign = if more < 0.0 { "-" } else { "+" };
    format!("{sign}{} a month", money(found, more.abs()))
}

/// Formats a cost in the currency of the workload.
pub(super) fn money(found: &Found<'_>, amount: f64) -> String {
    let prices = found.workload.content.prices.clone().unwrap_or_default();
    money_text(amount, &prices.currency)
}
