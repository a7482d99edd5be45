//! List of the rows of all tables whose RowKeys start with `!o_` or `!x_`: unapplied commit records of cross-partition
//! writes, and dead-lettered ones. Workers find them here without reading the tables.
//!
//! An abort record is stored under the key of its commit record (`_k` is `a`). No worker has to apply it and it is
//! retained for days, so it is not listed.
//!
//! An entry consists of a key only: the id of the list, the letter, and the key of the row.

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault, ValueRef,
    service::{OutboxKind, OutboxRow},
};

use crate::{
    core::Core,
    engine::{self, Read, Write},
    keys::{self, TableId},
    record::Record,
    seal,
};

/// Returns the letter of a row that belongs to the list. `key` is the key of an entity.
fn letter(key: &[u8]) -> Option<u8> {
    // The RowKey starts after the first zero byte that follows the table id.
    let texts = key.get(4..)?;
    let end = texts.iter().position(|byte| *byte == 0)?;
    match texts.get(end + 1..)? {
        [b'!', letter @ (b'o' | b'x'), b'_', ..] => Some(*letter),
        _ => None,
    }
}

fn entry(letter: u8, key: &[u8]) -> Vec<u8> {
    [&TableId::FEED.prefix()[..], &[letter], key].concat()
}

fn is_marker(key: &[u8], record: &[u8]) -> Result<bool, StorageFault> {
    let kind = Record::new(key, record)?.properties().get("_k");
    Ok(kind == Some(ValueRef::String("a")))
}

/// Records that a row was written.
pub(crate) fn put(write: &mut dyn Write, key: &[u8], record: &[u8]) -> Result<(), StorageFault> {
    let Some(letter) = letter(key) else { return Ok(()) };
    let entry = entry(letter, key);
    if is_marker(key, record)? { write.remove(&entry) } else { seal::put(write, &entry, &[]) }
}

/// Records that a row was removed.
pub(crate) fn remove(write: &mut dyn Write, key: &[u8]) -> Result<(), StorageFault> {
    letter(key).map_or(Ok(()), |letter| write.remove(&entry(letter, key)))
}

/// Returns rows with a letter, ordered by table id and key, starting after the given row.
pub(crate) fn list_outbox(
    core: &Core,
    which: OutboxKind,
    after: Option<&OutboxRow>,
    most: usize,
) -> Result<Vec<OutboxRow>> {
    let letter = match which {
        OutboxKind::Commits => b'o',
        OutboxKind::DeadLetters => b'x',
    };
    let first = match after {
        None => entry(letter, &[]),
        Some(row) => {
            let mut first =
                entry(letter, &core.names.find(&row.table)?.entity_key(&row.partition_key, &row.row_key));
            first.push(0);
            first
        }
    };
    let end = entry(letter + 1, &[]);
    engine::view(&*core.engine, |read| collect(core, read, &first, &end, most))
}

fn collect(core: &Core, read: &dyn Read, first: &[u8], end: &[u8], most: usize) -> Result<Vec<OutboxRow>> {
    let (mut rows, mut fault) = (Vec::new(), None);
    read.scan_whole(first, end, &mut |entry, record| {
        if let Err(damage) = seal::unseal(entry, record) {
            fault = Some(damage);
            return ControlFlow::Break(());
        }
        let Some((_, key)) = entry.split_at_checked(5) else { return ControlFlow::Continue(()) };
        let id = key.first_chunk().map(|id| TableId(u32::from_be_bytes(*id)));
        // A table that is being swept has no rows.
        let table = id.and_then(|id| core.names.name_of(id));
        if let (Some(table), Some((partition_key, row_key))) = (table, keys::split(key)) {
            let (partition_key, row_key) = (partition_key.into_owned(), row_key.into_owned());
            rows.push(OutboxRow { table, partition_key, row_key });
        }
        if rows.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    fault.map_or(Ok(rows), |fault| Err(fault.into()))
}
