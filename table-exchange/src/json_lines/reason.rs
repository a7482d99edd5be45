//! Diagnosis of an invalid line. The error of the protocol parser has no location, so this module determines it after
//! the parser has rejected the line.

use serde_json::{Map, Value};
use table_model::{ErrorCode, TableError};
use table_rest::wire::entity::EntityBody;

use crate::shown::shown;

pub(super) fn broken(line: &[u8], error: &TableError) -> String {
    if !matches!(error.code(), ErrorCode::InvalidInput | ErrorCode::InvalidValueType) {
        return error.message().to_owned();
    }
    if std::str::from_utf8(line).is_err() {
        return "it is not UTF-8".to_owned();
    }
    match serde_json::from_slice::<Value>(line) {
        Err(error) if error.is_eof() => "it ends too early".to_owned(),
        Err(error) => {
            // `serde_json` reports line 1; the reader reports the line number itself.
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            format!("{what}, at column {}", error.column())
        }
        Ok(Value::Object(members)) => match members.keys().find(|name| refuses(&members, name)) {
            Some(name) => format!("`{}`: {}", shown(name), told(&members, name)),
            None => error.message().to_owned(),
        },
        Ok(_) => "it is no object".to_owned(),
    }
}

fn annotation(name: &str) -> String {
    format!("{name}@odata.type")
}

/// Returns whether the parser rejects a single property with its type annotation.
fn refuses(members: &Map<String, Value>, name: &str) -> bool {
    let said = annotation(name);
    let alone: Map<String, Value> = [name, &said]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), members.get(name)?.clone())))
        .collect();
    serde_json::to_vec(&alone).is_ok_and(|body| EntityBody::read(&body).is_err())
}

fn told(members: &Map<String, Value>, name: &str) -> String {
    let value = shown(&members.get(name).map(Value::to_string).unwrap_or_default());
    match members.get(&annotation(name)).and_then(Value::as_str) {
        Some(said) => format!("{value} is no {}", shown(said)),
        None => format!("{value} is no value"),
    }
}
