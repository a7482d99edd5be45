//! Rows of lists in an upgrade.
//!
//! A row of a list contains only keys, so every version reads and writes it alike, and a write of an entity that remains
//! in a list does not change it. Its `EntityType` is that of the program that wrote it last. An upgrade sets it to the
//! newest one, because a version is retired when no row has it.

use table_model::{Condition, Operation, Properties, RowRef, TableName};

use super::sweep::Sort;
use crate::{
    Address, Error, Tables,
    core::{
        entity_types::EntityInfo,
        proof::{is_derived_list, is_derived_row},
        reserved::ENTITY_TYPE,
        rule::Rule,
        table::{table_named, table_of},
        versions::is_same_version,
    },
    design::{Design, Index},
    write::at,
};

/// Returns the table of the entities, then those of their lists.
pub(super) fn tables_with_lists(design: &'static Design) -> Result<Vec<TableName>, Error> {
    let lists = design.indexes.iter().filter(|index| has_list_rows(index));
    [table_of(design)].into_iter().chain(lists.map(|index| table_named(index.table))).collect()
}

/// Returns the operation that sets the newest `EntityType`, if the row is an older list row or member row. It keeps the
/// token of the row, by which a writer recognizes its transaction.
pub(super) fn to_newest(
    tables: &Tables,
    kind: EntityInfo,
    address: &Address,
    row: RowRef<'_>,
) -> Option<Operation> {
    let newest = kind.newest().entity_type.filter(|_| kind.is_older(row))?;
    if !is_of_list(tables, kind, address, row) {
        return None;
    }
    let mut properties = Properties::with_capacity(1);
    properties.push_new(ENTITY_TYPE, newest);
    let condition = Condition::Matches(row.etag.clone());
    Some(at(address.clone(), properties, |entity| Operation::Merge(entity, condition)))
}

fn is_of_list(tables: &Tables, kind: EntityInfo, address: &Address, row: RowRef<'_>) -> bool {
    let indexes = kind.newest().indexes;
    if !indexes.iter().any(has_list_rows) {
        return false;
    }
    // The list of a lookup that only an older version has ends with the last entity of that version.
    let of = |rule: Rule| rule.index().filter(|index| has_list_rows(index));
    let of = |rule: Rule| of(rule).filter(|_| is_same_version(rule.design(), kind.newest()));
    match Sort::of(kind, tables.source(&address.table), row) {
        Sort::Row(rule) => of(rule).is_some_and(|index| is_derived_row(index, row)),
        Sort::List(rule) => of(rule).is_some_and(|index| is_derived_list(index, row)),
        _ => false,
    }
}

/// Returns whether an index is a lookup with rows that a write of a member may leave as they are. Without lists, the
/// rows in the partition of an entity are written together with it.
fn has_list_rows(index: &Index) -> bool {
    index.lookup.is_some() && !index.in_blobs() && !(index.near && index.ids().is_none())
}
