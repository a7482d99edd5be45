//! TOML syntax errors, with messages that do not require knowledge of the TOML grammar.

use table_schema::catalogue::Code;
use toml::de::{DeTable, Error};

use super::tree::Table;
use crate::{
    diagnostic::Found,
    source::{Source, Spot},
};

/// Parses a file into a tree, or returns its syntax errors.
pub(super) fn tree(source: &Source, file: usize) -> Result<Table, Vec<Found>> {
    // A byte order mark at the start is not part of the text.
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() {
        return Ok(Table::of(table.get_ref(), &source.text, file));
    }
    Err(errors.iter().map(|error| found(error, source, file)).collect())
}

fn found(error: &Error, source: &Source, file: usize) -> Found {
    let end = source.text.len();
    let range = error.span().unwrap_or(end..end);
    let spot = Spot { file, range: range.clone() };
    let before = source.text.get(..range.start).unwrap_or_default().trim_end_matches([' ', '\t']);
    let marked = source.text.get(range).unwrap_or_default();
    if before.ends_with('=') && marked.trim().is_empty() {
        return Found::new(Code::D003, &spot, "a value is missing after `=`").label("expected a value");
    }
    let (message, label) = match error.message().split_once(", expected ") {
        Some((message, expected)) => (message, format!("expected {expected}")),
        None => (error.message(), String::new()),
    };
    let help = match message {
        "duplicate key" => "a key can appear once: remove one of them",
        "string values must be quoted" => "enclose the text in quotation marks",
        _ => "",
    };
    Found::new(Code::D003, &spot, message).label(label).help(help)
}
