//! Serde of key types. Generated code finds the traits here, so that a crate with entities need not depend on serde.

use table_schema::static_design::Design;

use crate::{EntityKey, TableEntity, core::row::parse_key};

pub use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A key as its two strings.
#[derive(Serialize, Deserialize)]
struct Keys {
    partition_key: String,
    row_key: String,
}

/// Implements serde for a key type.
#[doc(hidden)]
#[macro_export]
macro_rules! __key_serde {
    ($key:ty) => {
        impl $crate::__private::serde::Serialize for $key {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::serde::write_key(self, serializer)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $key {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::__private::serde::read_key(deserializer)
            }
        }
    };
}

/// Serializes a key as its two strings.
///
/// # Errors
/// Returns an error if a value cannot be part of a key.
pub fn write_key<K: EntityKey, S: Serializer>(key: &K, serializer: S) -> Result<S::Ok, S::Error> {
    let address = key.address().map_err(::serde::ser::Error::custom)?;
    Keys { partition_key: address.partition_key, row_key: address.row_key }.serialize(serializer)
}

/// Deserializes a key from its two strings.
///
/// # Errors
/// Returns an error if the strings do not match the key templates of the entity.
pub fn read_key<'de, K: EntityKey, D: Deserializer<'de>>(deserializer: D) -> Result<K, D::Error> {
    let Keys { partition_key, row_key } = Keys::deserialize(deserializer)?;
    parse_key::<K>(&partition_key, &row_key).ok_or_else(|| {
        let Design { name, partition, row, .. } = <K::Entity as TableEntity>::DESIGN;
        ::serde::de::Error::custom(format!(
            "{partition_key:?}, {row_key:?} is not a key of `{name}`; expected `{}`, `{}`",
            partition.text, row.text
        ))
    })
}
