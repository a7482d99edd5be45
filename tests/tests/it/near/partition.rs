//! All rows of a partition as stored, and as derived from its entities.

use std::collections::{BTreeMap, BTreeSet};

use pollster::block_on;
use table_store::{Entity, Filter, Operation, Query, TableName, TableService, Value};

/// A row without its version: its properties by name.
type Row = BTreeMap<String, Value>;

/// RowKeys and rows.
type Rows = BTreeMap<String, Row>;

pub(crate) fn read(service: &dyn TableService) -> Rows {
    let table = TableName::new("Staff").unwrap();
    let mut rows = Rows::new();
    let mut query = Query::new().filter(Filter::eq("PartitionKey", "Blue"));
    loop {
        let Ok(segment) = block_on(service.query(&table, query.clone())) else { return rows };
        for row in segment.rows {
            let properties = row.properties.iter().map(|(name, value)| (name.to_string(), value.clone()));
            rows.insert(row.row_key.unwrap(), properties.collect());
        }
        let Some(token) = segment.continuation else { return rows };
        query = query.continuation(token);
    }
}

/// Name prefix of initial list members that are not entities.
const CROWD: &str = "zz_";

/// Maximum number of members in the list.
const MOST_MEMBERS: usize = 1365;

/// Fills the list of one city except for one member.
pub(crate) fn crowd(service: &dyn TableService) {
    let table = TableName::new("Staff").unwrap();
    // Each member takes nine characters, two quotes and a comma, of 16,384; `"id_00",` takes eight.
    let members: Vec<String> = (0..1364).map(|number| format!("{CROWD}{number:06}")).collect();
    let list = Entity::new("Blue", "city_Oslo")
        .with("Ids", serde_json::to_string(&members).unwrap())
        .with("_tx", format!("8{:025}", 0));
    block_on(service.create_table(&table)).unwrap();
    block_on(service.execute(&table, &Operation::Insert(list))).unwrap();
}

/// Returns the inconsistencies of a partition; empty if there are none.
///
/// Implemented separately, without code of the library.
pub(crate) fn mistakes(rows: &Rows) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut wanted = Rows::new();
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (key, row) in rows.iter().filter(|(key, _)| key.starts_with("id_")) {
        let text = |name: &str| match row.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        let number = |name: &str| match row.get(name) {
            Some(Value::Int32(number)) => Some(*number),
            _ => None,
        };
        let digits = key.strip_prefix("id_").unwrap();
        let id = Value::from(digits.parse::<i32>().unwrap());
        let kept = |names: &[&str]| -> Row {
            let stored = names.iter().filter_map(|name| {
                let value = row.get(*name)?.clone();
                Some(((*name).to_owned(), if *name == "_tx" { marked(&value) } else { value }))
            });
            stored.chain([("id".to_owned(), id.clone())]).collect()
        };
        let mail = kept(&["desk", "name", "city", "age", "gone", "EntityType", "_tx"]);
        wanted.insert(format!("mail_{}", text("mail").unwrap()), mail);
        if let Some(desk) = number("desk") {
            let mut desk_row = kept(&["age", "EntityType"]);
            desk_row.remove("id");
            wanted.insert(format!("desk_{desk:02}_{digits}"), desk_row);
        }
        if row.get("gone") == Some(&Value::from(true)) {
            let mut left = kept(&["mail", "desk", "name", "city", "age", "gone", "EntityType", "_tx"]);
            left.remove("id");
            wanted.insert(format!("left_{digits}"), left);
        }
        let name = format!("name_{}!{key}", text("name").unwrap());
        wanted.insert(name, [("EntityType".to_owned(), Value::from("Staff"))].into_iter().collect());
        if let Some(city) = text("city") {
            groups.entry(format!("city_{city}")).or_default().insert(key.clone());
        }
    }
    for (list, members) in groups {
        let kept = rows.get(&list).and_then(|row| row.get("Ids"));
        let own: Vec<String> = match kept {
            Some(Value::String(text)) => serde_json::from_str(text).unwrap(),
            _ => Vec::new(),
        };
        if own.len() > MOST_MEMBERS {
            mistakes.push(format!("{list} has {} members in its row", own.len()));
        }
        let prefix = format!("{list}!");
        let beside = rows.keys().filter_map(|key| key.strip_prefix(&prefix)).map(str::to_owned);
        let mut all: Vec<String> =
            own.iter().filter(|id| !id.starts_with(CROWD)).cloned().chain(beside.clone()).collect();
        if !own.is_sorted() {
            mistakes.push(format!("{list} is not sorted: {own:?}"));
        }
        all.sort();
        if all != members.iter().cloned().collect::<Vec<_>>() {
            mistakes.push(format!("{list} holds {all:?}, not {members:?}"));
        }
        if !own.is_empty() {
            wanted.insert(list.clone(), Row::new());
        }
        wanted.extend(beside.map(|id| (format!("{prefix}{id}"), Row::new())));
    }
    for (key, row) in &wanted {
        match rows.get(key) {
            None => mistakes.push(format!("{key} is missing")),
            Some(found) if row.is_empty() || holds(found, row) => {}
            Some(found) => mistakes.push(format!("{key} is {found:?}, not {row:?}")),
        }
    }
    let is_crowd = |key: &String| {
        let ids = rows[key].get("Ids");
        key.starts_with("city_")
            && matches!(ids, Some(Value::String(text)) if text.contains(CROWD) && !text.contains("id_"))
    };
    let known = |key: &String| key.starts_with("id_") || wanted.contains_key(key) || is_crowd(key);
    mistakes.extend(rows.keys().filter(|key| !known(key)).map(|key| format!("{key} is left over")));
    mistakes
}

/// Returns the token of an entity as its index rows contain it.
fn marked(token: &Value) -> Value {
    let Value::String(token) = token else { return token.clone() };
    let (first, rest) = token.split_at(1);
    Value::from(format!("{:X}{rest}", first.parse::<u8>().unwrap() + 8))
}

/// Returns whether a row matches the expected row. Rows with only some fields may be from an older transaction than the
/// entity.
fn holds(found: &Row, wanted: &Row) -> bool {
    let mut found = found.clone();
    if !wanted.contains_key("_tx") {
        found.remove("_tx");
    }
    found == *wanted
}
