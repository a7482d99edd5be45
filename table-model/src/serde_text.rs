//! Times and ETags as strings in serde formats.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{ETag, Timestamp};

/// Reads a string, also a borrowed one, and parses it.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($(#[$doc:meta])* $type:ty),*) => {
        $(
            $(#[$doc])*
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(Text(PhantomData))
                }
            }
        )*
    };
}

as_text!(
    /// Serializes as a string like `2014-07-31T18:00:00.25Z`.
    Timestamp,
    /// Serializes as the string that is sent in the header `ETag`.
    ETag
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_etags_round_trip() {
        let at: Timestamp = "2014-07-31T18:00:00.0000001Z".parse().unwrap();
        for etag in [ETag::from(at), "W/\"of Azurite\"".replace(' ', "-").parse().unwrap()] {
            let json = serde_json::to_string(&(at, &etag)).unwrap();
            assert_eq!(serde_json::from_str::<(Timestamp, ETag)>(&json).unwrap(), (at, etag.clone()));
            let value = serde_json::to_value(&etag).unwrap();
            assert_eq!(value, serde_json::Value::from(etag.to_string()));
        }
        assert_eq!(serde_json::to_string(&at).unwrap(), "\"2014-07-31T18:00:00.0000001Z\"");
    }

    #[test]
    fn invalid_strings_are_rejected() {
        let error = serde_json::from_str::<Timestamp>("\"yesterday\"").unwrap_err().to_string();
        assert!(error.contains("`yesterday` is not a valid time"), "{error}");
        assert!(serde_json::from_str::<ETag>("\"*\"").is_err());
        assert!(serde_json::from_str::<Timestamp>("7").is_err());
    }
}
