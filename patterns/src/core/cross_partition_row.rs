//! Properties with which a row in another partition refers to its entity, and the states of such a row.

use table_model::{Properties, RowRef, TableName, ValueRef};

use crate::{
    Address,
    core::{
        reserved::{MOVED, entity_type},
        versions::Versions,
    },
};

/// Property with the state of a row: `s` empty placeholder, `l` live, `p` reserved, `k` values without their entity.
pub(crate) const STATE: &str = "_st";

/// Property with the address of the entity that a row is derived from.
pub(crate) const SOURCE: &str = "_src";

/// Property with the version of the entity that a row shows.
pub(crate) const SHOWN: &str = "_se";

/// State of a placeholder row: a worker created it to obtain a version, and it contains nothing.
pub(crate) const STUB: &str = "s";

pub(crate) const LIVE: &str = "l";

/// State of an aggregate row without an entity.
pub(crate) const KEEPS: &str = "k";

/// State of a reservation.
pub(crate) const PENDING: &str = "p";

/// Property with the token of the reserving attempt.
pub(crate) const TOKEN: &str = "_tk";

/// Encodes an address as a property: its three parts as JSON.
pub(crate) fn source_text(address: &Address) -> String {
    serde_json::json!([address.table.as_str(), address.partition_key, address.row_key]).to_string()
}

/// Decodes an address from a property.
pub(crate) fn parse_source(text: &str) -> Option<Address> {
    let (table, partition_key, row_key): (String, String, String) = serde_json::from_str(text).ok()?;
    Some(Address { table: TableName::new(table).ok()?, partition_key, row_key })
}

/// Returns whether the row exists without its entity.
pub(crate) fn is_stub(row: RowRef<'_>) -> bool {
    matches!(row.properties.get(STATE), Some(ValueRef::String(KEEPS | STUB)))
}

/// Returns whether the row is what a move left at the old or the new key of an entity. There is no entity in it.
pub(crate) fn is_left_by_move(row: RowRef<'_>) -> bool {
    let is_attached = |name: &str| {
        name.ends_with('!') && matches!(row.properties.get(STATE), Some(ValueRef::String(STUB | PENDING)))
    };
    entity_type(row).is_some_and(|name| name == MOVED || is_attached(name))
}

/// Returns the aggregates stored in a row.
pub(crate) fn kept(versions: Versions, row: RowRef<'_>) -> Properties {
    let mut kept = Properties::new();
    for name in versions.fed_names() {
        if let Some(value) = row.properties.get(name) {
            kept.push_new(name, value.to_value());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_as_a_property() {
        for (partition_key, row_key) in [("Sales", "empid_000001"), ("a\"b", "c]d"), ("", "é")] {
            let table = TableName::new("Employees").unwrap();
            let address = Address { table, partition_key: partition_key.into(), row_key: row_key.into() };
            assert_eq!(parse_source(&source_text(&address)), Some(address));
        }
        assert_eq!(parse_source("[]"), None);
    }
}
