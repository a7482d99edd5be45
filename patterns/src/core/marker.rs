//! The marker that a move to another key leaves at the old key of an entity.

use table_model::{RowRef, ValueRef};

use crate::{
    Address,
    core::{
        cross_partition_row::{SHOWN, parse_source},
        reserved::{MOVED, entity_type},
    },
};

/// Property with the new address.
pub(crate) const TO: &str = "_to";

/// A marker at an old key.
#[derive(Clone, Debug)]
pub(crate) struct Marker {
    pub(crate) to: Address,
    /// `ETag` of the row that it replaced. `None` for a claim, which replaced none.
    pub(crate) replaced: Option<String>,
}

/// Returns the marker in a row, if it is one.
pub(crate) fn marker_of(row: RowRef<'_>) -> Option<Marker> {
    if entity_type(row) != Some(MOVED) {
        return None;
    }
    let text = |name| match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    };
    let to = parse_source(text(TO)?)?;
    Some(Marker { to, replaced: text(SHOWN).map(str::to_owned) })
}
