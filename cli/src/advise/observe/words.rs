use table_advisor::{plain, size_text};

use super::{Observation, Observed, real};
use crate::table::{
    Side::{Code, Left, Right},
    Table,
};

/// Number of names that are listed before the others are only counted.
const NAMED: usize = 5;

/// Returns a table of assumptions and measurements, with their ratios. `~` marks an estimate; a word marks measurements
/// of more than twice the assumption, or less than half.
pub(crate) fn table(observation: &Observation) -> Table {
    let mut table = Table::new([
        ("item", Code),
        ("quantity", Left),
        ("assumed", Right),
        ("measured", Right),
        ("factor", Right),
        ("deviation", Left),
    ]);
    for line in &observation.lines {
        table.row([
            line.of.as_str().into(),
            line.what.into(),
            line.unit.text(line.assumed).into(),
            line.measured_text().into(),
            line.factor_text().into(),
            line.mark().into(),
        ]);
    }
    table
}

/// Returns sentences about the rows that were read, and the rows that match no type.
pub(crate) fn sentences(observation: &Observation) -> Vec<String> {
    let Observed { place, tables, others, rows, own, unknown, strays, entities } = &observation.observed;
    let marked = observation.lines.iter().filter(|line| line.is_marked()).count();
    let mut all = vec![format!(
        "{place}: {} in {}; {} of {} values are more than twice, or less than half, of the assumed value. The report uses the measured values.",
        rows_of(*rows),
        crate::text::counted(tables.len(), "table"),
        marked,
        observation.lines.len(),
    )];
    if *unknown > 0 {
        let first = strays
            .iter()
            .map(|[table, partition, row]| format!("{table} ({}, {})", key(partition), key(row)));
        let first: Vec<String> = first.collect();
        all.push(format!("Not described by the design: {}; first: {}.", rows_of(*unknown), first.join(", ")));
    }
    if *own > 0 {
        all.push(format!("Internal to the library: {}.", rows_of(*own)));
    }
    if !others.is_empty() {
        let named: Vec<&str> = others.iter().take(NAMED).map(String::as_str).collect();
        let more = others.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        all.push(format!("Tables without a template in the design: {}{more}.", named.join(", ")));
    }
    let lines: Vec<&str> = observation.lines.iter().map(|line| line.of.as_str()).collect();
    for seen in entities.iter().filter(|seen| seen.largest.len() > 1) {
        let name = seen.name.as_str();
        if lines.contains(&name) {
            let largest: Vec<String> = seen
                .largest
                .iter()
                .map(|(partition, entities)| format!("{} ({})", key(partition), plain(real(*entities))))
                .collect();
            all.push(format!("Largest partitions of {name}: {}.", largest.join(", ")));
        }
    }
    let largest = entities.iter().filter_map(|seen| Some((seen, seen.kinds.first()?)));
    let largest = largest.filter(|(_, kind)| kind.rows > 0);
    let largest: Vec<String> =
        largest.map(|(seen, kind)| format!("{} {}", seen.name, size_text(real(kind.largest)))).collect();
    if !largest.is_empty() {
        all.push(format!("Largest rows: {}.", largest.join(", ")));
    }
    for seen in entities.iter().filter(|seen| seen.entities == 0) {
        all.push(format!("No `{}` entities were found; their assumed values are used.", seen.name));
    }
    all
}

/// Returns a key on one line, without characters that would move the cursor. Truncated keys could look the same.
fn key(key: &str) -> String {
    crate::text::plain(key)
}

fn rows_of(count: u64) -> String {
    format!("{} {}", plain(real(count)), if count == 1 { "row" } else { "rows" })
}
