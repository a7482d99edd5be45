//! Names of fields and properties.

use std::collections::BTreeMap;

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, Place, RESERVED_HOLES},
    key::units,
};

/// Maximum length of a property name in UTF-16 units (REST reference).
const LONGEST: usize = 255;

pub(super) fn check(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (number, field) in design.fields.iter().enumerate() {
        let place = Place::Field(number);
        if RESERVED_HOLES.contains(&field.name.as_str()) {
            let message = format!("`{0}` is reserved for `{{{0}}}` in templates", field.name);
            mistakes.push(RuleViolation::new(Code::D022, place.clone(), message).help("rename the field"));
        }
        if field.skip {
            continue;
        }
        if let Some(mistake) = bad_property(field, &place) {
            mistakes.push(mistake);
            continue;
        }
        if design.fields.iter().take(number).any(|other| !other.skip && other.name == field.name) {
            let message = format!("two fields are named `{}`", field.name);
            mistakes.push(RuleViolation::new(Code::D028, place, message).help("rename one of them"));
            continue;
        }
        if let Some(first) = owners.insert(&field.property, &field.name) {
            mistakes.push(twice(first, &field.name, &field.property, place));
        }
    }
    slots(design, mistakes);
    for (number, lookup) in design.lookups.iter().enumerate() {
        let Some(ids) = &lookup.ids else { continue };
        let bad = bad_property(&FieldDesign::new(ids, FieldKind::Json { max: None }), &Place::Lookup(number));
        mistakes.extend(bad.map(|mistake| {
            let help = "write ids = \"EmployeeIDs\"";
            mistake.help(help).file_help(help)
        }));
    }
}

/// Checks the slots of a series, which are properties too: `hours_00` and so on.
fn slots(design: &EntityDesign, mistakes: &mut Vec<RuleViolation>) {
    let stored = || design.fields.iter().enumerate().filter(|(_, field)| !field.skip);
    for (_, series) in stored().filter(|(_, field)| field.series.is_some()) {
        for (number, field) in stored().filter(|(_, field)| series.has_slot(&field.property)) {
            mistakes.push(twice(&series.name, &field.name, &field.property, Place::Field(number)));
        }
    }
}

fn twice(first: &str, second: &str, property: &str, place: Place) -> RuleViolation {
    let message = format!("`{first}` and `{second}` are both stored as `{property}`");
    RuleViolation::new(Code::D028, place, message)
}

/// Checks for reserved names of the service and of the library, and for invalid names.
fn bad_property(field: &FieldDesign, place: &Place) -> Option<RuleViolation> {
    let name = field.property.as_str();
    let rename = "rename the field, or only its property: #[table(rename = \"...\")]";
    let in_file = "rename the field, or only its property: rename = \"...\"";
    let mistake = |code, message| {
        Some(RuleViolation::new(code, place.clone(), message).help(rename).file_help(in_file))
    };
    match name {
        "PartitionKey" | "RowKey" | "Timestamp" => {
            mistake(Code::D022, format!("`{name}` is the service's own property"))
        }
        "EntityType" => mistake(Code::D022, format!("`{name}` is a property of the library")),
        _ if name.starts_with('_') => mistake(
            Code::D022,
            format!("`{name}`: properties that start with `_` are reserved for the library"),
        ),
        _ if name.to_ascii_lowercase().starts_with("odata") => mistake(
            Code::D022,
            format!("`{name}`: names that start with `odata` are reserved for the service"),
        ),
        _ if units(name) + longest_slot(field) > LONGEST => mistake(
            Code::D027,
            format!("a property's name has at most {LONGEST} characters; `{name}` has more"),
        ),
        _ if !is_name(name) => mistake(
            Code::D027,
            format!("`{name}` is not a valid property name: only letters, digits and `_` are allowed"),
        ),
        _ => None,
    }
}

/// Returns the length of the longest slot suffix of a series.
fn longest_slot(field: &FieldDesign) -> usize {
    field.series.map_or(0, |series| 1 + series.digits().unwrap_or(1))
}

fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(char::is_alphabetic)
        && characters.all(|next| next == '_' || next.is_alphanumeric())
}
