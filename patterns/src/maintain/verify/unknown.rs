//! Rows of an entity type that no declared key form explains: rows of an index that the program does not know, and
//! entities with other keys.

use table_model::{RowRef, TableName, ValueRef};

use crate::{
    Tables,
    core::{
        cross_partition_row::is_left_by_move,
        entity_types::EntityInfo,
        reserved::{TRANSACTION, entity_type, is_derived_token},
        row::is_list,
    },
    design::{Design, Index, Template},
};

/// Returns `true` if a row has the type of an entity, and no version of it and no other type of the handle declares such
/// keys. Without a stored type, only a row that was written as an index row is known to belong to an entity.
pub(crate) fn is_unknown(tables: &Tables, kind: EntityInfo, table: &TableName, row: RowRef<'_>) -> bool {
    let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key) else { return false };
    let is_own = match (kind.newest().entity_type, entity_type(row)) {
        (Some(_), Some(written)) => kind.reads(written),
        (None, None) => is_marked(row) && kind.newest().partition.form.decode(partition_key).is_ok(),
        _ => false,
    };
    if !is_own || row_key.starts_with('!') || is_left_by_move(row) {
        return false;
    }
    let is_declared = |design: &'static Design| {
        let mut versions = std::iter::successors(Some(design), |design| design.older);
        versions.any(|design| declares(design, table, (partition_key, row_key)))
    };
    let is_skipped = kind.skipped().iter().any(|index| is_row_of(index, table, (partition_key, row_key)));
    !is_skipped
        && !is_declared(kind.newest())
        && !tables.kinds().designs_like(kind.newest()).into_iter().any(is_declared)
}

fn is_marked(row: RowRef<'_>) -> bool {
    matches!(row.properties.get(TRANSACTION), Some(ValueRef::String(token)) if is_derived_token(token))
}

/// Returns whether a design declares rows with these keys.
fn declares(design: &Design, table: &TableName, (partition_key, row_key): (&str, &str)) -> bool {
    let is_own = || fits(partition_key, &design.partition) && fits(row_key, &design.row);
    table.as_str().eq_ignore_ascii_case(design.table) && is_own()
        || design.indexes.iter().any(|index| is_row_of(index, table, (partition_key, row_key)))
}

/// Returns whether a row with these keys can be a row of an index.
fn is_row_of(index: &Index, table: &TableName, (partition_key, row_key): (&str, &str)) -> bool {
    table.as_str().eq_ignore_ascii_case(index.table)
        && !index.in_blobs()
        && fits(partition_key, &index.partition)
        && (fits(row_key, &index.row) || is_list(index, row_key))
}

fn fits(key: &str, template: &Template) -> bool {
    template.form.decode(key).is_ok()
}
