//! Parsing of `[entity.NAME]`.

use table_schema::{
    catalogue::Code,
    design::{
        CopiedFields, EntityDesign, EntityTypeRule, IndexDesign, LookupDesign, LookupPlace, Shard,
        TemplateText,
    },
};

use super::{
    field, kept,
    keys::{Keys, Text},
    tree::{Entry, Table},
};
use crate::diagnostic::Found;

pub(super) fn one(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> EntityDesign {
    let mut design = EntityDesign::new(&entry.name);
    type_name(entry, found);
    let mut keys = Keys::of(table);
    let template = |text: Text<'_>| TemplateText::new(text.text);
    design.about = keys.about(found);
    design.table = keys.text("table", "Employees", found).map(template);
    design.partition = keys.text("partition", "{department}", found).map(template);
    design.row = keys.text("row", "empid_{id:06}", found).map(template);
    design.keep = keys.parsed("keep", "90d", found);
    design.wide =
        keys.whole("wide", (0, u64::from(u32::MAX)), 200, found).and_then(|wide| usize::try_from(wide).ok());
    let version = keys.whole("version", (1, u64::from(u32::MAX)), 2, found);
    design.version = version.and_then(|version| u32::try_from(version).ok()).unwrap_or(1);
    if design.version > 1 {
        // The file does not name the older struct. The generated code expects it under this name.
        design.from = vec![format!("{}V{}", entry.name, design.version - 1)];
    }
    let rule = keys.text("entity_type", "auto", found).map(entity_type).unwrap_or_default();
    design.entity_type = match rule {
        // The name is the stem, as in the derive.
        EntityTypeRule::Named(name) if design.version > 1 => {
            EntityTypeRule::Named(format!("{name}.v{}", design.version))
        }
        rule => rule,
    };
    design.aliases =
        keys.texts("aliases", "Employee_v1", found).map(|all| field::names(&all)).unwrap_or_default();
    design.shard = keys.table("shard", found).and_then(|table| shard(table, entry, found));
    let case = keys.word("rename_all", field::CASES, found);
    if let Some(fields) = keys.table("fields", found) {
        design.fields = field::all(fields, case, found);
    }
    design.indexes =
        keys.tables("index", found).into_iter().map(|(entry, table)| index(entry, table, found)).collect();
    design.lookups =
        keys.tables("lookup", found).into_iter().map(|(entry, table)| lookup(entry, table, found)).collect();
    design.embeds = keys
        .tables("embed", found)
        .into_iter()
        .filter_map(|(entry, table)| kept::embed(entry, table, found))
        .collect();
    design.totals = keys
        .tables("total", found)
        .into_iter()
        .filter_map(|(entry, table)| kept::total(entry, table, found))
        .collect();
    design.archive = keys.entry("archive").and_then(|entry| {
        let table = super::keys::table_of(entry, found)?;
        kept::archive(entry, table, found)
    });
    keys.finish(found);
    design
}

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

const INDEX_WORDS: [&str; 7] = ["table", "partition", "row", "unique", "sparse", "copy", "when"];
const LOOKUP_WORDS: [&str; 6] = ["on", "place", "table", "partition", "row", "ids"];

/// Checks that the name is valid for a Rust function.
pub(super) fn function_name(entry: &Entry, what: &str, found: &mut Vec<Found>) {
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
fn not_a_word(entry: &Entry, words: &[&str], what: &str, found: &mut Vec<Found>) {
    if words.contains(&entry.name.as_str()) {
        let message = format!("`{}` cannot be the name of {what}", entry.name);
        let mistake = Found::new(Code::D005, &entry.key, message);
        found.push(mistake.label("a word of the derive's attribute").help(format!("by_{}", entry.name)));
    }
}

fn entity_type(text: Text<'_>) -> EntityTypeRule {
    match text.text {
        "auto" => EntityTypeRule::Auto,
        "always" => EntityTypeRule::Always,
        "none" => EntityTypeRule::None,
        other => EntityTypeRule::Named(other.to_owned()),
    }
}

fn shard(table: &Table, entity: &Entry, found: &mut Vec<Found>) -> Option<Shard> {
    let mut keys = Keys::of(table);
    let of = keys.text("of", "id", found).map(|text| text.text.to_owned());
    let count =
        keys.whole("count", (0, u64::from(u32::MAX)), 16, found).and_then(|count| u32::try_from(count).ok());
    let key = table.entries.first().map_or(&entity.key, |entry| &entry.key);
    for name in ["of", "count"].into_iter().filter(|name| table.get(name).is_none()) {
        let mistake = Found::new(Code::D006, key, format!("the shard of `{}` has no `{name}`", entity.name));
        found.push(mistake.label("needs `of`, `count`").help("shard = { of = \"id\", count = 16 }"));
    }
    keys.finish(found);
    Some(Shard { of: of?, count: count? })
}

fn index(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> IndexDesign {
    function_name(entry, "an index", found);
    not_a_word(entry, &INDEX_WORDS, "an index", found);
    let mut keys = Keys::of(table);
    let template = |text: Text<'_>| TemplateText::new(text.text);
    let design = IndexDesign {
        name: entry.name.clone(),
        about: keys.about(found),
        table: keys.text("table", "EmployeesByEmail", found).map(template),
        partition: keys.text("partition", "email_{department}", found).map(template),
        row: keys.text("row", "email_{email}", found).map(template),
        unique: keys.bool("unique", found).unwrap_or(false),
        sparse: keys.bool("sparse", found).unwrap_or(false) || table.get("when").is_some(),
        copy: match keys.texts("copy", "first_name", found) {
            Some(fields) => CopiedFields::Only(field::names(&fields)),
            None => CopiedFields::All,
        },
        when: keys.parsed("when", "status = open", found),
        condition: None,
    };
    keys.finish(found);
    design
}

const PLACES: &[(&str, LookupPlace)] =
    &[("partition", LookupPlace::Partition), ("table", LookupPlace::Table), ("blob", LookupPlace::Blob)];

fn lookup(entry: &Entry, table: &Table, found: &mut Vec<Found>) -> LookupDesign {
    function_name(entry, "a lookup", found);
    not_a_word(entry, &LOOKUP_WORDS, "a lookup", found);
    let mut keys = Keys::of(table);
    let template = |text: Text<'_>| TemplateText::new(text.text);
    let on = field::one_or_more(&mut keys, "on", "last_name", found);
    let design = LookupDesign {
        name: entry.name.clone(),
        about: keys.about(found),
        on: on.map(|fields| field::names(&fields)).unwrap_or_default(),
        place: keys.word("place", PLACES, found).unwrap_or_default(),
        table: keys.text("table", "EmployeesByLastName", found).map(template),
        partition: keys.text("partition", "{last_name}", found).map(template),
        row: keys.text("row", "lastname_{last_name}", found).map(template),
        ids: keys.text("ids", "EmployeeIDs", found).map(|text| text.text.to_owned()),
    };
    keys.finish(found);
    design
}
