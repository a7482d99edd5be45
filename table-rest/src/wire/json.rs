//! JSON objects in raw form: members in order, duplicates included, values unchanged.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use table_model::TableError;

use super::value::malformed;

/// A value of a flat object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'de> {
    Null,
    Boolean(bool),
    /// The unparsed number, to distinguish an integer from `4.0`.
    Number(&'de str),
    Text(Cow<'de, str>),
    /// An object or an array, not parsed.
    Nested,
}

impl<'de> Json<'de> {
    /// Reads one value.
    #[cfg(test)]
    pub(super) fn of(text: &'de str) -> Result<Self, TableError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|_| malformed())?;
        Self::of_raw(raw)
    }

    pub(super) fn of_raw(raw: &'de RawValue) -> Result<Self, TableError> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'n') => Ok(Self::Null),
            Some(b't') => Ok(Self::Boolean(true)),
            Some(b'f') => Ok(Self::Boolean(false)),
            Some(b'{' | b'[') => Ok(Self::Nested),
            Some(b'"') => {
                let inner =
                    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or_else(malformed)?;
                if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
                    return Ok(Self::Text(Cow::Borrowed(inner)));
                }
                serde_json::from_str(text).map(|text| Self::Text(Cow::Owned(text))).map_err(|_| malformed())
            }
            _ => Ok(Self::Number(text)),
        }
    }
}

/// Returns a body as a string, without the byte order mark.
pub(super) fn text_of(body: &[u8]) -> Result<&str, TableError> {
    let text = std::str::from_utf8(body).map_err(|_| malformed())?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The members of an object.
#[derive(Debug, Default)]
pub(super) struct Members<'de> {
    pub(super) list: Vec<(Cow<'de, str>, &'de RawValue)>,
    /// `true` if further members were skipped.
    pub(super) is_cut: bool,
}

impl<'de> Members<'de> {
    /// Maximum number of members of an object: more than any entity has, annotations included.
    const MOST: usize = 1024;

    /// Reads an object. A leading byte order mark is skipped.
    pub(super) fn of(body: &'de [u8]) -> Result<Self, TableError> {
        serde_json::from_str(text_of(body)?).map_err(|_| malformed())
    }

    pub(super) fn get(&self, name: &str) -> Option<&'de RawValue> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Members::default();
                while let Some((Name(name), value)) = map.next_entry()? {
                    if members.list.len() < Members::MOST {
                        members.list.push((name, value));
                    } else {
                        members.is_cut = true;
                    }
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// The name of a member, borrowed if it contains no escapes.
pub(super) struct Name<'de>(pub(super) Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Text)
    }
}
