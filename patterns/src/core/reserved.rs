//! Properties that the library stores in the rows of entities.

use table_model::{RowRef, ValueRef};

/// Property that contains the type of a row.
pub(crate) const ENTITY_TYPE: &str = "EntityType";

/// `EntityType` of the marker at the old key of an entity that was moved.
pub(crate) const MOVED: &str = "!moved";

/// Property with the token of the transaction that last wrote a row: on an entity with derived rows, and on the derived
/// rows in its partition.
pub(crate) const TRANSACTION: &str = "_tx";

/// Placeholder for a token until a transaction is sent. It has the length of a token, so that sizes are correct.
pub(crate) const NO_TOKEN: &str = "00000000000000000000000000";

/// Returns the `EntityType` of a row, if it is stored.
pub fn entity_type(row: RowRef<'_>) -> Option<&str> {
    match row.properties.get(ENTITY_TYPE) {
        Some(ValueRef::String(name)) => Some(name),
        _ => None,
    }
}
