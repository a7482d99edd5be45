//! Records of snapshots, by container, name and time. They have the layout of the records of blobs.

use std::{borrow::Cow, ops::ControlFlow};

use table_model::{
    StorageFault, Timestamp,
    blob::{BlobName, BlobSnapshot},
};

use super::{
    place::{Id, SHARED},
    record::Blob,
};
use crate::{
    checksum::{damaged, unseal},
    engine::Read,
    write_batch,
};

/// First byte after the space of a snapshot's key.
pub(super) const KIND: u8 = 1;

/// Byte after a 00 in a name. A 00 alone ends the name: the time that follows it starts with a lower byte.
const ESCAPE: u8 = 0xff;

/// A snapshot in a listing: its key, its time, and its record if that is sound.
pub(super) struct Found {
    pub(super) key: Vec<u8>,
    pub(super) snapshot: BlobSnapshot,
    pub(super) blob: Result<Blob, StorageFault>,
    /// Length of the record in bytes.
    pub(super) bytes: usize,
}

/// Returns the key of a snapshot.
pub(super) fn key(container: Id, name: &BlobName, snapshot: BlobSnapshot) -> Vec<u8> {
    let mut key = of_name(container, name);
    key.extend_from_slice(&snapshot.time().ticks().to_be_bytes());
    key
}

/// Returns the bounds of the snapshots of all blobs of a container.
pub(super) fn of_container(container: Id) -> (Vec<u8>, Vec<u8>) {
    let to =
        container.number().checked_add(1).map_or_else(|| SHARED.key(&[KIND + 1]), |next| prefix(Id(next)));
    (prefix(container), to)
}

fn prefix(container: Id) -> Vec<u8> {
    SHARED.key(&[&[KIND][..], &container.number().to_be_bytes()].concat())
}

/// Returns the common prefix of the keys of the snapshots of a blob.
fn of_name(container: Id, name: &BlobName) -> Vec<u8> {
    let mut key = prefix(container);
    for byte in name.as_str().bytes() {
        key.push(byte);
        if byte == 0 {
            key.push(ESCAPE);
        }
    }
    key.push(0);
    key
}

/// Splits the key of a snapshot into the container, the name and the time.
pub(super) fn split(key: &[u8]) -> Option<(Id, BlobName, BlobSnapshot)> {
    let (container, rest) = key.get(4..)?.strip_prefix(&[KIND])?.split_first_chunk()?;
    let (name, time) = rest.split_last_chunk()?;
    let time = Timestamp::from_ticks(i64::from_be_bytes(*time))?;
    let name = unescaped(name.strip_suffix(&[0])?)?;
    let name = BlobName::new(std::str::from_utf8(&name).ok()?).ok()?;
    Some((Id(u64::from_be_bytes(*container)), name, time.into()))
}

fn unescaped(name: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !name.contains(&0) {
        return Some(name.into());
    }
    let mut found = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(byte) = bytes.next() {
        found.push(*byte);
        if *byte == 0 && bytes.next() != Some(&ESCAPE) {
            return None;
        }
    }
    Some(found.into())
}

/// Reads the record of a snapshot.
pub(super) fn find(
    read: &dyn Read,
    container: Id,
    name: &BlobName,
    snapshot: BlobSnapshot,
) -> Result<Option<Blob>, StorageFault> {
    write_batch::find(read, &key(container, name, snapshot), Blob::decode)
}

/// Passes the snapshots of a blob that are not older than `from` to `visit`, from the oldest to the newest.
pub(super) fn visit(
    read: &dyn Read,
    container: Id,
    name: &BlobName,
    from: Option<BlobSnapshot>,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Result<(), StorageFault> {
    let start = from.unwrap_or(BlobSnapshot::from(Timestamp::MIN));
    let mut end = of_name(container, name);
    end.push(ESCAPE);
    read.scan_whole(&key(container, name, start), &end, &mut |key, record| match split(key) {
        Some((_, _, snapshot)) => {
            let blob = unseal(key, record)
                .and_then(|body| Blob::decode(body).ok_or_else(|| damaged(key, "its layout is invalid")));
            visit(Found { key: key.to_vec(), snapshot, blob, bytes: record.len() })
        }
        None => ControlFlow::Continue(()),
    })
}

/// Returns all snapshots of a blob, including damaged ones.
pub(super) fn all(read: &dyn Read, container: Id, name: &BlobName) -> Result<Vec<Found>, StorageFault> {
    let mut all = Vec::new();
    visit(read, container, name, None, &mut |found| {
        all.push(found);
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> BlobName {
        text.parse().unwrap()
    }

    fn at(ticks: i64) -> BlobSnapshot {
        Timestamp::from_ticks(ticks).unwrap().into()
    }

    #[test]
    fn a_key_reads_back_and_keys_sort_by_name_and_time() {
        let names = ["a", "a\0", "a\0\0", "a\0b", "a\u{1}", "a/b", "aa", "ä", "\u{10000}"];
        let times = [0, 255, Timestamp::MAX.ticks()];
        let mut last = Vec::new();
        for text in names {
            for time in times {
                let key = key(Id(7), &name(text), at(time));
                assert_eq!(split(&key), Some((Id(7), name(text), at(time))), "{text:?}");
                assert!(last < key, "{text:?} {time}");
                let (from, to) = of_container(Id(7));
                assert!(from < key && key < to);
                last = key;
            }
        }
        let (_, end) = of_container(Id(u64::MAX));
        assert!(last < end && end <= SHARED.end());
    }

    #[test]
    fn other_bytes_are_no_key() {
        let sound = key(Id(7), &name("a\0b"), at(1));
        for end in 0..sound.len() {
            assert!(split(&sound[..end]).is_none_or(|(_, found, _)| found != name("a\0b")), "{end}");
        }
        let escape = sound.iter().position(|byte| *byte == ESCAPE).unwrap();
        let mut wrong = sound;
        wrong[escape] = 1;
        assert_eq!(split(&wrong), None);
    }
}
