//! Where the records of containers and blobs are.
//!
//! What belongs to a blob hangs under ids, so that a blob changes hands by one small record, whatever its size. An id
//! is the time of the write that gave it out: times strictly rise, so no id comes back.

use crate::{
    Timestamp,
    blob::{BlobName, BlockId, ContainerName},
    embedded::keys::TableId,
};

/// The containers, by name.
pub(in crate::embedded) const CONTAINERS: TableId = TableId(8);
/// The blobs: container, then name.
pub(in crate::embedded) const BLOBS: TableId = TableId(9);
/// The bytes of contents: contents, then the offset of the chunk's end. So the chunk that holds a byte is the first one
/// whose end is above it.
pub(in crate::embedded) const CHUNKS: TableId = TableId(10);
/// What contents are made of that were written in blocks: list, then the offset of the block's end.
pub(in crate::embedded) const LISTS: TableId = TableId(11);
/// Blocks that no list has taken up: stage, then the block's id.
pub(in crate::embedded) const STAGED: TableId = TableId(12);
/// Which blob a stage is of.
pub(in crate::embedded) const STAGES: TableId = TableId(13);
/// What is to be removed, or is not known yet to stay.
pub(in crate::embedded) const GARBAGE: TableId = TableId(14);

/// All of them.
pub(in crate::embedded) const SPACES: [TableId; 7] =
    [CONTAINERS, BLOBS, CHUNKS, LISTS, STAGED, STAGES, GARBAGE];

/// What other records hang under: a container, contents, a list, a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::embedded) struct Id(pub(super) u64);

impl Id {
    /// The id that a write at this time gives out. It may give out one of each kind.
    pub(super) fn at(time: Timestamp) -> Self {
        Self(time.ticks().unsigned_abs())
    }

    /// The number itself.
    pub(super) const fn number(self) -> u64 {
        self.0
    }

    /// The time at which it was given out.
    pub(super) fn time(self) -> Option<Timestamp> {
        i64::try_from(self.0).ok().and_then(Timestamp::from_ticks)
    }

    /// What the keys of all under it begin with; also the lowest place there.
    pub(super) fn prefix(self, space: TableId) -> Vec<u8> {
        space.key(&self.0.to_be_bytes())
    }

    /// The place above all of its keys.
    pub(super) fn end(self, space: TableId) -> Vec<u8> {
        self.0.checked_add(1).map_or_else(|| space.end(), |next| space.key(&next.to_be_bytes()))
    }

    fn key(self, space: TableId, rest: &[u8]) -> Vec<u8> {
        [&space.prefix(), &self.0.to_be_bytes()[..], rest].concat()
    }
}

/// A container's record.
pub(super) fn container(name: &ContainerName) -> Vec<u8> {
    CONTAINERS.key(name.as_str().as_bytes())
}

/// A blob's record.
pub(super) fn blob(container: Id, name: &BlobName) -> Vec<u8> {
    container.key(BLOBS, name.as_str().as_bytes())
}

/// A place among the blobs of a container: the first whose name is not below this one.
pub(super) fn blob_place(container: Id, name: &[u8]) -> Vec<u8> {
    container.key(BLOBS, name)
}

/// The chunk of contents that ends at `end`.
pub(super) fn chunk(contents: Id, end: u64) -> Vec<u8> {
    contents.key(CHUNKS, &end.to_be_bytes())
}

/// The block of a list that ends at `end`.
pub(super) fn listed(list: Id, end: u64) -> Vec<u8> {
    list.key(LISTS, &end.to_be_bytes())
}

/// A block that was put.
pub(super) fn staged(stage: Id, block: &BlockId) -> Vec<u8> {
    stage.key(STAGED, block.as_bytes())
}

/// Which blob a stage is of.
pub(super) fn stage(stage: Id) -> Vec<u8> {
    stage.prefix(STAGES)
}

/// The id in a key, and what follows it.
pub(super) fn split(key: &[u8]) -> Option<(Id, &[u8])> {
    let (id, rest) = key.get(4..)?.split_first_chunk()?;
    Some((Id(u64::from_be_bytes(*id)), rest))
}

/// The id and the offset in the key of a chunk or of a listed block.
pub(super) fn split_end(key: &[u8]) -> Option<(Id, u64)> {
    let (id, rest) = split(key)?;
    Some((id, u64::from_be_bytes(rest.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_chunk_above_an_offset_holds_its_byte() {
        let id = Id(7);
        let at = |offset: u64| chunk(id, offset + 1);
        assert!(at(0) <= chunk(id, 10) && at(9) <= chunk(id, 10) && at(10) > chunk(id, 10));
        assert!(id.prefix(CHUNKS) < chunk(id, 1) && chunk(id, u64::MAX) < id.end(CHUNKS));
        assert_eq!(split_end(&chunk(id, 300)), Some((id, 300)));
    }

    #[test]
    fn spaces_and_ids_do_not_overlap() {
        for space in SPACES {
            assert!(space < TableId::FIRST && Id(u64::MAX).end(space) == space.end());
            assert!(Id(u64::MAX).prefix(space) < space.end());
        }
    }
}
