//! Keys of the records of containers and blobs.
//!
//! The parts of a blob are stored under ids, so that one small record can replace a blob of any size. An id is the time
//! of the write that created it. Times are strictly increasing, so ids are unique.

use table_model::{
    Timestamp,
    blob::{BlobName, BlockId, ContainerName},
};

use crate::keys::TableId;

/// Snapshots of blobs, and shares of contents; see [`snapshots`](super::snapshots) and [`shares`](super::shares).
pub(crate) const SHARED: TableId = TableId(7);
/// Containers, by name.
pub(crate) const CONTAINERS: TableId = TableId(8);
/// Blobs, by container and name.
pub(crate) const BLOBS: TableId = TableId(9);
/// Bytes of content, by content id and end offset of the chunk. The chunk that contains a byte is the first one whose
/// end is above its offset.
pub(crate) const CHUNKS: TableId = TableId(10);
/// Blocks of content that was written in blocks, by list and end offset of the block.
pub(crate) const LISTS: TableId = TableId(11);
/// Uncommitted blocks, by stage and block id.
pub(crate) const STAGED: TableId = TableId(12);
/// Owning blob of each stage.
pub(crate) const STAGES: TableId = TableId(13);
/// Data that must be removed, or that is not part of a blob yet.
pub(crate) const GARBAGE: TableId = TableId(14);

/// All key spaces of the blob service.
pub(crate) const SPACES: [TableId; 8] = [SHARED, CONTAINERS, BLOBS, CHUNKS, LISTS, STAGED, STAGES, GARBAGE];

/// Id of a container, of content, of a list or of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(super) u64);

impl Id {
    /// Creates the id for a write at this time. A write may create one id of each kind.
    pub(super) fn at(time: Timestamp) -> Self {
        Self(time.ticks().unsigned_abs())
    }

    /// Returns the number.
    pub(super) const fn number(self) -> u64 {
        self.0
    }

    /// Returns the time at which the id was created.
    pub(super) fn time(self) -> Option<Timestamp> {
        i64::try_from(self.0).ok().and_then(Timestamp::from_ticks)
    }

    /// Returns the common prefix of all keys under the id, which is also their lower bound.
    pub(super) fn prefix(self, space: TableId) -> Vec<u8> {
        space.key(&self.0.to_be_bytes())
    }

    /// Returns the upper bound of all keys under the id, exclusive.
    pub(super) fn end(self, space: TableId) -> Vec<u8> {
        self.0.checked_add(1).map_or_else(|| space.end(), |next| space.key(&next.to_be_bytes()))
    }

    fn key(self, space: TableId, rest: &[u8]) -> Vec<u8> {
        [&space.prefix(), &self.0.to_be_bytes()[..], rest].concat()
    }
}

/// Returns the key of a container.
pub(super) fn container(name: &ContainerName) -> Vec<u8> {
    CONTAINERS.key(name.as_str().as_bytes())
}

/// Returns the key of a blob.
pub(super) fn blob(container: Id, name: &BlobName) -> Vec<u8> {
    container.key(BLOBS, name.as_str().as_bytes())
}

/// Returns the lower bound of the blobs of a container whose names are not below `name`.
pub(super) fn blob_place(container: Id, name: &[u8]) -> Vec<u8> {
    container.key(BLOBS, name)
}

/// Returns the key of the chunk that ends at `end`.
pub(super) fn chunk(contents: Id, end: u64) -> Vec<u8> {
    contents.key(CHUNKS, &end.to_be_bytes())
}

/// Returns the key of the block of a list that ends at `end`.
pub(super) fn listed(list: Id, end: u64) -> Vec<u8> {
    list.key(LISTS, &end.to_be_bytes())
}

/// Returns the key of an uncommitted block.
pub(super) fn staged(stage: Id, block: &BlockId) -> Vec<u8> {
    stage.key(STAGED, block.as_bytes())
}

/// Returns the key of a stage.
pub(super) fn stage(stage: Id) -> Vec<u8> {
    stage.prefix(STAGES)
}

/// Splits a key into the id and the bytes after it.
pub(super) fn split(key: &[u8]) -> Option<(Id, &[u8])> {
    let (id, rest) = key.get(4..)?.split_first_chunk()?;
    Some((Id(u64::from_be_bytes(*id)), rest))
}

/// Splits the key of a chunk or of a listed block into id and offset.
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
