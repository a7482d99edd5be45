//! Items that generated code uses. Not a public interface: it changes with the derive.

pub use table_model::{EdmType, Name, Properties, RowRef, Timestamp, Value};
pub use table_schema::{
    key::KeyKind,
    role::Role,
    template::{DateFormat, DateUnit, KeyForm, OrdNumber, Part, Shape},
};

pub use crate::{
    core::{
        borrowed::{BorrowRow, BorrowedEntity},
        derived::{CopyReader, DerivedRows, IndexRowError},
        entity::{AllowTableScan, EntityKey, NotEncrypted, TableEntity},
        entity_stamps::Stamps,
        error::{DecodeError, property::PropertyError, validated},
        field::{Field, Json, KeyField, Large},
        joined_names::{JoinedNames, are_short},
        key::{KeyReader, part},
        patch::{
            IntoMerge, Merge, Patch, PatchState, PatchesAggregate, PatchesCondition, PatchesIndexKey,
            PatchesKey, PatchesStamp, PatchesStored,
        },
        properties::{Reader, Writer},
        source::{AccessPath, Source},
        spec::Spec,
    },
    design::{
        Aggregate, BlobProperty, Changes, Contribution, Declaration, Design, Index, Lookup, NestedProperty,
        Property, Shard, StoredType, Template, Total, TypedField, ValueKind,
    },
    pattern::{
        aggregate::target_entity::{ContributionValues, Parts, TargetEntity, part_of, part_of_option},
        copied::fields::{Fed, OneValue, take_one},
        expiry::{is_time, set_time, time_of},
        flatten::{FieldsAt, NestedIn, NotNested, PatchedFields, PropertyNames, name_at},
        public::*,
        series::names as slots,
    },
};

#[cfg(feature = "serde")]
#[path = "private/serde.rs"]
pub mod serde;

/// The standard library and the facade in one module. At the location of generated code, these names may have other
/// meanings.
pub use names::*;
#[path = "private/names.rs"]
mod names;

/// Parts of the declaration of a design.
pub mod declared {
    pub use table_schema::{
        design::{
            ArchiveDesign, BlobDesign, ChangesDesign, ContributionDesign, CopiedFields, EntityTypeRule,
            FieldDesign, FieldKind, IndexDesign, LookupDesign, LookupPlace, Series, Shard, Stamp,
        },
        language::{Size, SizeUnit, Span, SpanUnit},
        role::Role,
    };

    pub use crate::core::declared::{field, template, text, texts};
}

/// Values of template fields.
pub mod hole {
    pub use crate::core::key::value::{FieldValue, flag, id, num, str, text, time};
}

/// Readers of properties with a default function.
pub mod default {
    pub use crate::core::field::{json_or, value_or};
}

/// Addresses, keys and rows of an entity.
pub mod row {
    use crate::TableEntity;
    pub use crate::core::{
        borrowed::lend,
        entity_types::EntityInfo,
        row::{address, address_by, decode, decode_older, entity_type, is_written_as, parse_key},
    };

    /// Returns the description of an entity type.
    pub const fn version<E: TableEntity>() -> EntityInfo {
        EntityInfo::of::<E>()
    }
}

/// Parts of an index row type.
pub mod copy {
    pub use crate::pattern::copied::read;
}

/// Parts of a projection's `FromRow`.
pub mod projection {
    pub use crate::core::projection::{check_row, from_row, select, select_keys};
}

/// Parts of a union.
pub mod union {
    pub use crate::{
        core::union::{is_kind, keys_of, none_of},
        query::union::rows,
    };
}

/// Equality, order, hash, display and serde of a key type, by its encoded keys.
#[doc(hidden)]
#[macro_export]
macro_rules! __key_traits {
    ($key:ty) => {
        $crate::__key_serde!($key);

        impl ::core::cmp::PartialEq for $key {
            fn eq(&self, other: &Self) -> bool {
                $crate::__private::compare_keys(self, other) == ::core::cmp::Ordering::Equal
            }
        }

        impl ::core::cmp::Eq for $key {}

        impl ::core::cmp::PartialOrd for $key {
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl ::core::cmp::Ord for $key {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                $crate::__private::compare_keys(self, other)
            }
        }

        impl ::core::hash::Hash for $key {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                ::core::hash::Hash::hash(&$crate::__private::key_texts(self), state);
            }
        }

        impl ::core::fmt::Display for $key {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::__private::display_key(self, f)
            }
        }
    };
}

/// Serde of a key type. The feature is that of the facade, so the macro has two forms.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __key_serde {
    ($key:ty) => {};
}

/// Returns the partition key and row key of a key. For a key that cannot be encoded, returns the error, so that the key
/// equals only itself.
pub fn key_texts<K: EntityKey>(key: &K) -> (String, String) {
    match key.address() {
        Ok(address) => (address.partition_key, address.row_key),
        Err(error) => (String::new(), error.to_string()),
    }
}

/// Compares keys in the sort order of the service.
pub fn compare_keys<K: EntityKey>(left: &K, right: &K) -> std::cmp::Ordering {
    use table_model::key::compare;

    let (left, right) = (key_texts(left), key_texts(right));
    compare(&left.0, &right.0).then_with(|| compare(&left.1, &right.1))
}

/// Formats a key as its address.
///
/// # Errors
/// Returns the error of the formatter.
pub fn display_key<K: EntityKey>(key: &K, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    match key.address() {
        Ok(address) => std::fmt::Display::fmt(&address, f),
        Err(error) => write!(f, "{error}"),
    }
}

/// Returns whether two designs have the same table. Unions check this at compile time.
pub const fn same_table(left: &Design, right: &Design) -> bool {
    let (left, right) = (left.table.as_bytes(), right.table.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        #[expect(clippy::indexing_slicing, reason = "below both lengths; `get` is not const")]
        if !left[index].eq_ignore_ascii_case(&right[index]) {
            return false;
        }
        index += 1;
    }
    true
}
