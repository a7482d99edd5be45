//! The comparison as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};
use table_advisor::plain;

use super::{Line, Measure, Proof};
use crate::{
    advise::{paragraph, section},
    table::{
        Cell,
        Side::{Code, Right},
        Table,
    },
};

pub(super) fn text(proof: &Proof) -> String {
    let mut out = String::new();
    let mut table = Table::new(
        [("operation", Code)].into_iter().chain(
            ["calls", "requests", "predicted", "rows", "predicted", "bytes", "predicted"]
                .map(|head| (head, Right)),
        ),
    );
    for line in &proof.lines {
        let of = |names: [&str; 2]| {
            let found = line.measures.iter().find(|measure| names.contains(&measure.what));
            found.map_or_else(
                || [String::new(), String::new()],
                |one| [plain(one.executed), plain(one.predicted)],
            )
        };
        let cells = [["requests", ""], ["read", "rows"], ["bytes", "bytes each"]].into_iter().flat_map(of);
        let head = [line.name.clone(), line.calls.to_string()];
        let notes: Vec<String> = line.failures.iter().map(|failure| format!("DIFFERS: {failure}")).collect();
        table.row_over(head.into_iter().chain(cells).map(Cell::from), &notes.join("; "));
    }
    section(&mut out, "Proof by execution", &table);
    let mut largest = Table::new(
        [("partitions", Code)].into_iter().chain(["largest", "predicted"].map(|head| (head, Right))),
    );
    for one in &proof.partitions {
        let note = if one.is_near() { "" } else { "DIFFERS by more than 10 %" };
        let cells = [one.name.clone(), plain(one.rows.executed), plain(one.rows.predicted)];
        largest.row_over(cells.map(Cell::from), note);
    }
    section(&mut out, "Rows in the largest partition", &largest);
    out.push('\n');
    let count = |(name, count, by): &(String, usize, f64)| {
        format!("{} {name} ({})", plain(crate::text::real(*count)), factor(*by))
    };
    let counts = proof.counts.iter().map(count);
    let counts: Vec<String> = counts.collect();
    paragraph(
        &mut out,
        &format!(
            "Executed with {}, on a store in memory: counts and numbers of distinct values are multiplied by the factor in parentheses, to no less than 20.",
            counts.join(", ")
        ),
    );
    for difference in &proof.differences {
        paragraph(
            &mut out,
            &format!("DIFFERS: rows that do not match their entities after all writes: {difference}"),
        );
    }
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in &proof.lines {
        for note in &line.explained {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, names)) => names.push(&line.name),
                None => notes.push((note, vec![&line.name])),
            }
        }
    }
    for (note, names) in notes {
        paragraph(&mut out, &format!("  {}: {note}", names.join(", ")));
    }
    for (name, reason) in &proof.left {
        paragraph(&mut out, &format!("  not executed: {name}: {reason}"));
    }
    let failed = proof.lines.iter().filter(|line| !line.failures.is_empty()).count();
    let (executed, all) = (proof.lines.len(), proof.operations);
    let part = if executed < all { format!(" ({executed} of {all})") } else { String::new() };
    let verdict = if executed == 0 {
        "Nothing was executed, so nothing is proved.".to_owned()
    } else if proof.holds() {
        format!("The counts, sizes and results of the executed operations{part} are as predicted.")
    } else {
        format!("The execution{part} differs from the prediction ({failed} of {executed} operations).")
    };
    _ = writeln!(out, "\n{verdict}");
    out
}

/// Formats a factor by which counts are multiplied.
fn factor(factor: f64) -> String {
    if factor >= 1.0 { "1".to_owned() } else { format!("1/{}", plain((1.0 / factor).round())) }
}

pub(super) fn json(proof: &Proof) -> Value {
    let measure = |measure: &Measure| json!({ "what": measure.what, "predicted": measure.predicted, "executed": measure.executed });
    let line = |line: &Line| {
        json!({
            "operation": line.name,
            "calls": line.calls,
            "measures": line.measures.iter().map(measure).collect::<Vec<_>>(),
            "explained": line.explained,
            "differences": line.failures,
        })
    };
    let partitions = proof.partitions.iter().map(|one| {
        json!({
            "name": one.name,
            "rows": one.rows.executed,
            "predicted": one.rows.predicted,
            "agrees": one.is_near(),
        })
    });
    json!({
        "holds": proof.holds(),
        "entities": proof.counts.iter().map(|(name, count, factor)| json!({ "name": name, "count": count, "factor": factor })).collect::<Vec<_>>(),
        "operations": proof.lines.iter().map(line).collect::<Vec<_>>(),
        "largest_partitions": partitions.collect::<Vec<_>>(),
        "rows_that_differ": proof.differences,
        "not_executed": proof.left.iter().map(|(name, reason)| json!({ "name": name, "reason": reason })).collect::<Vec<_>>(),
    })
}
