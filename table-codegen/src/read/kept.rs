//! Parsing of `[entity.NAME.embed.NAME]`, `[entity.NAME.total.NAME]` and `[entity.NAME.archive]`.

use table_schema::{
    catalogue::Code,
    design::{ArchiveDesign, EmbedDesign, TotalDesign},
    static_design::Aggregate,
};

use super::{
    entity::function_name,
    field::names,
    keys::{Keys, Text},
    tree::{Entry, Table},
};
use crate::diagnostic::Found;

/// Checks that the required keys of a table exist, and reports missing keys.
pub(super) fn missing(
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

fn owned(pairs: Option<Vec<(&Entry, Text<'_>)>>) -> Vec<(String, String)> {
    let pairs = pairs.into_iter().flatten();
    pairs.map(|(theirs, mine)| (theirs.name.clone(), mine.text.to_owned())).collect()
}

pub(super) fn embed(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<EmbedDesign> {
    function_name(entry, "copied fields", found);
    let needs = [
        ("from", "\"Employee\""),
        ("match", "{ department = \"name\", id = \"manager_id\" }"),
        ("fields", "[\"first_name\"]"),
    ];
    missing(entry, table, "embed", &needs, found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let from = keys.text("from", "Employee", found).map(|text| text.text.to_owned());
    let matches = owned(keys.pairs("match", "{ department = \"name\", id = \"manager_id\" }", found));
    let fields = keys.texts("fields", "first_name", found).map(|texts| names(&texts)).unwrap_or_default();
    keys.finish(found);
    Some(EmbedDesign { name: entry.name.clone(), about, from: from?, matches, fields })
}

pub(super) fn total(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<TotalDesign> {
    function_name(entry, "a total", found);
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let made = [
        (Aggregate::Count, "count", "Employee"),
        (Aggregate::Sum, "sum", "Employee.salary"),
        (Aggregate::Max, "max", "Employee.age"),
        (Aggregate::Min, "min", "Employee.age"),
    ]
    .map(|(by, word, example)| Some((by, word, keys.text(word, example, found)?)));
    let mut made = made.into_iter().flatten();
    let first = made.next();
    for (_, word, text) in made {
        let mistake = Found::new(
            Code::D036,
            &text.value.inner(),
            format!("total `{}` has two aggregate functions", entry.name),
        );
        found.push(
            mistake
                .label("one too many")
                .help(format!("remove `{word}`, or declare a separate total for it")),
        );
    }
    if first.is_none() && ["count", "sum", "max", "min"].iter().all(|word| table.get(word).is_none()) {
        let message = format!("total `{}` has no aggregate function", entry.name);
        let mistake = Found::new(Code::D006, &entry.key, message);
        found.push(mistake.label("needs `count`, `sum`, `max` or `min`").help("count = \"Employee\""));
    }
    missing(entry, table, "total", &[("match", "{ department = \"name\" }")], found);
    let matches = owned(keys.pairs("match", "{ department = \"name\" }", found));
    keys.finish(found);
    let (by, word, text) = first?;
    let (entity, field) = match text.text.split_once('.') {
        Some((entity, field)) => (entity, Some(field.to_owned())),
        None => (text.text, None),
    };
    let message = match (by, &field) {
        (Aggregate::Count, Some(_)) => "a count has no source field",
        (Aggregate::Sum | Aggregate::Max | Aggregate::Min, None) => "this aggregate requires a source field",
        _ => "",
    };
    if !message.is_empty() {
        let help = if field.is_some() {
            format!("{word} = {entity:?}")
        } else {
            format!("{word} = \"{entity}.field\"")
        };
        found.push(Found::new(Code::D005, &text.value.inner(), message).help(help));
        return None;
    }
    Some(TotalDesign { name: entry.name.clone(), about, by, entity: entity.to_owned(), field, matches })
}

pub(super) fn archive(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> Option<ArchiveDesign> {
    if table.get("to").is_none() {
        let mistake = Found::new(Code::D006, &entry.key, "the archive has no `to`");
        found.push(mistake.label("needs `to`").help("to = \"OrdersArchive\""));
    }
    let mut keys = Keys::of(table);
    let about = keys.about(found);
    let to = keys.text("to", "OrdersArchive", found).map(|text| text.text.to_owned());
    let when = keys.parsed("when", "status = closed", found);
    keys.finish(found);
    Some(ArchiveDesign { to: to?, about, when })
}
