//! The parser of design files. It reports all errors together, each with its location, in source order.
//!
//! The rules of `table-schema`, which the derive uses too, determine the validity of entities. This module handles
//! TOML, names and locations.

mod assumed;
mod comments;
mod entity;
pub(crate) mod field;
pub(crate) mod keys;
pub(crate) mod named;
pub(crate) mod names;
mod overlay;
mod places;
mod positions;
mod rules;
mod syntax;
pub(crate) mod tree;
mod types;
mod variants;
mod workload;

pub use comments::Comments;
pub use positions::{Position, Positions};
pub use workload::read_workload;

use table_designs::schema::{Backend, FORMAT, ProgramVersion, Schema};
use table_schema::catalogue::{Code, Severity};

use self::{
    keys::{Keys, text_of, word_of, wrong_kind},
    tree::{Kind, Table},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Found, sorted},
    source::{Source, Spot},
};

/// The result of reading: the design as far as it could be read, all diagnostics, and the locations of all items.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The design. `None` if the input is not TOML, or requires another program version. Incomplete if diagnostics
    /// contain errors.
    pub schema: Option<Schema>,
    /// All diagnostics, sorted by location.
    pub diagnostics: Vec<Diagnostic>,
    /// The locations of keys and values.
    pub positions: Positions,
}

/// Reads a design file; `name` is its name in diagnostics.
///
/// # Errors
///
/// Returns all diagnostics, sorted by location.
pub fn read(text: &str, name: &str) -> Result<Schema, Diagnostics> {
    Reading::of(Source::new(name, text), None).whole()
}

/// Reads a design file and overlays the assumptions of another file: its queries, load, prices, targets and lint.
///
/// # Errors
///
/// Returns all diagnostics of both files, starting with those for the design.
pub fn read_with_load(design: Source, load: Source) -> Result<Schema, Diagnostics> {
    Reading::of(design, Some(load)).whole()
}

impl Reading {
    /// Reads a design file and an optional overlay.
    pub fn of(design: Source, load: Option<Source>) -> Self {
        let sources: Vec<Source> = std::iter::once(design).chain(load).collect();
        let mut found = Vec::new();
        let root = tree(&sources, &mut found);
        let schema = root.as_ref().map(|root| schema(root, &mut found));
        let diagnostics = sorted(found, &sources);
        Self { schema, diagnostics, positions: Positions::new(root.unwrap_or_default(), sources) }
    }

    /// Returns the design if no diagnostic is an error.
    ///
    /// # Errors
    ///
    /// Returns all diagnostics.
    pub fn whole(self) -> Result<Schema, Diagnostics> {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        match self.schema {
            Some(schema) if !self.diagnostics.iter().any(is_error) => Ok(schema),
            _ => Err(Diagnostics(self.diagnostics)),
        }
    }
}

/// Returns the merged tree of all files, if this program supports them.
fn tree(sources: &[Source], found: &mut Vec<Found>) -> Option<Table> {
    let mut trees = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        match syntax::tree(source, file) {
            Ok(tree) if is_readable(&tree, file, found) => trees.push(tree),
            Ok(_) => {}
            Err(mistakes) => found.extend(mistakes),
        }
    }
    let mut trees = trees.into_iter();
    let design = trees.next()?;
    match (trees.next(), sources.len()) {
        (Some(load), _) => Some(overlay::lay(design, load, found)),
        (None, 1) => Some(design),
        (None, _) => None,
    }
}

/// Returns whether the file declares a supported format and program version. Newer files are not read, because they
/// could be misinterpreted.
fn is_readable(root: &Table, file: usize, found: &mut Vec<Found>) -> bool {
    let start = Spot { file, range: 0..0 };
    let first = root.entries.first();
    let Some(entry) = first.filter(|entry| entry.name == "tables") else {
        let spot = first.map_or(&start, |entry| &entry.key);
        let message = "the file does not say which format it is written in";
        let mistake = Found::new(Code::D001, spot, message).label("expected `tables = 1` before this");
        found.push(mistake.help("add `tables = 1` as the first line"));
        return true;
    };
    match entry.value.kind {
        Kind::Integer(Some(version)) if version > FORMAT => {
            let message =
                format!("the file is written in format {version}; this program reads up to {FORMAT}");
            let mistake = Found::new(Code::D002, &entry.value.spot, message).label("newer");
            found.push(mistake.help("use a newer program"));
            return false;
        }
        Kind::Integer(Some(version)) if version < 1 => {
            let mistake = Found::new(Code::D024, &entry.value.spot, "`tables` is out of range");
            found.push(mistake.label("at least 1").help("tables = 1"));
        }
        Kind::Integer(Some(_)) => {}
        _ => {
            wrong_kind::<()>(&entry.value, "tables", "a whole number", "tables = 1", found);
        }
    }
    is_for_this_program(root, found)
}

fn is_for_this_program(root: &Table, found: &mut Vec<Found>) -> bool {
    let Some(entry) = root.get("needs") else { return true };
    let Some(text) = text_of(&entry.value, "needs", "needs = \"0.1\"", found) else { return true };
    let Ok(needed) = text.text.parse::<ProgramVersion>() else {
        let mistake = Found::new(Code::D005, &entry.value.inner(), format!("`{}` is no version", text.text));
        found.push(mistake.label("two or three numbers with dots between").help("needs = \"0.1\""));
        return true;
    };
    let own = env!("CARGO_PKG_VERSION");
    if own.parse().is_ok_and(|own: ProgramVersion| own < needed) {
        let message = format!("the file needs version {needed} of this program; this is {own}");
        let mistake = Found::new(Code::D026, &entry.value.inner(), message).label("newer");
        found.push(mistake.help("use a newer program"));
        return false;
    }
    true
}

const BACKENDS: &[(&str, Backend)] = &[
    (Backend::Embedded.as_str(), Backend::Embedded),
    (Backend::Azure.as_str(), Backend::Azure),
    (Backend::Azurite.as_str(), Backend::Azurite),
    (Backend::Cosmos.as_str(), Backend::Cosmos),
];

fn schema(root: &Table, found: &mut Vec<Found>) -> Schema {
    if let Some(entry) = root.get("workload").filter(|_| root.get("design").is_none()) {
        let mistake = Found::new(Code::D004, &entry.key, "this file is a workload, not a design");
        found.push(
            mistake.label("expected `design`").help("`tables design FILE` finds a design for a workload"),
        );
        return Schema::default();
    }
    let mut keys = Keys::of(root);
    keys.entry("tables");
    let mut schema = Schema {
        needs: keys.entry("needs").and_then(|entry| match &entry.value.kind {
            Kind::Text { text, .. } => text.parse().ok(),
            _ => None,
        }),
        name: file_name(root, &mut keys, "design", "company", found),
        about: keys.about(found),
        ..Schema::default()
    };
    let backends = keys.texts("backends", "azure", found).unwrap_or_default();
    schema.backends = backends.iter().filter_map(|text| word_of("backend", text, BACKENDS, found)).collect();
    for (entry, table) in keys.tables("entity", found) {
        schema.entities.push(entity::one(entry, table, found));
    }
    for (entry, table) in keys.tables("relation", found) {
        schema.relations.extend(assumed::relation(entry, table, found));
    }
    for (entry, table) in keys.tables("log", found) {
        schema.logs.extend(assumed::log(entry, table, found));
    }
    for (entry, table) in keys.tables("query", found) {
        schema.queries.push(assumed::query(entry, table, found));
    }
    schema.load = keys.table("load", found).map(|table| assumed::load(table, found)).unwrap_or_default();
    schema.prices = keys.table("prices", found).map(|table| assumed::prices(table, found));
    schema.targets =
        keys.table("targets", found).map(|table| assumed::targets(table, found)).unwrap_or_default();
    schema.lint = keys.table("lint", found).map(|table| assumed::lint(table, found)).unwrap_or_default();
    keys.finish(found);
    rules::check(root, &schema, found);
    names::check(root, &schema, found);
    schema
}

/// Reads the name of a design or a workload, which small files may omit.
fn file_name(
    root: &Table,
    keys: &mut Keys<'_>,
    key: &'static str,
    example: &str,
    found: &mut Vec<Found>,
) -> String {
    let Some(text) = keys.text(key, example, found) else { return String::new() };
    let is_name = text.text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.text.chars().all(|next| next.is_ascii_lowercase() || next.is_ascii_digit() || next == '-');
    if !is_name && let Some(entry) = root.get(key) {
        let mistake =
            Found::new(Code::D005, &entry.value.inner(), format!("`{}` is no name of a {key}", text.text));
        found.push(
            mistake
                .label("lower-case letters, digits and `-`, starting with a letter")
                .help(format!("{key} = {example:?}")),
        );
    }
    text.text.to_owned()
}

/// Returns whether Rust accepts `text` as an identifier, with `r#` if required.
fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && characters.all(|next| next == '_' || next.is_ascii_alphanumeric())
}
