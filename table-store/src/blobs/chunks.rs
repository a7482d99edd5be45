//! Storage of content in chunks.

use std::ops::ControlFlow;

use table_model::{StorageFault, blob::BlockId, fields::Fields};

use super::{
    place::{self, CHUNKS, Id, LISTS},
    record::Contents,
};
use crate::{
    checksum::{damaged, unseal},
    engine::Read,
};

/// Size of a chunk in bytes, except for the last chunk of each write. With key, checksum and engine overhead, a chunk
/// fits into pages of 128 KiB; the engine allocates powers of two.
pub(super) const CHUNK_BYTES: usize = 127 * 1024;

/// A block of a block list: its position in the content, and the location of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) contents: Id,
    /// Id of the block; `None` in an append blob.
    pub(super) id: Option<BlockId>,
}

impl Listed {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut body = self.contents.0.to_le_bytes().to_vec();
        body.extend_from_slice(&(self.end - self.start).to_le_bytes());
        body.extend_from_slice(self.id.as_ref().map_or(&[], BlockId::as_bytes));
        body
    }

    pub(super) fn decode(end: u64, body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let (contents, length) = (Id(fields.long()?), fields.long()?);
        let start = end.checked_sub(length).filter(|_| length > 0)?;
        let id = fields.rest();
        let id = if id.is_empty() { None } else { Some(BlockId::new(id).ok()?) };
        Some(Self { start, end, contents, id })
    }
}

/// Returns the block of a list that contains the byte at `offset`.
pub(super) fn block_at(read: &dyn Read, list: Id, offset: u64) -> Result<Listed, StorageFault> {
    let at = place::listed(list, offset.saturating_add(1));
    let mut found = None;
    read.scan(&at, &list.end(LISTS), &mut |key, record| {
        found = Some(listed(key, record));
        ControlFlow::Break(())
    })?;
    let found = found.unwrap_or_else(|| Err(damaged(&at, "it is missing")))?;
    if found.start > offset { Err(damaged(&at, "it is missing")) } else { Ok(found) }
}

/// Returns all blocks of a list, in order.
pub(super) fn blocks(read: &dyn Read, list: Id) -> Result<Vec<Listed>, StorageFault> {
    blocks_from(read, list, 0)
}

/// Returns the blocks of a list that end above an offset, in order.
pub(super) fn blocks_from(read: &dyn Read, list: Id, offset: u64) -> Result<Vec<Listed>, StorageFault> {
    let (mut blocks, mut fault) = (Vec::new(), None);
    let (from, to) = (place::listed(list, offset.saturating_add(1)), list.end(LISTS));
    read.scan_whole(&from, &to, &mut |key, record| match listed(key, record) {
        Ok(block) => {
            blocks.push(block);
            ControlFlow::Continue(())
        }
        Err(damage) => {
            fault = Some(damage);
            ControlFlow::Break(())
        }
    })?;
    fault.map_or(Ok(blocks), Err)
}

pub(super) fn listed(key: &[u8], record: &[u8]) -> Result<Listed, StorageFault> {
    let body = unseal(key, record)?;
    let block = place::split_end(key).and_then(|(_, end)| Listed::decode(end, body));
    block.ok_or_else(|| damaged(key, "its layout is invalid"))
}

/// Reads the bytes of `contents` from `offset`, which must exist, to the end of their chunk.
pub(super) fn chunk_at(
    read: &dyn Read,
    contents: Id,
    offset: u64,
    visit: &mut dyn FnMut(&[u8]),
) -> Result<(), StorageFault> {
    let at = place::chunk(contents, offset.saturating_add(1));
    let mut found = None;
    read.scan(&at, &contents.end(CHUNKS), &mut |key, record| {
        found = Some(unseal(key, record).and_then(|body| {
            let start = place::split_end(key).and_then(|(_, end)| end.checked_sub(body.len() as u64));
            let skipped = start.and_then(|start| usize::try_from(offset.checked_sub(start)?).ok());
            let wanted = skipped.and_then(|skipped| body.get(skipped..));
            // A chunk that starts after the offset is a different one.
            let wanted = wanted.ok_or_else(|| damaged(&at, "it is missing"))?;
            visit(wanted);
            Ok(())
        }));
        ControlFlow::Break(())
    })?;
    found.unwrap_or_else(|| Err(damaged(&at, "it is missing")))
}

/// Returns the location of the byte at `offset` of a blob: the id of the content, and its start and end in the blob.
pub(super) fn locate(
    read: &dyn Read,
    contents: Contents,
    offset: u64,
    length: u64,
) -> Result<(Id, u64, u64), StorageFault> {
    match contents {
        Contents::Chunks(id) => Ok((id, 0, length)),
        Contents::List(list) => {
            let block = block_at(read, list, offset)?;
            Ok((block.contents, block.start, block.end))
        }
        Contents::None => {
            Err(StorageFault::Bug { what: "bytes were requested from a blob without content".to_owned() })
        }
    }
}
