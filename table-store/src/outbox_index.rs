//! Index of the outbox: the rows of all tables that contain unapplied or dead-lettered commit records of
//! cross-partition writes. Workers find them here without reading the tables. `docs/decisions/outbox-index.md` states
//! why the store recognizes them by their keys.
//!
//! An abort record is stored under the key of its commit record. No worker has to apply it and it is retained for days,
//! so it is not listed.
//!
//! An entry consists of a key only: the id of the index, the tag of the kind, and the key of the row.

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault,
    outbox::{OutboxKind, OutboxRow, is_abort_record},
};

use crate::{
    checksum,
    core::Core,
    engine::{self, Read, Write},
    keys::{self, TableId},
    record::Record,
};

/// Returns the kind of a row of the outbox. `key` is the key of an entity.
fn kind(key: &[u8]) -> Option<OutboxKind> {
    // The RowKey starts after the first zero byte that follows the table id.
    let texts = key.get(4..)?;
    let end = texts.iter().position(|byte| *byte == 0)?;
    OutboxKind::of(texts.get(end + 1..)?)
}

fn entry(tag: u8, key: &[u8]) -> Vec<u8> {
    [&TableId::OUTBOX.prefix()[..], &[tag], key].concat()
}

/// Records that a row was written.
pub(crate) fn put(write: &mut dyn Write, key: &[u8], record: &[u8]) -> Result<(), StorageFault> {
    let Some(kind) = kind(key) else { return Ok(()) };
    let entry = entry(kind.tag(), key);
    let is_listed = !is_abort_record(Record::new(key, record)?.properties());
    if is_listed { checksum::put(write, &entry, &[]) } else { write.remove(&entry) }
}

/// Records that a row was removed.
pub(crate) fn remove(write: &mut dyn Write, key: &[u8]) -> Result<(), StorageFault> {
    kind(key).map_or(Ok(()), |kind| write.remove(&entry(kind.tag(), key)))
}

/// Returns rows of a kind, ordered by table id and key, starting after the given row.
pub(crate) fn list(
    core: &Core,
    which: OutboxKind,
    after: Option<&OutboxRow>,
    most: usize,
) -> Result<Vec<OutboxRow>> {
    let tag = which.tag();
    let first = match after {
        None => entry(tag, &[]),
        Some(row) => {
            let mut first =
                entry(tag, &core.names.find(&row.table)?.entity_key(&row.partition_key, &row.row_key));
            first.push(0);
            first
        }
    };
    let end = entry(tag + 1, &[]);
    engine::view(&*core.engine, |read| collect(core, read, &first, &end, most))
}

fn collect(core: &Core, read: &dyn Read, first: &[u8], end: &[u8], most: usize) -> Result<Vec<OutboxRow>> {
    let (mut rows, mut fault) = (Vec::new(), None);
    read.scan_whole(first, end, &mut |entry, record| {
        if let Err(damage) = checksum::unseal(entry, record) {
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
