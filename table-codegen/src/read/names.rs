//! Resolution of names within a file: entities, fields, indexes.

use table_designs::schema::{Query, Schema};
use table_schema::{
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind},
    language::{Literal, Test, When},
    suggest::closest,
};

use super::{
    places::item_of,
    rules::fields,
    tree::{Entry, Kind, Table},
};
use crate::{diagnostic::Found, source::Spot, word};

pub(super) fn check(root: &Table, schema: &Schema, found: &mut Vec<Found>) {
    for entity in &schema.entities {
        let Some(entry) = root.find(&["entity", &entity.name]) else { continue };
        let Some(table) = entry.table() else { continue };
        for word in word::all() {
            (word.resolve)(table, entity, schema, found);
        }
    }
    for query in &schema.queries {
        let Some(entry) = root.find(&["query", &query.name]) else { continue };
        of_query(entry, query, schema, found);
    }
    relations(root, schema, found);
    of_load(root, schema, found);
}

pub(super) fn relations(root: &Table, schema: &Schema, found: &mut Vec<Found>) {
    for relation in &schema.relations {
        let Some(entry) = root.find(&["relation", &relation.name]) else { continue };
        let from = entity_at(entry, "from", &relation.from, schema, found);
        let to = entity_at(entry, "to", &relation.to, schema, found);
        pairs(entry, "on", from, to, found);
    }
}

/// Returns the entity that a key names, and reports an unknown name.
pub(crate) fn entity_at<'s>(
    entry: &Entry,
    key: &str,
    name: &str,
    schema: &'s Schema,
    found: &mut Vec<Found>,
) -> Option<&'s EntityDesign> {
    let known = schema.entity(name);
    // A key that is missing or has another type has been reported already.
    let value = &entry.table()?.get(key)?.value;
    if known.is_none() && matches!(value.kind, Kind::Text { .. }) {
        found.push(no_entity(Code::D014, &value.part(&(0..name.len())), name, schema));
    }
    known
}

fn no_entity(code: Code, spot: &Spot, name: &str, schema: &Schema) -> Found {
    let names: Vec<&str> = schema.entities.iter().map(|entity| entity.name.as_str()).collect();
    let mistake = Found::new(code, spot, format!("no entity `{name}`"));
    match closest(name, names.iter().copied()) {
        Some(near) => mistake.label(format!("did you mean `{near}`?")),
        None if names.is_empty() => mistake.label("unknown entity"),
        None => mistake.label("unknown entity").help(format!("entities: {}", names.join(", "))),
    }
}

/// Reports an unknown field with the same message that `rules` use for templates and lists.
pub(crate) fn no_field(code: Code, spot: &Spot, name: &str, entity: &EntityDesign) -> Found {
    let mistake = Found::new(code, spot, format!("`{}` has no field `{name}`", entity.name));
    match closest(name, entity.fields.iter().map(|field| field.name.as_str())) {
        Some(near) => mistake.label(format!("did you mean `{near}`?")),
        None => mistake.label("unknown field").help(fields(entity)),
    }
}

pub(crate) fn list(
    entry: &Entry,
    key: &str,
    names: &[String],
    code: Code,
    entity: &EntityDesign,
    found: &mut Vec<Found>,
) {
    for (item, name) in names.iter().enumerate().filter(|(_, name)| entity.field(name).is_none()) {
        let spot = item_of(entry, key, item).unwrap_or_else(|| entry.key.clone());
        found.push(no_field(code, &spot, name, entity));
    }
}

/// Checks `{ theirs = "mine" }`: keys are fields of the first entity, values are fields of the second entity.
pub(crate) fn pairs(
    entry: &Entry,
    key: &str,
    theirs: Option<&EntityDesign>,
    mine: Option<&EntityDesign>,
    found: &mut Vec<Found>,
) {
    let Some(table) = entry.table().and_then(|table| table.get(key)).and_then(Entry::table) else { return };
    for pair in &table.entries {
        if let Some(entity) = theirs.filter(|entity| entity.field(&pair.name).is_none()) {
            found.push(no_field(Code::D021, &pair.key, &pair.name, entity));
        }
        let Kind::Text { text, .. } = &pair.value.kind else { continue };
        if let Some(entity) = mine.filter(|entity| entity.field(text).is_none()) {
            found.push(no_field(Code::D021, &pair.value.inner(), text, entity));
        }
    }
}

/// Checks that all key fields of an entity are named.
pub(crate) fn covers(at: &Entry, entity: &EntityDesign, named: &[&str], what: &str, found: &mut Vec<Found>) {
    let Some(matches) = at.table().and_then(|table| table.get("match")) else { return };
    let keys = [&entity.partition, &entity.row].into_iter().flatten().filter_map(|text| text.template());
    for hole in keys.flat_map(table_schema::template::Template::holes) {
        if entity.field(&hole.field).is_some() && !named.contains(&hole.field.as_str()) {
            let message = format!("`match` does not determine {what}: `{}` is missing", hole.field);
            found.push(Found::new(Code::D006, &matches.key, message).label("not the whole key"));
        }
    }
}

/// Checks the fields and values of a row condition.
pub(crate) fn rows(at: Option<&Entry>, when: Option<&When>, entity: &EntityDesign, found: &mut Vec<Found>) {
    let (Some(at), Some(when)) = (at, when) else { return };
    for one in &when.equalities {
        let Some(field) = entity.field(&one.field) else {
            found.push(no_field(Code::D015, &at.value.part(&one.field_span), &one.field, entity));
            continue;
        };
        value(&at.value.part(&one.value_span), field, &one.value, found);
    }
}

/// Checks that a field can have a value.
fn value(spot: &Spot, field: &FieldDesign, value: &Literal, found: &mut Vec<Found>) {
    found.extend(unsuitable(Code::D016, spot, field, value));
}

/// Returns the mistake of a value that a field cannot have.
fn unsuitable(code: Code, spot: &Spot, field: &FieldDesign, value: &Literal) -> Option<Found> {
    let fits = match (&field.kind, value) {
        (FieldKind::Enum { variants }, Literal::Word(word) | Literal::Text(word)) => variants.contains(word),
        (FieldKind::Bool, Literal::Word(word)) => word == "true" || word == "false",
        (FieldKind::Int { bits, signed }, Literal::Number(number)) => {
            let values = if *signed { bits.saturating_sub(1) } else { *bits };
            let most =
                1_i128.checked_shl(values.into()).filter(|most| *most > 0).map_or(i128::MAX, |most| most - 1);
            let least = if *signed { -most - 1 } else { 0 };
            number.parse().is_ok_and(|number| (least..=most).contains(&number))
        }
        (FieldKind::Text { .. }, Literal::Text(_) | Literal::Word(_)) | (FieldKind::Unknown, _) => true,
        _ => false,
    };
    if fits {
        return None;
    }
    let message = format!("`{}` cannot have this value", field.name);
    let help = match &field.kind {
        FieldKind::Enum { variants } => format!("its values: {}", variants.join(", ")),
        FieldKind::Bool => "its values: true, false".to_owned(),
        FieldKind::Int { .. } => format!("{} = 3", field.name),
        FieldKind::Text { .. } => format!("{} = 'text'", field.name),
        _ => "enums, booleans, integers and strings can be compared".to_owned(),
    };
    Some(Found::new(code, spot, message).label("not for this type").help(help))
}

/// Checks the value of a test in a condition.
pub(super) fn value_of_test(at: &Entry, test: &Test, field: &FieldDesign, found: &mut Vec<Found>) {
    if let Some(literal) = &test.value {
        // The value ends the test.
        let start = test.span.end.saturating_sub(literal.to_string().len());
        value(&at.value.part(&(start..test.span.end)), field, literal, found);
    }
}

fn of_query(entry: &Entry, query: &Query, schema: &Schema, found: &mut Vec<Found>) {
    let Some(entity) = entity_at(entry, "find", &query.find, schema, found) else { return };
    if let Some(condition) = &query.filter
        && let Some(at) = entry.table().and_then(|table| table.get("where"))
    {
        for test in condition.alternatives.iter().flat_map(|all| &all.tests) {
            match entity.field(&test.field) {
                Some(field) => value_of_test(at, test, field, found),
                None => {
                    found.push(no_field(Code::D015, &at.value.part(&test.field_span), &test.field, entity));
                }
            }
        }
    }
    if let Some(select) = &query.select {
        list(entry, "select", select, Code::D021, entity, found);
    }
    let paths = || {
        let indexes = entity.indexes.iter().map(|index| index.name.as_str());
        indexes.chain(entity.lookups.iter().map(|lookup| lookup.name.as_str())).chain(["primary"])
    };
    if let Some(using) = query.using.as_ref().filter(|using| !paths().any(|path| path == *using))
        && let Some(at) = entry.table().and_then(|table| table.get("using"))
    {
        let message = format!("`{}` has no index or lookup `{using}`", entity.name);
        let mistake = Found::new(Code::D021, &at.value.inner(), message);
        found.push(match closest(using, paths()) {
            Some(near) => mistake.label(format!("did you mean `{near}`?")),
            None => mistake
                .label("unknown path")
                .help(format!("paths: {}", paths().collect::<Vec<_>>().join(", "))),
        });
    }
}

pub(super) fn of_load(root: &Table, schema: &Schema, found: &mut Vec<Found>) {
    for load in &schema.load.entities {
        let Some(entry) = root.find(&["load", &load.name]) else { continue };
        let is_log = schema.logs.iter().any(|log| log.name == load.name);
        let Some(entity) = schema.entity(&load.name) else {
            if !is_log {
                found.push(no_entity(Code::D023, &entry.key, &load.name, schema));
            }
            continue;
        };
        for values in &load.values {
            let Some(at) = entry.table().and_then(|table| table.find(&["values", &values.field])) else {
                continue;
            };
            match entity.field(&values.field) {
                Some(field) => shares(at, field, found),
                None => found.push(no_field(Code::D023, &at.key, &values.field, entity)),
            }
            if let Some(within) = values.within.as_ref().filter(|within| entity.field(within).is_none())
                && let Some(at) = at.table().and_then(|table| table.get("within"))
            {
                found.push(no_field(Code::D023, &at.value.inner(), within, entity));
            }
        }
        changed(entry, entity, found);
    }
}

/// Checks the values whose shares are declared.
fn shares(values: &Entry, field: &FieldDesign, found: &mut Vec<Found>) {
    let table = values.table().and_then(|table| table.get("share")).and_then(Entry::table);
    for share in table.into_iter().flat_map(|table| &table.entries) {
        let name = share.name.clone();
        let value = match field.kind {
            FieldKind::Int { .. } => Literal::Number(name),
            FieldKind::Bool => Literal::Word(name),
            _ => Literal::Text(name),
        };
        found.extend(unsuitable(Code::D023, &share.key, field, &value));
    }
}

/// Checks the fields that updates change.
fn changed(entry: &Entry, entity: &EntityDesign, found: &mut Vec<Found>) {
    let Some(update) = entry.table().and_then(|table| table.get("update")) else { return };
    let updates = match &update.value.kind {
        Kind::List(values) => values.iter().collect(),
        _ => vec![&update.value],
    };
    for update in updates {
        let Kind::Table(table) = &update.kind else { continue };
        let Some(Kind::List(values)) = table.get("fields").map(|entry| &entry.value.kind) else { continue };
        for value in values {
            let Kind::Text { text, .. } = &value.kind else { continue };
            if entity.field(text).is_none() {
                found.push(no_field(Code::D023, &value.inner(), text, entity));
            }
        }
    }
}
