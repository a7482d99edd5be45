use std::borrow::Cow;

use table_model::{EdmType, Value, key::utf16_units, limits};

use super::{Filterable, TableValue, ValueError, compared_with_itself, mismatch, takes_ref};

/// Checks the length of a string while the property can still be named in the error.
fn text_value(text: &str) -> Result<Value, ValueError> {
    // A UTF-16 unit takes at least one byte, so most strings need no counting.
    if text.len() > limits::STRING_UNITS && utf16_units(text) > limits::STRING_UNITS {
        let (length, limit) = (utf16_units(text), limits::STRING_UNITS);
        return Err(ValueError::TooLong { holder: EdmType::String, length, limit, is_encrypted: false });
    }
    Ok(Value::String(text.to_owned()))
}

fn bytes_value(bytes: &[u8]) -> Result<Value, ValueError> {
    if bytes.len() > limits::BINARY_BYTES {
        let (length, limit) = (bytes.len(), limits::BINARY_BYTES);
        return Err(ValueError::TooLong { holder: EdmType::Binary, length, limit, is_encrypted: false });
    }
    Ok(Value::Binary(bytes.to_vec()))
}

macro_rules! text {
    ($($type:ty),*) => {
        $(
            impl TableValue for $type {
                const TYPE: EdmType = EdmType::String;

                fn to_value(&self) -> Result<Value, ValueError> {
                    text_value(self)
                }

                fn from_value(value: Value) -> Result<Self, ValueError> {
                    match value {
                        Value::String(text) => Ok(text.into()),
                        other => Err(mismatch::<Self>(&other)),
                    }
                }

                takes_ref!(String(text) => Ok(text.to_owned().into()));
            }

            impl Filterable for $type {
                type Literal<'a> = &'a str;

                fn literal(literal: &str) -> Result<Value, ValueError> {
                    text_value(literal)
                }
            }
        )*
    };
}

macro_rules! binary {
    ($($type:ty),*) => {
        $(
            impl TableValue for $type {
                const TYPE: EdmType = EdmType::Binary;

                fn to_value(&self) -> Result<Value, ValueError> {
                    bytes_value(self)
                }

                fn from_value(value: Value) -> Result<Self, ValueError> {
                    match value {
                        Value::Binary(bytes) => Ok(bytes.into()),
                        other => Err(mismatch::<Self>(&other)),
                    }
                }

                takes_ref!(Binary(bytes) => Ok(bytes.into()));
            }

            impl Filterable for $type {
                type Literal<'a> = &'a [u8];

                fn literal(literal: &[u8]) -> Result<Value, ValueError> {
                    bytes_value(literal)
                }
            }
        )*
    };
}

text!(String, Box<str>, Cow<'static, str>);
binary!(Vec<u8>, Box<[u8]>);
compared_with_itself!(char);

impl TableValue for char {
    const TYPE: EdmType = EdmType::String;

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::String(self.to_string()))
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        let text = String::from_value(value)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(ValueError::unreadable(text, "a single character")),
        }
    }
}

impl<const N: usize> TableValue for [u8; N] {
    const TYPE: EdmType = EdmType::Binary;

    fn to_value(&self) -> Result<Value, ValueError> {
        bytes_value(self)
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        let bytes = Vec::from_value(value)?;
        Self::try_from(bytes.as_slice()).map_err(|_| {
            ValueError::out_of_range(
                format!("a value of {} bytes", bytes.len()),
                format!("[u8; {N}] requires {N}"),
            )
        })
    }
}

impl<const N: usize> Filterable for [u8; N] {
    type Literal<'a> = &'a [u8];

    fn literal(literal: &[u8]) -> Result<Value, ValueError> {
        bytes_value(literal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_kinds_come_back() {
        assert_eq!("a".to_owned().to_value(), Ok(Value::from("a")));
        assert_eq!(Box::<str>::from_value(Value::from("a")), Ok("a".into()));
        assert_eq!(Cow::<'static, str>::from_value(Value::from("a")), Ok(Cow::Borrowed("a")));
        assert_eq!(char::from_value('é'.to_value().unwrap()), Ok('é'));
        assert!(char::from_value(Value::from("ab")).is_err());
        assert!(char::from_value(Value::from("")).is_err());
    }

    #[test]
    fn arrays_have_their_length() {
        assert_eq!(<[u8; 2]>::from_value([1, 2].to_value().unwrap()), Ok([1, 2]));
        let error = <[u8; 3]>::from_value(Value::Binary(vec![1, 2])).unwrap_err();
        assert_eq!(error.to_string(), "a value of 2 bytes is out of range: [u8; 3] requires 3");
    }

    #[test]
    fn too_long_is_said_before_anything_is_sent() {
        assert!("é".repeat(32_768).to_value().is_ok());
        let error = "é".repeat(32_769).to_value().unwrap_err();
        assert!(error.to_string().contains("32769 UTF-16 units"), "{error}");
        assert!(vec![0; 65_536].to_value().is_ok());
        assert!(vec![0; 65_537].to_value().is_err());
    }
}
