//! Values as text of a form, and back.
//!
//! A form changes line ends to CR LF, and a browser shows no control characters. Strings that contain them are edited
//! with escapes.

use std::fmt::Write as _;

use table_model::{EdmType, Timestamp, Uuid, Value, is_invisible};

use crate::show::{exact, type_name};

/// Form of a value in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The property does not exist.
    Absent,
    /// The form does not contain the value; the stored value is kept.
    Stored,
    /// A value of a type.
    Typed(EdmType),
    /// A String with escapes.
    Escaped,
}

impl Kind {
    /// Returns the name in forms.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Absent => "",
            Self::Stored => "Stored",
            Self::Typed(kind) => type_name(kind),
            Self::Escaped => "Escaped",
        }
    }

    /// Returns the kind of a name in forms.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let others = [Self::Absent, Self::Stored, Self::Escaped];
        EdmType::ALL.into_iter().map(Self::Typed).chain(others).find(|kind| kind.name() == name)
    }

    /// Returns the form in which a value is edited, and its text.
    pub(crate) fn of(value: &Value) -> (Self, String) {
        match value {
            Value::String(text) if text.chars().any(|c| is_invisible(c) && !matches!(c, '\n' | '\t')) => {
                (Self::Escaped, escaped(text))
            }
            value => (Self::Typed(value.edm_type()), exact(value.as_ref())),
        }
    }

    /// Parses the content of a field. Returns `None` if the form contains no value.
    pub(crate) fn parse(self, text: &str) -> Result<Option<Value>, String> {
        let kind = match self {
            Self::Absent | Self::Stored => return Ok(None),
            Self::Escaped => {
                return unescaped(&text.replace("\r\n", "\n")).map(|text| Some(Value::String(text)));
            }
            Self::Typed(EdmType::String) => return Ok(Some(Value::String(text.replace("\r\n", "\n")))),
            Self::Typed(kind) => kind,
        };
        let text = text.trim();
        let value = match kind {
            EdmType::Binary => bytes(text).map(Value::Binary).ok_or("an even number of hex digits"),
            EdmType::Boolean => text.parse().map(Value::Boolean).map_err(|_| "true or false"),
            EdmType::DateTime => text
                .parse::<Timestamp>()
                .map(Value::DateTime)
                .map_err(|_| "a time such as 2014-07-31T18:00:00.1234567Z"),
            EdmType::Double => double(text).map(Value::Double).ok_or("a number, NaN, Infinity or -Infinity"),
            EdmType::Guid => Some(text)
                .filter(|text| text.len() == 36)
                .and_then(|text| Uuid::try_parse(text).ok())
                .map(Value::Guid)
                .ok_or("a Guid such as a455c695-df98-5678-aaaa-81d3367e5a34"),
            EdmType::Int32 => {
                text.parse().map(Value::Int32).map_err(|_| "an integer from -2147483648 to 2147483647")
            }
            EdmType::Int64 => text
                .parse()
                .map(Value::Int64)
                .map_err(|_| "an integer from -9223372036854775808 to 9223372036854775807"),
            _ => Err("a known type"),
        };
        value.map(Some).map_err(|expected| format!("expected {expected} for {}", type_name(kind)))
    }
}

/// Encodes an original value for a hidden field, which no browser changes. An absent property is an empty text.
pub(super) fn encode(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => format!("{}:{}", Kind::Escaped.name(), escaped(text)),
        Some(value) => format!("{}:{}", type_name(value.edm_type()), exact(value.as_ref())),
    }
}

/// Decodes an original value.
pub(super) fn decode(text: &str) -> Result<Option<Value>, String> {
    let Some((kind, text)) = text.split_once(':') else {
        return if text.is_empty() { Ok(None) } else { Err("expected a type".to_owned()) };
    };
    let kind = Kind::of_name(kind).filter(|kind| !matches!(kind, Kind::Absent | Kind::Stored));
    kind.ok_or("expected a type")?.parse(text)
}

/// Parses a double. A number that is too large is not infinity.
fn double(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        text => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// Parses hex digits, between which there may be spaces.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| u8::try_from(high << 4 | low).ok()).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            character if is_invisible(character) => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
            }
            character => escaped.push(character),
        }
    }
    escaped
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        plain.push_str(before);
        let (character, after) = escape(behind).ok_or(
            "expected \\\\, \\n, \\r, \\t or \\u{…} with the number of a character after a backslash",
        )?;
        plain.push(character);
        rest = after;
    }
    plain.push_str(rest);
    Ok(plain)
}

/// Parses an escape after its backslash. Returns the character and the remaining string.
fn escape(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let character = match characters.next()? {
        '\\' => '\\',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let (number, rest) = characters.as_str().strip_prefix('{')?.split_once('}')?;
            return Some((char::from_u32(u32::from_str_radix(number, 16).ok()?)?, rest));
        }
        _ => return None,
    };
    Some((character, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_a_form() {
        let time: Timestamp = "1601-01-01T00:00:00.0000001Z".parse().unwrap();
        let hostile: String = (0..0x300)
            .filter_map(char::from_u32)
            .chain("\u{202e}\u{feff}\u{fffe}😀\\n\\u{1}".chars())
            .collect();
        for value in [
            Value::from(i32::MIN),
            Value::from(i64::MIN),
            Value::from(i64::MAX),
            Value::from((1_i64 << 53) + 1),
            Value::from(1.0),
            Value::from(-0.0),
            Value::from(f64::NAN),
            Value::from(f64::INFINITY),
            Value::from(f64::NEG_INFINITY),
            Value::from(f64::MIN_POSITIVE / 4.0),
            Value::from(0.1 + 0.2),
            Value::from(true),
            Value::from(time),
            Value::from(Uuid::from_u128(7)),
            Value::from(Vec::new()),
            Value::from(vec![0, 1, 255]),
            Value::from(""),
            Value::from(" a\\b\t\nc "),
            Value::from("a\rb\r\nc\0"),
            Value::from(hostile),
        ] {
            let (kind, text) = Kind::of(&value);
            // A browser sends CR LF for each line end.
            let sent = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
            assert_eq!(kind.parse(&sent), Ok(Some(value.clone())), "{text}");
            assert_eq!(Kind::of_name(kind.name()), Some(kind));
            let encoded = encode(Some(&value));
            assert!(!encoded.contains(is_invisible), "{encoded}");
            assert_eq!(decode(&encoded), Ok(Some(value)));
        }
        assert_eq!(decode(&encode(None)), Ok(None));
    }

    #[test]
    fn what_is_not_a_value_is_rejected() {
        for (kind, texts) in [
            (EdmType::Int32, ["2147483648", "1.0"]),
            (EdmType::Int64, ["9223372036854775808", "0x1"]),
            (EdmType::Double, ["1e999", "inf"]),
            (EdmType::Boolean, ["True", ""]),
            (EdmType::DateTime, ["2014-02-30", "now"]),
            (EdmType::Guid, ["a455c695df985678aaaa81d3367e5a34", "x"]),
            (EdmType::Binary, ["0", "0g"]),
        ] {
            for text in texts {
                let error = Kind::Typed(kind).parse(text).unwrap_err();
                assert!(error.starts_with("expected "), "{text}: {error}");
            }
        }
        for text in ["\\", "\\x", "\\u{110000}", "\\u{", "\\u0041"] {
            assert!(Kind::Escaped.parse(text).is_err(), "{text}");
        }
        for text in ["Int32", "Int32:x", "Decimal:1", ":"] {
            assert!(decode(text).is_err(), "{text}");
        }
        assert_eq!(Kind::Typed(EdmType::Binary).parse(" 00 FF "), Ok(Some(Value::from(vec![0, 255]))));
        assert_eq!(Kind::Typed(EdmType::Double).parse("1"), Ok(Some(Value::from(1.0))));
    }
}
