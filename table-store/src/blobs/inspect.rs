//! Verification of blob records, and their display names.

use std::{collections::BTreeSet, ops::ControlFlow};

use table_model::blob::{BlobName, BlockId, ContainerName};

use super::{
    chunks::{CHUNK_BYTES, Listed},
    container::Container,
    garbage::Garbage,
    place::{self, BLOBS, CHUNKS, CONTAINERS, GARBAGE, Id, LISTS, SHARED, STAGED, STAGES},
    record::{Blob, Contents},
    shares::{self, Shared},
    snapshots,
    stages::{StageOf, Staged},
};
use crate::{checksum, engine::Read, keys::TableId};

/// Kind of a sound record, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Container,
    Blob,
    Chunk,
    Other,
}

/// Returns whether a key space belongs to the blob service.
pub(crate) fn owns(space: TableId) -> bool {
    place::SPACES.contains(&space)
}

/// Checks a record that follows the key `previous`: its checksum, its key, its layout, and that the data it refers to
/// is complete.
pub(crate) fn inspect(
    read: &dyn Read,
    previous: &[u8],
    key: &[u8],
    record: &[u8],
) -> Result<Seen, &'static str> {
    const LAYOUT: &str = "its layout is invalid";
    let body = checksum::open(key, record)?;
    let (space, _) = key.split_first_chunk().ok_or(LAYOUT)?;
    match TableId(u32::from_be_bytes(*space)) {
        CONTAINERS => {
            let name = key.get(4..).and_then(|name| std::str::from_utf8(name).ok());
            let named = name.is_some_and(|name| ContainerName::new(name).is_ok());
            Container::decode(body).filter(|_| named).ok_or(LAYOUT).map(|_| Seen::Container)
        }
        BLOBS => {
            let name = place::split(key).and_then(|(_, name)| std::str::from_utf8(name).ok());
            let named = name.is_some_and(|name| BlobName::new(name).is_ok());
            let blob = Blob::decode(body).filter(|_| named).ok_or(LAYOUT)?;
            has_contents(read, &blob).map(|()| Seen::Blob)
        }
        SHARED if snapshots::split(key).is_some() => {
            has_contents(read, &Blob::decode(body).ok_or(LAYOUT)?).map(|()| Seen::Other)
        }
        SHARED => shares::split(key).filter(|_| body.is_empty()).ok_or(LAYOUT).map(|_| Seen::Other),
        CHUNKS => check_chunk(previous, key, body).map(|()| Seen::Chunk),
        LISTS => {
            let (_, end) = place::split_end(key).ok_or(LAYOUT)?;
            let block = Listed::decode(end, body).ok_or(LAYOUT)?;
            check_gap(previous, key, block.start)?;
            Ok(Seen::Other)
        }
        STAGED => {
            let named = place::split(key).is_some_and(|(_, id)| BlockId::new(id).is_ok());
            Staged::decode(body).filter(|_| named).ok_or(LAYOUT).map(|_| Seen::Other)
        }
        STAGES => StageOf::decode(body).ok_or(LAYOUT).map(|_| Seen::Other),
        GARBAGE => Garbage::decode(key, body).ok_or(LAYOUT).map(|_| Seen::Other),
        _ => Err("its key is not a valid blob key"),
    }
}

const PART: &str = "a part of its content is missing";

/// Checks that the content of a blob or a snapshot is complete, as far as its record refers to it.
fn has_contents(read: &dyn Read, blob: &Blob) -> Result<(), &'static str> {
    match blob.contents {
        Contents::None if blob.length == 0 => {}
        Contents::Chunks(id) => is_whole(read, id, blob.length)?,
        Contents::List(id) => has_end(read, &place::listed(id, blob.length))?,
        Contents::None => return Err(PART),
    }
    has_share(read, blob)
}

/// Checks that a record has a share of its contents if others have one. Otherwise these contents would be removed with
/// the last of the others.
fn has_share(read: &dyn Read, blob: &Blob) -> Result<(), &'static str> {
    let (Some(shared), owner) = (Shared::of(blob.contents), blob.shared) else { return Ok(()) };
    let owns = owner.is_some_and(|owner| shared.is_owned_by(read, owner).unwrap_or(false));
    let has_others = || shared.has_owner(read, &BTreeSet::new()).unwrap_or(true);
    if owns || !has_others() { Ok(()) } else { Err("its share of its content is missing") }
}

/// Checks that content starts at 0 and ends at its length. The scan checks the chunks in between when it reaches them.
fn is_whole(read: &dyn Read, id: Id, length: u64) -> Result<(), &'static str> {
    let mut begins = false;
    let scanned = read.scan(&id.prefix(CHUNKS), &id.end(CHUNKS), &mut |key, record| {
        let end = place::split_end(key).map(|(_, end)| end);
        begins = end == record.len().checked_sub(checksum::SUM_BYTES).map(|bytes| bytes as u64);
        ControlFlow::Break(())
    });
    has_end(read, &place::chunk(id, length))?;
    if begins && scanned.is_ok() { Ok(()) } else { Err(PART) }
}

fn has_end(read: &dyn Read, key: &[u8]) -> Result<(), &'static str> {
    match read.get(key, &mut |_| ()) {
        Ok(true) => Ok(()),
        Ok(false) | Err(_) => Err(PART),
    }
}

fn check_chunk(previous: &[u8], key: &[u8], body: &[u8]) -> Result<(), &'static str> {
    let (_, end) = place::split_end(key).ok_or("its key is not a valid chunk key")?;
    let start = end.checked_sub(body.len() as u64).ok_or("it is longer than its end offset")?;
    if body.is_empty() || body.len() > CHUNK_BYTES {
        return Err("its length is invalid for a chunk");
    }
    check_gap(previous, key, start)
}

/// Checks that records with the same id are contiguous. The first record may be missing, because a sweep starts there.
fn check_gap(previous: &[u8], key: &[u8], start: u64) -> Result<(), &'static str> {
    let same = previous.get(..12).is_some_and(|id| key.starts_with(id));
    match place::split_end(previous) {
        Some((_, end)) if same && end != start => Err("the preceding record is missing"),
        _ => Ok(()),
    }
}

/// Returns the display name of a record.
pub(crate) fn name(key: &[u8]) -> String {
    let space = key.first_chunk().map_or(TableId::META, |space| TableId(u32::from_be_bytes(*space)));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let id = place::split(key).map_or(0, |(Id(id), _)| id);
    if let Some((container, name, snapshot)) = snapshots::split(key).filter(|_| space == SHARED) {
        return format!("snapshot {snapshot} of blob `{name}` of container #{}", container.number());
    }
    if let Some((shared, owner)) = shares::split(key).filter(|_| space == SHARED) {
        return format!("the share of #{} in contents #{}", owner.number(), shared.id().number());
    }
    match (space, place::split(key)) {
        (CONTAINERS, _) => format!("container `{}`", text(key.get(4..).unwrap_or_default())),
        (BLOBS, Some((_, name))) => format!("blob `{}` of container #{id}", text(name)),
        (CHUNKS, _) => format!("a chunk of contents #{id}"),
        (LISTS, _) => format!("a block of list #{id}"),
        (STAGED, _) => format!("an uncommitted block of stage #{id}"),
        (STAGES, _) => format!("stage #{id}"),
        (GARBAGE, _) => format!("the removal record of #{id}"),
        _ => "a blob record with an invalid key".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        MapStorage,
        engine::{self, MemoryEngine},
    };

    fn looked(storage: &MapStorage, previous: &[u8], key: &[u8], body: &[u8]) -> Result<Seen, &'static str> {
        let engine = MemoryEngine::new(storage.clone());
        let mut record = body.to_vec();
        checksum::seal(key, &mut record);
        engine::view(&engine, |read| Ok(inspect(read, previous, key, &record))).unwrap()
    }

    #[test]
    fn a_gap_between_chunks_is_found_and_a_missing_front_is_not() {
        let storage = MapStorage::default();
        let (one, two) = (place::chunk(Id(1), 3), place::chunk(Id(1), 5));
        assert_eq!(looked(&storage, &one, &two, b"ab"), Ok(Seen::Chunk));
        assert_eq!(looked(&storage, &place::chunk(Id(2), 3), &two, b"a"), Ok(Seen::Chunk));
        assert!(looked(&storage, &one, &two, b"a").is_err());
        assert!(looked(&storage, &one, &two, b"").is_err());
        assert!(looked(&storage, &[], &two, b"abcdef").is_err());
    }

    #[test]
    fn a_blob_without_the_end_of_its_contents_is_found() {
        let storage = MapStorage::default();
        let mut blob = Blob::staged(table_model::Timestamp::UNIX_EPOCH);
        (blob.contents, blob.length) = (Contents::Chunks(Id(1)), 5);
        let key = place::blob(Id(9), &BlobName::new("x").unwrap());
        assert!(looked(&storage, &[], &key, &blob.encode()).is_err());
        let first = place::chunk(Id(1), 3);
        let mut record = b"abc".to_vec();
        checksum::seal(&first, &mut record);
        storage.put(first, record);
        assert!(looked(&storage, &[], &key, &blob.encode()).is_err());
        storage.put(place::chunk(Id(1), 5), Vec::new());
        assert_eq!(looked(&storage, &[], &key, &blob.encode()), Ok(Seen::Blob));
    }

    #[test]
    fn a_blob_without_its_share_is_found_if_others_have_one() {
        let storage = MapStorage::default();
        let mut blob = Blob::staged(table_model::Timestamp::UNIX_EPOCH);
        (blob.contents, blob.length) = (Contents::List(Id(1)), 5);
        storage.put(place::listed(Id(1), 5), Vec::new());
        let key = place::blob(Id(9), &BlobName::new("x").unwrap());
        let share = |owner: u64| {
            let key = Shared::List(Id(1)).key(Id(owner));
            let mut record = Vec::new();
            checksum::seal(&key, &mut record);
            storage.put(key, record);
        };
        blob.shared = Some(Id(7));
        assert_eq!(looked(&storage, &[], &key, &blob.encode()), Ok(Seen::Blob));
        share(8);
        assert!(looked(&storage, &[], &key, &blob.encode()).is_err());
        share(7);
        assert_eq!(looked(&storage, &[], &key, &blob.encode()), Ok(Seen::Blob));
        blob.shared = None;
        assert!(looked(&storage, &[], &key, &blob.encode()).is_err());
    }
}
