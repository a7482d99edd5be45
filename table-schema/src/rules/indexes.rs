//! Indexes and lookups: names, lists, and rows that identify a single entity.

use std::collections::BTreeMap;

use super::words::unknown_field;
use crate::{
    RuleViolation,
    catalogue::Code,
    design::{CopiedFields, EntityDesign, IndexDesign, Origin, Place, RowKind},
    template::{Template, TemplateField},
};

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    same_names(design, mistakes);
    let kinds = design.row_kinds();
    for (number, index) in design.indexes.iter().enumerate() {
        incomplete_index(number, index, mistakes);
        unknown_copies(design, number, index, mistakes);
        let own = kinds.iter().find(|kind| kind.origin == Origin::Index(number));
        let primary = kinds.iter().find(|kind| kind.origin == Origin::Primary);
        if let (Some(own), Some(primary)) = (own, primary) {
            mistakes.extend(overwriting(design, number, index, own, primary));
        }
    }
    for (number, lookup) in design.lookups.iter().enumerate() {
        if lookup.name.is_empty() {
            let message = "a lookup requires a name: lookup(by_last_name, on = last_name, place = partition)";
            mistakes.push(RuleViolation::new(Code::D006, Place::Lookup(number), message));
        } else if lookup.on.is_empty() {
            let name = &lookup.name;
            let on = name.strip_prefix("by_").unwrap_or("field");
            let message = format!("lookup `{name}` has no lookup field");
            let help = format!("write lookup({name}, on = {on}, place = partition)");
            let mistake = RuleViolation::new(Code::D006, Place::Lookup(number), message).help(help);
            mistakes.push(mistake.file_help(format!("on = [\"{on}\"]")));
        }
        for (item, field) in lookup.on.iter().enumerate() {
            if design.field(field).is_none() {
                mistakes.push(unknown_field(design, Place::LookupOn(number, item), field));
            }
        }
    }
}

/// Checks that names are unique. Each index and lookup generates a function with its name.
fn same_names(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let indexes =
        design.indexes.iter().enumerate().map(|(at, index)| (&*index.name, Place::Index(at), "index"));
    let lookups =
        design.lookups.iter().enumerate().map(|(at, lookup)| (&*lookup.name, Place::Lookup(at), "lookup"));
    let mut seen = BTreeMap::new();
    for (name, place, word) in indexes.chain(lookups).filter(|(name, ..)| !name.is_empty()) {
        let Some(first) = seen.insert(name, word) else { continue };
        let message = match (first, word) {
            ("index", "index") => format!("two indexes are named `{name}`"),
            ("lookup", "lookup") => format!("two lookups are named `{name}`"),
            _ => format!("an index and a lookup are named `{name}`"),
        };
        mistakes.push(RuleViolation::new(Code::D029, place, message));
    }
}

fn incomplete_index(number: usize, index: &IndexDesign, mistakes: &mut Vec<RuleViolation>) {
    let place = Place::Index(number);
    if index.name.is_empty() {
        let message = "an index requires a name: index(by_email, row = \"email_{email}\")";
        mistakes.push(RuleViolation::new(Code::D006, place, message));
    } else if index.row.is_none() {
        let message = format!("index `{}` has no row key", index.name);
        let help = format!("write index({}, row = \"email_{{email}}\")", index.name);
        mistakes.push(
            RuleViolation::new(Code::D006, place, message).help(help).file_help("row = \"email_{email}\""),
        );
    }
}

fn unknown_copies(
    design: &EntityDesign,
    number: usize,
    index: &IndexDesign,
    mistakes: &mut Vec<RuleViolation>,
) {
    let CopiedFields::Only(names) = &index.copy else { return };
    for (item, name) in names.iter().enumerate() {
        if design.field(name).is_none() {
            mistakes.push(unknown_field(design, Place::IndexCopy(number, item), name));
        }
    }
}

/// Checks that the key of a copy belongs to one entity: either it is declared (`unique`, which is enforced), or it
/// contains the key of the entity. Otherwise the copy of a second entity overwrites the copy of the first. In another
/// partition and without copied fields, the copy could not even identify its entity.
fn overwriting(
    design: &EntityDesign,
    number: usize,
    index: &IndexDesign,
    own: &RowKind,
    primary: &RowKind,
) -> Option<RuleViolation> {
    let has = |template: &Template, key: &TemplateField| {
        template.holes().any(|hole| hole.field == key.field && (hole.exact || hole.shape == key.shape))
    };
    let missing: Vec<&TemplateField> = primary
        .partition
        .holes()
        .chain(primary.row.holes())
        .filter(|hole| design.field(&hole.field).is_some())
        .filter(|hole| !has(&own.row, hole) && !has(&own.partition, hole))
        .collect();
    if index.unique || missing.is_empty() || index.name.is_empty() {
        return None;
    }
    let elsewhere = !own.is_near(primary);
    if elsewhere && index.copy == CopiedFields::Only(Vec::new()) {
        let first = missing.first().map_or_else(String::new, |hole| hole.field.clone());
        let message = format!("index `{}` does not identify its entity", index.name);
        let help = format!("add `copy(..)` (the key is always copied) or put `{first}` in a template");
        let file_help =
            format!("name fields in `copy` (the key is always copied) or put `{first}` in a template");
        let mistake = RuleViolation::new(Code::D032, Place::Index(number), message).help(help);
        return Some(mistake.file_help(file_help));
    }
    let message = format!("two {} can have the same `{}` key", plural(&design.name), index.name);
    let parts: Vec<String> =
        std::iter::once(own.row.text().to_owned()).chain(missing.iter().map(ToString::to_string)).collect();
    let key = parts.join("_");
    let help = format!("add `unique`, or end with the key: `{key}`");
    let mistake = RuleViolation::new(Code::D031, Place::Index(number), message).help(help);
    Some(mistake.file_help(format!("add unique = true, or end with the key: row = \"{key}\"")))
}

/// Formats an entity name as a plural: `Employee` becomes `employees`.
fn plural(name: &str) -> String {
    let mut words = String::new();
    for (at, character) in name.chars().enumerate() {
        if at > 0 && character.is_uppercase() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    if let Some(stem) = words.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        return format!("{stem}ies");
    }
    let hissing = ["s", "x", "ch", "sh"].iter().any(|end| words.ends_with(end));
    words + if hissing { "es" } else { "s" }
}
