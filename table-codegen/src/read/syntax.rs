//! What is no TOML, in words that do not need TOML's grammar.

use table_schema::catalogue::Code;
use toml::de::{DeTable, Error};

use super::tree::Table;
use crate::{
    diagnostic::Found,
    source::{Source, Spot},
};

/// The tree of a file, or what is wrong with its form.
pub(super) fn tree(source: &Source, file: usize) -> Result<Table, Vec<Found>> {
    // A mark at the start is no part of the text.
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
        "duplicate key" => "a key stands once: take one of them out",
        "string values must be quoted" => "put the text between quotation marks",
        _ => "",
    };
    Found::new(Code::D003, &spot, message).label(label).help(help)
}
