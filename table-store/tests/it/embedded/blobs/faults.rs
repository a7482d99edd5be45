use std::{io::ErrorKind, time::Duration};

use proptest::prelude::*;
use table_store::{
    DamagePlace, Durability, MemoryDisk, StorageFault,
    blob::{AppendBlock, BlockId, BlockSource, ListBlobs, ListContainers},
};

use super::*;
use crate::embedded::support::TestDisk;

/// Content that requires three commits.
const LARGE: usize = 20 * CHUNK;

/// Creates a disk with the blob `x`, which contains `before`.
fn prepared() -> Vec<u8> {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    store.create_container(&container(), Metadata::new()).unwrap();
    put(&store, "x", "before");
    store.close().unwrap();
    disk.bytes()
}

#[test]
fn whichever_call_of_the_disk_fails_a_blob_is_as_before_or_whole() {
    let prepared = prepared();
    let sent = content(1, LARGE);
    let mut failures = 0;
    for calls in (0..).step_by(7) {
        let disk = TestDisk::with_bytes(prepared.clone());
        let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
        let blobs = store.clone();
        disk.fail_after(calls, ErrorKind::Other, calls % 2 == 0);
        let answer = blobs.put_blob(&at("x"), sent.clone(), PutBlob::new());
        disk.heal();
        let found = get(&blobs, "x");
        match &answer {
            Ok(_) => assert!(found == sent, "{calls}"),
            Err(error) => {
                assert!(matches!(error.fault(), Some(StorageFault::Io(_))), "{calls}: {error}");
                assert!(found == "before" || found == sent, "{calls}");
            }
        }
        store.swept().unwrap();
        let chunks = found.len().div_ceil(CHUNK) as u64;
        let report = store.scrub().unwrap();
        assert!(report.is_sound() && report.chunks == chunks, "{calls}: {report}");
        failures += usize::from(answer.is_err());
        if answer.is_ok() && calls > 0 && calls % 2 == 1 {
            break;
        }
    }
    assert!(failures > 5, "{failures}");
}

#[test]
fn contents_that_were_acknowledged_early_and_lost_are_not_made_a_blob() {
    let disk = TestDisk::with_bytes(prepared());
    let relaxed = Durability::Relaxed { at_most: Duration::from_secs(3_600) };
    let store = OpenOptions::new().durability(relaxed).open_disk(disk.clone()).unwrap().blocking();
    let blobs = store.clone();
    // The first commit with a new time is synced regardless of the durability.
    put(&blobs, "y", "y");
    let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
    writer.write(&content(1, 9 * CHUNK)).unwrap();
    disk.fail_after(0, ErrorKind::Other, true);
    store.flush().unwrap_err();
    // The file was reopened, without the unsynced data.
    let error = writer.finish().unwrap_err();
    assert!(matches!(error.fault(), Some(StorageFault::Corrupt { .. })), "{error}");
    assert_eq!(get(&blobs, "x"), "before");
    put(&blobs, "x", "after");
    assert_eq!(get(&blobs, "x"), "after");
}

#[test]
fn a_damaged_record_is_reported_and_not_given() {
    for space in [8_u32, 9, 10, 11] {
        let storage = MapStorage::default();
        let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
        let blobs = store.clone();
        blobs.create_container(&container(), Metadata::new()).unwrap();
        blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
        blobs.append_block(&at("log"), content(1, 3 * CHUNK), AppendBlock::new()).unwrap();
        let entries = storage.entries();
        let (key, record) =
            entries.iter().rev().find(|(key, _)| key.starts_with(&space.to_be_bytes())).unwrap();
        let mut damaged = record.clone();
        damaged[0] ^= 1;
        storage.put(key.clone(), damaged);
        let error = blobs.get_blob(&at("log"), ReadBlob::new()).unwrap_err();
        assert!(matches!(error.fault(), Some(StorageFault::Corrupt { .. })), "{space}: {error}");
        let report = store.scrub().unwrap();
        assert!(
            matches!(&report.damage[..], [damage] if matches!(damage.place, DamagePlace::Blobs { .. })),
            "{space}: {report}"
        );
    }
}

#[test]
fn a_damaged_blob_is_healed_by_putting_it_anew_and_can_be_deleted() {
    for space in [9_u32, 10, 11] {
        let storage = one_of_each();
        for (key, mut record) in storage.entries() {
            if key.starts_with(&space.to_be_bytes()) {
                record[0] ^= 1;
                storage.put(key, record);
            }
        }
        let store = OpenOptions::new().open_map(storage).unwrap().blocking();
        put(&store, "y", "new");
        assert_eq!(get(&store, "y"), "new");
        store.delete_blob(&at("log"), &always()).unwrap();
        store.swept().unwrap();
        let report = store.scrub().unwrap();
        let left = report.damage.iter().filter(|damage| damage.to_string().contains("blob `")).count();
        assert_eq!(left, 0, "{report}");
    }
}

#[test]
fn a_lost_chunk_is_reported_and_not_passed_over() {
    let storage = MapStorage::default();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    let blobs = store.clone();
    blobs.create_container(&container(), Metadata::new()).unwrap();
    put(&blobs, "x", content(1, 3 * CHUNK));
    store.close().unwrap();
    for lost in 0..3 {
        let rest = MapStorage::default();
        let mut chunks = 0..;
        for (key, record) in storage.entries() {
            if !key.starts_with(&10_u32.to_be_bytes()) || chunks.next() != Some(lost) {
                rest.put(key, record);
            }
        }
        let store = OpenOptions::new().open_map(rest).unwrap().blocking();
        let error = store.get_blob(&at("x"), ReadBlob::new()).unwrap_err();
        assert!(matches!(error.fault(), Some(StorageFault::Corrupt { .. })), "{lost}: {error}");
        assert_eq!(store.scrub().unwrap().damage.len(), 1, "{lost}");
    }
}

/// Creates one record of each kind, and each kind of garbage.
fn one_of_each() -> MapStorage {
    let storage = MapStorage::default();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.create_container(&container(), Metadata::new().with("a", "b").unwrap()).unwrap();
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    store.append_block(&at("log"), content(1, CHUNK + 1), AppendBlock::new()).unwrap();
    put(&store, "x", "content");
    let id = BlockId::new("1").unwrap();
    store.put_block(&at("y"), &id, "committed".into(), PutBlock::new()).unwrap();
    store.put_block_list(&at("y"), &[BlockSource::Latest(id.clone())], PutBlob::new()).unwrap();
    store.put_block(&at("y"), &id, "staged".into(), PutBlock::new()).unwrap();
    store.swept().unwrap();
    // Pinned, so that the garbage remains.
    let readers = ["log", "x", "y"].map(|name| store.read_blob(&at(name), ReadBlob::new()).unwrap());
    for name in ["log", "x"] {
        store.delete_blob(&at(name), &always()).unwrap();
    }
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    store.append_block(&at("log"), "new".into(), AppendBlock::new()).unwrap();
    store.close().unwrap();
    drop(readers);
    storage
}

/// Calls every method. A failure must report a damaged record.
fn use_all(store: &BlockingStore) {
    let id = BlockId::new("1").unwrap();
    let latest = [BlockSource::Latest(id.clone())];
    let mut answers = vec![store.scrub().map(drop), store.list_containers(ListContainers::new()).map(drop)];
    for name in ["log", "x", "y"] {
        answers.extend([
            store.get_blob(&at(name), ReadBlob::new()).map(drop),
            store.block_list(&at(name)).map(drop),
            store.list_blobs(&container(), ListBlobs::new().uncommitted()).map(drop),
            store.append_block(&at(name), "x".into(), AppendBlock::new()).map(drop),
            store.put_block(&at(name), &id, "x".into(), PutBlock::new()),
            store.put_block_list(&at(name), &latest, PutBlob::new()).map(drop),
            store.set_blob_metadata(&at(name), Metadata::new(), &always()).map(drop),
            store.put_blob(&at(name), "x".into(), PutBlob::new()).map(drop),
            store.delete_blob(&at(name), &always()),
        ]);
    }
    answers.extend([store.delete_container(&container(), &always()), store.swept()]);
    for error in answers.into_iter().filter_map(Result::err) {
        assert!(!matches!(error.fault(), Some(StorageFault::Bug { .. })), "{error}");
        assert!(!error.to_string().contains("panic"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    /// Includes records with a matching checksum, which no damage produces.
    #[test]
    fn no_bytes_in_a_record_make_anything_panic(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..9),
        cut in any::<bool>(),
    ) {
        let storage = one_of_each();
        let of_blobs = |key: &[u8]| (7..=14_u32).any(|space| key.starts_with(&space.to_be_bytes()));
        let entries: Vec<_> = storage.entries().into_iter().filter(|(key, _)| of_blobs(key)).collect();
        let (key, mut record) = entries[which.index(entries.len())].clone();
        record.truncate(record.len() - 4);
        let at = at.index(record.len() + 1);
        if cut {
            record.truncate(at);
        }
        for (byte, noise) in record.iter_mut().skip(at).zip(noise) {
            *byte = noise;
        }
        let sum = crc32c::crc32c_append(crc32c::crc32c(&key), &record);
        record.extend_from_slice(&sum.to_le_bytes());
        storage.put(key, record);
        let store = OpenOptions::new().open_map(storage).unwrap().blocking();
        use_all(&store);
    }
}
