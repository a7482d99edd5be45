//! Proof that a row is derived from an entity, and is no entity.
//!
//! Keys and `EntityType` prove nothing: an entity that was stored with another key can have those of an index. A row in
//! the partition of its entity therefore has the token of a derived row, and a row in another partition names its
//! entity. No row of an entity has either. A row without the proof may be an entity, so no job changes or deletes it.

use table_model::{RowRef, ValueRef};

use crate::{
    core::{
        cross_partition_row::{LIVE, SOURCE, STATE, STUB},
        list::SPILLED,
        reserved::{ENTITY_TYPE, TRANSACTION, is_derived_token},
    },
    design::Index,
};

/// Returns whether a row was written as a row of an index or a lookup, or as a contribution.
pub(crate) fn is_derived(row: RowRef<'_>) -> bool {
    row.properties.get(SOURCE).is_some() || text(row, TRANSACTION).is_some_and(is_derived_token)
}

/// Returns whether a row at a key of an index or of a lookup was written as such a row.
pub(crate) fn is_derived_row(index: &Index, row: RowRef<'_>) -> bool {
    if index.near {
        return text(row, TRANSACTION).is_some_and(is_derived_token);
    }
    text(row, STATE).is_some() && row.properties.get(SOURCE).is_some()
}

/// Returns whether a row at a key of a list was written as a list.
pub(crate) fn is_derived_list(index: &Index, row: RowRef<'_>) -> bool {
    if index.near {
        return text(row, TRANSACTION).is_some_and(is_derived_token);
    }
    // A list in another partition names its members. It contains nothing else.
    let is_of_list = |name: &str| {
        [STATE, SPILLED, ENTITY_TYPE].contains(&name) || index.ids().is_some_and(|ids| ids == name)
    };
    text(row, STATE).is_some_and(|state| [LIVE, STUB].contains(&state))
        && row.properties.iter().all(|(name, _)| is_of_list(name))
}

fn text<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}
