//! Checks of named tables: the name, and required keys.

use table_schema::catalogue::Code;

use super::tree::{Entry, Table};
use crate::diagnostic::Found;

/// Checks that the name is valid for a Rust type.
pub(super) fn type_name(entry: &Entry, found: &mut Vec<Found>) {
    let name = entry.name.as_str();
    let is_type = super::is_identifier(name) && name.starts_with(char::is_uppercase) && name != "Self";
    if !is_type {
        let mistake = Found::new(Code::D005, &entry.key, format!("`{name}` cannot be the name of a type"));
        found.push(
            mistake.label("letters and digits, starting with an upper-case letter").help("[entity.Employee]"),
        );
    }
}

/// Checks that the name is valid for a Rust function.
pub(crate) fn function_name(entry: &Entry, what: &str, found: &mut Vec<Found>) {
    let name = entry.name.as_str();
    let is_function = super::is_identifier(name)
        && name.starts_with(|first: char| first.is_lowercase())
        && !matches!(name, "self" | "super" | "crate");
    if !is_function {
        let message = format!("`{name}` cannot be the name of {what}");
        let mistake = Found::new(Code::D005, &entry.key, message);
        found.push(mistake.label("lower-case letters, digits and `_`, starting with a letter"));
    }
}

/// Checks that the attribute of the derive does not take the name for one of its own words.
pub(crate) fn not_a_word(entry: &Entry, words: &[&str], what: &str, found: &mut Vec<Found>) {
    if words.contains(&entry.name.as_str()) {
        let message = format!("`{}` cannot be the name of {what}", entry.name);
        let mistake = Found::new(Code::D005, &entry.key, message);
        found.push(mistake.label("a word of the derive's attribute").help(format!("by_{}", entry.name)));
    }
}

/// Checks that the required keys of a table exist, and reports missing keys.
pub(crate) fn missing(
    entry: &Entry,
    table: &Table,
    what: &str,
    needs: &[(&str, &str)],
    found: &mut Vec<Found>,
) {
    let all: Vec<String> = needs.iter().map(|(name, _)| format!("`{name}`")).collect();
    for (name, example) in needs.iter().filter(|(name, _)| table.get(name).is_none()) {
        let mistake = Found::new(Code::D006, &entry.key, format!("{what} `{}` has no `{name}`", entry.name));
        found.push(mistake.label(format!("needs {}", all.join(", "))).help(format!("{name} = {example}")));
    }
}
