//! Catalog of tables: one record per name in the file, and an in-memory map of the existing tables for readers.

mod names;

pub(crate) use names::Names;

use std::ops::ControlFlow;

use table_model::{StorageFault, TableName};

use crate::{
    checksum,
    engine::{Read, Write},
    free_name::free_name,
    keys::TableId,
};

/// Record of one table name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableRow {
    pub(crate) id: TableId,
    /// Name in the case in which the table was created.
    pub(crate) name: TableName,
    pub(crate) state: TableState,
}

/// State of a table name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableState {
    /// The table exists.
    Live,
    /// The table is deleted and its entities are still being removed. The name is available: a new table of this name
    /// moves the record to another name.
    Deleted,
}

/// Reads the record of a name, if it exists.
pub(crate) fn find(read: &dyn Read, name: &TableName) -> Result<Option<TableRow>, StorageFault> {
    let key = row_key(name);
    let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
    decode(&body).map(Some).ok_or_else(|| checksum::damaged(&key, "its layout is invalid"))
}

/// Reads all records, in name order.
pub(crate) fn all(read: &dyn Read) -> Result<Vec<TableRow>, StorageFault> {
    let mut rows = Vec::new();
    let mut fault = None;
    read.scan(&TableId::CATALOG.prefix(), &TableId::CATALOG.end(), &mut |key, record| {
        let row = checksum::unseal(key, record)
            .and_then(|body| decode(body).ok_or_else(|| checksum::damaged(key, "its layout is invalid")));
        match row {
            Ok(row) => rows.push(row),
            Err(damage) => {
                fault = Some(damage);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    fault.map_or(Ok(rows), Err)
}

/// Writes the record of a name.
pub(crate) fn put(write: &mut dyn Write, row: &TableRow) -> Result<(), StorageFault> {
    let state = match row.state {
        TableState::Live => 1_u8,
        TableState::Deleted => 2,
    };
    let body = [&[state], &row.id.0.to_le_bytes()[..], row.name.as_str().as_bytes()].concat();
    checksum::put(write, &row_key(&row.name), &body)
}

/// Returns the record of a deleted table under another name, so that its name is available.
pub(crate) fn moved(read: &dyn Read, row: &TableRow) -> Result<TableRow, StorageFault> {
    let id = row.id.0;
    let name = free_name(
        |number| {
            TableName::new(match number {
                0 => format!("Deleted{id}"),
                _ => format!("Deleted{id}x{number}"),
            })
        },
        |name| Ok(find(read, name)?.is_some()),
    )?;
    Ok(TableRow { name, ..row.clone() })
}

/// Removes the record of a deleted table without entities. An earlier step may have removed it in a commit that returned
/// an error.
pub(crate) fn remove_deleted(write: &mut dyn Write, row: &TableRow) -> Result<(), StorageFault> {
    if find(write, &row.name)?.as_ref() == Some(row) { write.remove(&row_key(&row.name)) } else { Ok(()) }
}

pub(crate) fn row_key(name: &TableName) -> Vec<u8> {
    TableId::CATALOG.key(name.folded().as_bytes())
}

pub(crate) fn decode(body: &[u8]) -> Option<TableRow> {
    let (state, rest) = body.split_first()?;
    let (id, name) = rest.split_at_checked(4)?;
    Some(TableRow {
        id: TableId(u32::from_le_bytes(id.try_into().ok()?)),
        name: TableName::new(std::str::from_utf8(name).ok()?).ok()?,
        state: match state {
            1 => TableState::Live,
            2 => TableState::Deleted,
            _ => return None,
        },
    })
}
