//! Members of JSON objects.

use serde_json::Value;

/// Returns an object with a further member. Other values are returned unchanged.
pub(crate) fn with(mut object: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
    object
}
