//! The record with the position of a store in its kept log.

use table_model::StorageFault;

use super::segment::Position;
use crate::{
    checksum,
    engine::{Read, Write},
    keys::TableId,
    meta,
};

pub(crate) fn read(read: &dyn Read) -> Result<Option<Position>, StorageFault> {
    let key = TableId::META.key(meta::KEPT_LOG);
    let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
    let position = body.first_chunk().and_then(Position::decode);
    position.map(Some).ok_or_else(|| checksum::damaged(&key, "its length is invalid"))
}

pub(super) fn write(write: &mut dyn Write, position: &Position) -> Result<(), StorageFault> {
    checksum::put(write, &TableId::META.key(meta::KEPT_LOG), &position.encode())
}

pub(super) fn remove(write: &mut dyn Write) -> Result<(), StorageFault> {
    write.remove(&TableId::META.key(meta::KEPT_LOG))
}
