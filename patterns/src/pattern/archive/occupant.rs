//! Rows of an archive table that a move does not replace.

use table_model::{RowRef, ValueRef};

use crate::{
    core::{
        cross_partition_row::{SHOWN, STATE},
        reserved::{TRANSACTION, entity_type, is_derived_token},
        row::version_problem,
    },
    design::Design,
};

/// Describes the row at the archive's key of an entity, if it is not an archived row of that entity.
///
/// A row without `EntityType` is the entity only if a move wrote it: another client may have written any other one.
pub(super) fn occupant(design: &Design, entity: RowRef<'_>, archived: RowRef<'_>) -> Option<String> {
    if is_derived(archived) {
        return Some("a row of an index, a lookup or an aggregate".to_owned());
    }
    match entity_type(archived) {
        Some(found) => {
            let is_own = design.reads(found)
                || version_problem(design, found).is_some()
                || entity_type(entity) == Some(found);
            (!is_own).then(|| format!("of the entity type {found:?}"))
        }
        None if archived.properties.get(SHOWN).is_some() => None,
        None => Some("without an EntityType".to_owned()),
    }
}

/// Returns whether a row has the marks of a row that is derived from an entity. No entity has them, and moves do not
/// write them.
fn is_derived(row: RowRef<'_>) -> bool {
    let is_marked = |token| matches!(token, ValueRef::String(token) if is_derived_token(token));
    row.properties.get(STATE).is_some() || row.properties.get(TRANSACTION).is_some_and(is_marked)
}
