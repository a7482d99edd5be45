//! Serializes values as strings, by `Display` and `FromStr`.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use serde::{Deserialize, Deserializer, Serializer, de::Error};

pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

pub(crate) fn deserialize<'d, T: FromStr<Err: Display>, D: Deserializer<'d>>(from: D) -> Result<T, D::Error> {
    Cow::<str>::deserialize(from)?.parse().map_err(D::Error::custom)
}
