//! The eight types of a property as JSON.

mod double;
mod text;
mod time;

pub use double::push_double;
pub use text::push_text;
pub use time::{push_etag, push_time};

use base64::{Engine, engine::general_purpose::STANDARD};
use table_store::{EdmType, ErrorCode, TableError, Uuid, Value, ValueRef};

use super::json::Json;

/// Appends a value as the service prints it.
///
/// ```
/// use table_rest::wire::value::push_value;
/// use table_store::ValueRef;
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
        // The list is complete; a type that is added to it is not on the wire before it is given a form here.
        _ => into.push_str("null"),
    }
}

/// The type that is written beside a value, where JSON does not say it.
#[must_use]
pub fn annotation(value: &ValueRef<'_>) -> Option<EdmType> {
    match value {
        ValueRef::Boolean(_) | ValueRef::Int32(_) | ValueRef::String(_) => None,
        ValueRef::Double(number) if number.is_finite() => None,
        other => Some(other.edm_type()),
    }
}

/// Reads a value, of the type said beside it if there is one. Null is none.
///
/// # Errors
/// `InvalidValueType` if JSON's type and the one that is said do not fit; `InvalidInput` for what is no value of its
/// type, and for integers beyond Int32 of which nothing is said.
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

/// A value that is written as text though it is of another type.
fn of_text<'de>(edm_type: EdmType, text: &str) -> Result<Read<'de>, TableError> {
    let value = match edm_type {
        EdmType::Binary => return Ok(Read::Binary(STANDARD.decode(text).map_err(|_| malformed())?)),
        EdmType::Boolean => ValueRef::Boolean(text.parse().map_err(|_| malformed())?),
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

/// A value that was read: what it borrows of the JSON text stays borrowed.
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
mod tests {
    use super::*;

    fn value(json: &str, said: Option<&str>) -> Result<Option<Value>, ErrorCode> {
        let json = Json::of(json).map_err(|error| error.code())?;
        read(json, said).map(|read| read.map(Read::into_value)).map_err(|error| error.code())
    }

    #[test]
    fn a_type_that_is_not_said_is_inferred() {
        assert_eq!(value("true", None), Ok(Some(true.into())));
        assert_eq!(value("-2147483648", None), Ok(Some(i32::MIN.into())));
        assert_eq!(value("-0", None), Ok(Some(0.into())));
        assert_eq!(value("1e1", None), Ok(Some(10.0.into())));
        assert_eq!(value("4.0", None), Ok(Some(4.0.into())));
        assert_eq!(value(r#""\u00f6\ud834\udd1e\/\n""#, None), Ok(Some("ö𝄞/\n".into())));
        assert_eq!(value("null", None), Ok(None));
        for wrong in
            ["2147483648", "99999999999999999999", "1e999", "[1]", "{}", "tru", "\"a", r#""\ud834""#, "01"]
        {
            assert_eq!(value(wrong, None), Err(ErrorCode::InvalidInput), "{wrong}");
        }
    }

    #[test]
    fn a_type_that_is_said_takes_numbers_and_texts() {
        for (json, said, expected) in [
            ("4", "Edm.Double", Value::from(4.0)),
            ("\"1.5\"", "Edm.Double", 1.5.into()),
            ("\"NaN\"", "Edm.Double", f64::NAN.into()),
            ("\"-Infinity\"", "Edm.Double", f64::NEG_INFINITY.into()),
            ("\"7\"", "Edm.Int32", 7.into()),
            ("\"-9223372036854775808\"", "Edm.Int64", i64::MIN.into()),
            ("7", "Edm.Int64", 7_i64.into()),
            ("\"true\"", "Edm.Boolean", true.into()),
            ("\"AQI=\"", "Edm.Binary", vec![1_u8, 2].into()),
            ("\"\"", "Edm.Binary", Vec::<u8>::new().into()),
            ("\"x\"", "Edm.String", "x".into()),
            (
                "\"DD3CB8F8-93b7-44e2-b74a-c0aa3b27a6d2\"",
                "Edm.Guid",
                Uuid::from_u128(0xdd3c_b8f8_93b7_44e2_b74a_c0aa_3b27_a6d2).into(),
            ),
            (
                "\"2014-05-07T10:20:53+02:00\"",
                "Edm.DateTime",
                "2014-05-07T08:20:53Z".parse::<table_store::Timestamp>().unwrap().into(),
            ),
        ] {
            assert_eq!(value(json, Some(said)), Ok(Some(expected)), "{json} as {said}");
        }
        for said in EdmType::ALL {
            assert_eq!(value("null", Some(said.as_str())), Ok(None));
        }
    }

    #[test]
    fn a_value_that_is_none_of_its_type_is_refused() {
        for (json, said) in
            [("1", "Edm.String"), ("true", "Edm.Int32"), ("1", "Edm.Guid"), ("1.5", "Edm.Boolean")]
        {
            assert_eq!(value(json, Some(said)), Err(ErrorCode::InvalidValueType), "{json} as {said}");
        }
        for (json, said) in [
            ("1.0", "Edm.Int32"),
            ("\"1e1\"", "Edm.Int64"),
            ("\"9223372036854775808\"", "Edm.Int64"),
            ("\"1.7976931348623159E308\"", "Edm.Double"),
            ("\"inf\"", "Edm.Double"),
            ("\"AQI\"", "Edm.Binary"),
            ("\"x\"", "Edm.Guid"),
            ("\"2014-05-07T24:00:00Z\"", "Edm.DateTime"),
            ("1", "Edm.Decimal"),
            ("[]", "Edm.String"),
        ] {
            assert_eq!(value(json, Some(said)), Err(ErrorCode::InvalidInput), "{json} as {said}");
        }
    }
}
