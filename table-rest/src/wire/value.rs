//! The eight property types as JSON.

mod double;
mod text;
mod time;

pub use double::push_double;
pub use text::{push_inside, push_text};
pub use time::{push_etag, push_time};

use base64::{Engine, engine::general_purpose::STANDARD};
use table_model::{EdmType, ErrorCode, TableError, Uuid, Value, ValueRef};

use super::json::Json;

/// Appends a value in the form of the service.
///
/// ```
/// use table_rest::wire::value::push_value;
/// use table_model::ValueRef;
///
/// let printed = |value| {
///     let mut text = String::new();
///     push_value(&mut text, &value);
///     text
/// };
/// assert_eq!(printed(ValueRef::Double(10.0)), "10.0");
/// assert_eq!(printed(ValueRef::Int64(10)), "\"10\"");
/// assert_eq!(printed(ValueRef::String("Größe")), "\"Gr\\u00f6\\u00dfe\"");
/// ```
pub fn push_value(into: &mut String, value: &ValueRef<'_>) {
    match value {
        ValueRef::Boolean(flag) => into.push_str(if *flag { "true" } else { "false" }),
        ValueRef::Double(number) => push_double(into, *number),
        ValueRef::Int32(number) => into.push_str(itoa::Buffer::new().format(*number)),
        ValueRef::String(text) => push_text(into, text),
        ValueRef::Int64(number) => {
            into.push('"');
            into.push_str(itoa::Buffer::new().format(*number));
            into.push('"');
        }
        ValueRef::Binary(bytes) => {
            into.push('"');
            STANDARD.encode_string(bytes, into);
            into.push('"');
        }
        ValueRef::DateTime(time) => {
            into.push('"');
            push_time(into, *time, ":");
            into.push('"');
        }
        ValueRef::Guid(id) => {
            into.push('"');
            into.push_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
            into.push('"');
        }
        // The match is exhaustive today; a new type needs a separate arm with its wire form.
        _ => into.push_str("null"),
    }
}

/// Returns the type annotation of a value, or `None` if JSON determines the type.
#[must_use]
pub fn annotation(value: &ValueRef<'_>) -> Option<EdmType> {
    match value {
        ValueRef::Boolean(_) | ValueRef::Int32(_) | ValueRef::String(_) => None,
        ValueRef::Double(number) if number.is_finite() => None,
        other => Some(other.edm_type()),
    }
}

/// Reads a value with an optional type annotation. Returns `None` for null.
///
/// # Errors
///
/// Returns `InvalidValueType` if the JSON type does not match the annotation; `InvalidInput` for an invalid value, and
/// for integers beyond Int32 without an annotation.
pub(super) fn read<'de>(json: Json<'de>, said: Option<&str>) -> Result<Option<Read<'de>>, TableError> {
    let edm_type = match said {
        None => None,
        Some(said) => Some(*EdmType::ALL.iter().find(|known| known.as_str() == said).ok_or_else(malformed)?),
    };
    let fixed = |value| Ok(Some(Read::Fixed(value)));
    match (edm_type, json) {
        (_, Json::Null) => Ok(None),
        (_, Json::Nested) => Err(malformed()),
        (None | Some(EdmType::Boolean), Json::Boolean(flag)) => fixed(ValueRef::Boolean(flag)),
        (None | Some(EdmType::String), Json::Text(text)) => Ok(Some(Read::Text(text))),
        (None, Json::Number(number)) if number.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => {
            fixed(ValueRef::Double(double::finite(number).ok_or_else(malformed)?))
        }
        (None, Json::Number(number)) => fixed(ValueRef::Int32(number.parse().map_err(|_| malformed())?)),
        (Some(edm_type), Json::Number(number)) => match edm_type {
            EdmType::Double => fixed(ValueRef::Double(double::finite(number).ok_or_else(malformed)?)),
            EdmType::Int32 => fixed(ValueRef::Int32(number.parse().map_err(|_| malformed())?)),
            EdmType::Int64 => fixed(ValueRef::Int64(number.parse().map_err(|_| malformed())?)),
            _ => Err(ErrorCode::InvalidValueType.into()),
        },
        (Some(edm_type), Json::Text(text)) => of_text(edm_type, &text).map(Some),
        (Some(_), Json::Boolean(_)) => Err(ErrorCode::InvalidValueType.into()),
    }
}

/// Parses a value of a type from a string: the content of the quotes for types with JSON strings, and the JSON value
/// for other types.
///
/// ```
/// use table_rest::wire::value::parse;
/// use table_model::{EdmType, Value};
///
/// assert_eq!(parse(EdmType::Int64, "10")?, Value::from(10_i64));
/// assert_eq!(parse(EdmType::String, "10")?, Value::from("10"));
/// assert!(parse(EdmType::Guid, "10").is_err());
/// # Ok::<(), table_model::TableError>(())
/// ```
///
/// # Errors
///
/// Returns `InvalidInput` for an invalid value of the type.
pub fn parse(edm_type: EdmType, text: &str) -> Result<Value, TableError> {
    match edm_type {
        EdmType::String => Ok(Value::from(text)),
        other => of_text(other, text).map(Read::into_value),
    }
}

/// Parses a value of a type that is written as a JSON string.
fn of_text<'de>(edm_type: EdmType, text: &str) -> Result<Read<'de>, TableError> {
    let value = match edm_type {
        EdmType::Binary => return Ok(Read::Binary(STANDARD.decode(text).map_err(|_| malformed())?)),
        // Case-insensitive, since Python writes `True`.
        EdmType::Boolean if text.eq_ignore_ascii_case("true") => ValueRef::Boolean(true),
        EdmType::Boolean if text.eq_ignore_ascii_case("false") => ValueRef::Boolean(false),
        EdmType::DateTime => ValueRef::DateTime(text.parse().map_err(|_| malformed())?),
        EdmType::Double => ValueRef::Double(double::of_text(text).ok_or_else(malformed)?),
        EdmType::Guid => ValueRef::Guid(Uuid::parse_str(text).map_err(|_| malformed())?),
        EdmType::Int32 => ValueRef::Int32(text.parse().map_err(|_| malformed())?),
        EdmType::Int64 => ValueRef::Int64(text.parse().map_err(|_| malformed())?),
        _ => return Err(malformed()),
    };
    Ok(Read::Fixed(value))
}

pub(super) fn malformed() -> TableError {
    TableError::with_message(ErrorCode::InvalidInput, "An error occurred while processing this request.")
}

/// A parsed value that may borrow from the JSON input.
#[derive(Clone, Debug)]
pub(super) enum Read<'de> {
    Binary(Vec<u8>),
    Fixed(ValueRef<'static>),
    Text(std::borrow::Cow<'de, str>),
}

impl Read<'_> {
    pub(super) fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Binary(bytes) => ValueRef::Binary(bytes),
            Self::Fixed(value) => *value,
            Self::Text(text) => ValueRef::String(text),
        }
    }

    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Binary(bytes) => Value::Binary(bytes),
            Self::Fixed(value) => value.to_value(),
            Self::Text(text) => Value::String(text.into_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
