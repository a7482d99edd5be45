use proptest::prelude::*;
use table_store::{
    ErrorCode, Result, Timestamp, Uuid,
    blob::{
        AppendBlock, BlobHeaders, BlobItem, BlobSnapshot, BlockId, BlockSource, DeleteSnapshots, LeaseAction,
        LeaseDuration, ListBlobs, SnapshotBlob,
    },
};

use super::*;

fn snapshot(store: &BlockingStore, name: &str) -> BlobAddress {
    at(name).at(store.snapshot_blob(&at(name), SnapshotBlob::new()).unwrap().snapshot)
}

fn read(store: &BlockingStore, blob: &BlobAddress) -> Bytes {
    store.get_blob(blob, ReadBlob::new()).unwrap()
}

fn code<T: std::fmt::Debug>(answer: Result<T>) -> ErrorCode {
    answer.unwrap_err().code()
}

fn block(store: &BlockingStore, id: u8, content: impl Into<Bytes>) {
    store.put_block(&at("x"), &BlockId::new([id]).unwrap(), content.into(), PutBlock::new()).unwrap();
}

fn list(store: &BlockingStore, ids: &[u8]) {
    let list: Vec<_> = ids.iter().map(|id| BlockSource::Latest(BlockId::new([*id]).unwrap())).collect();
    store.put_block_list(&at("x"), &list, PutBlob::new()).unwrap();
}

#[test]
fn a_snapshot_keeps_the_state_of_its_blob() {
    let (_, store) = counted();
    let metadata = |value: &str| Metadata::new().with("k", value).unwrap();
    let first = PutBlob::new().content_type("text/plain").metadata(metadata("1"));
    let written = store.put_blob(&at("x"), "one".into(), first).unwrap();
    let taken = store.snapshot_blob(&at("x"), SnapshotBlob::new()).unwrap();
    let own = store.snapshot_blob(&at("x"), SnapshotBlob::new().metadata(metadata("own"))).unwrap();
    assert!(taken.snapshot < own.snapshot);
    assert_eq!((&taken.version.etag, taken.version.last_modified), (&written.etag, written.last_modified));
    assert_ne!(own.version.etag, written.etag);
    assert_eq!(store.blob_properties(&at("x"), &always()).unwrap().etag, written.etag);
    put(&store, "x", "another");
    for (taken, value) in [(taken, "1"), (own, "own")] {
        let address = at("x").at(taken.snapshot);
        assert_eq!(read(&store, &address), "one");
        let found = store.blob_properties(&address, &always()).unwrap();
        assert_eq!((found.snapshot, &found.etag), (Some(taken.snapshot), &taken.version.etag));
        assert_eq!(found.headers.content_type.as_deref(), Some("text/plain"));
        assert_eq!(found.metadata.get("k"), Some(value));
        let reader = store.read_blob(&address, ReadBlob::new().range(1..)).unwrap();
        assert_eq!(*reader.properties(), found);
        assert_eq!(reader.read_to_end().unwrap(), "ne");
    }
    assert_eq!(get(&store, "x"), "another");
    assert_eq!(store.blob_properties(&at("x"), &always()).unwrap().snapshot, None);
}

#[test]
fn contents_are_shared_until_their_last_owner_is_gone() {
    for order in 0..3 {
        let (storage, store) = counted();
        put(&store, "x", content(1, 9 * CHUNK));
        let (one, two) = (snapshot(&store, "x"), snapshot(&store, "x"));
        assert_eq!((records(&storage), shared(&storage)), ([9, 0, 0, 0, 0], [2, 3]));
        match order {
            0 => put(&store, "x", ""),
            1 => store.delete_blob(&one, &always()).unwrap(),
            _ => store.set_blob_metadata(&at("x"), Metadata::new(), &always()).map(drop).unwrap(),
        }
        store.swept().unwrap();
        assert_eq!(records(&storage), [9, 0, 0, 0, 0]);
        assert!(read(&store, &two) == content(1, 9 * CHUNK));
        store.delete_snapshots(&at("x"), DeleteSnapshots::Only, &always()).unwrap();
        store.swept().unwrap();
        assert_eq!(shared(&storage)[0], 0);
        assert_eq!(records(&storage)[0], if order == 0 { 0 } else { 9 });
        store.delete_blob(&at("x"), &always()).unwrap();
        store.swept().unwrap();
        assert_empty(&storage);
    }
}

#[test]
fn a_blob_with_snapshots_is_deleted_by_choice() {
    let (storage, store) = counted();
    put(&store, "x", "one");
    put(&store, "x\0", "another blob");
    put(&store, "xy", "a third one");
    let other = [snapshot(&store, "x\0"), snapshot(&store, "xy")];
    let (first, second) = (snapshot(&store, "x"), snapshot(&store, "x"));
    assert_eq!(code(store.delete_blob(&at("x"), &always())), ErrorCode::SnapshotsPresent);
    for which in [DeleteSnapshots::Include, DeleteSnapshots::Only] {
        assert_eq!(code(store.delete_snapshots(&first, which, &always())), ErrorCode::InvalidOperation);
        assert_eq!(code(store.delete_snapshots(&at("none"), which, &always())), ErrorCode::BlobNotFound);
    }
    store.delete_blob(&first, &always()).unwrap();
    assert_eq!(code(store.delete_blob(&first, &always())), ErrorCode::BlobNotFound);
    assert_eq!(code(store.get_blob(&first, ReadBlob::new())), ErrorCode::BlobNotFound);
    assert_eq!(code(store.delete_blob(&at("x"), &always())), ErrorCode::SnapshotsPresent);
    assert_eq!(read(&store, &second), "one");
    store.delete_snapshots(&at("x"), DeleteSnapshots::Only, &always()).unwrap();
    store.delete_snapshots(&at("x"), DeleteSnapshots::Only, &always()).unwrap();
    assert_eq!((get(&store, "x"), shared(&storage)[0]), ("one".into(), 2));
    let third = snapshot(&store, "x");
    store.delete_snapshots(&at("x"), DeleteSnapshots::Include, &always()).unwrap();
    for gone in [&at("x"), &third] {
        assert_eq!(code(store.blob_properties(gone, &always())), ErrorCode::BlobNotFound);
    }
    // A new blob of the name has no snapshots, and those of other blobs remain.
    put(&store, "x", "new");
    store.delete_blob(&at("x"), &always()).unwrap();
    assert_eq!(other.map(|other| read(&store, &other)), ["another blob", "a third one"]);
}

#[test]
fn a_snapshot_is_read_only() {
    let (_, store) = counted();
    put(&store, "x", "one");
    let snapshot = snapshot(&store, "x");
    let (id, block) = (Uuid::from_u128(1), BlockId::new("1").unwrap());
    let lease = LeaseAction::Acquire { id, duration: LeaseDuration::Infinite };
    for answer in [
        store.put_blob(&snapshot, "x".into(), PutBlob::new()).map(drop),
        store.write_blob(&snapshot, PutBlob::new()).map(drop),
        store.put_block(&snapshot, &block, "x".into(), PutBlock::new()),
        store.write_block(&snapshot, &block, PutBlock::new()).map(drop),
        store.put_block_list(&snapshot, &[], PutBlob::new()).map(drop),
        store.create_append_blob(&snapshot, PutBlob::new()).map(drop),
        store.append_block(&snapshot, "x".into(), AppendBlock::new()).map(drop),
        store.write_append(&snapshot, AppendBlock::new()).map(drop),
        store.set_blob_metadata(&snapshot, Metadata::new(), &always()).map(drop),
        store.set_blob_headers(&snapshot, BlobHeaders::default(), &always()).map(drop),
        store.lease_blob(&snapshot, &lease, &always()).map(drop),
        store.snapshot_blob(&snapshot, SnapshotBlob::new()).map(drop),
    ] {
        assert_eq!(code(answer), ErrorCode::InvalidOperation);
    }
    assert_eq!(read(&store, &snapshot), "one");
}

#[test]
fn leases_and_conditions_of_snapshots_are_those_of_the_reference() {
    let (_, store) = counted();
    put(&store, "x", "one");
    let (id, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let acquire = LeaseAction::Acquire { id, duration: LeaseDuration::Infinite };
    store.lease_blob(&at("x"), &acquire, &always()).unwrap();
    let with = |conditions: BlobConditions| {
        store.snapshot_blob(&at("x"), SnapshotBlob::new().conditions(conditions))
    };
    with(always()).unwrap();
    let taken = with(always().lease(id)).unwrap();
    assert_eq!(code(with(always().lease(other))), ErrorCode::LeaseIdMismatchWithBlobOperation);
    let found = store.blob_properties(&at("x").at(taken.snapshot), &always()).unwrap();
    assert!(!found.lease.is_locked());
    let stale = BlobConditions::from("\"0x1\"".parse::<table_store::blob::BlobETag>().unwrap());
    assert_eq!(code(with(stale)), ErrorCode::ConditionNotMet);
    let unchanged = BlobConditions::none().if_none_match(taken.version.etag.clone());
    assert_eq!(with(unchanged.clone()).unwrap_err().status(), 412);
    let error =
        store.get_blob(&at("x").at(taken.snapshot), ReadBlob::new().conditions(unchanged)).unwrap_err();
    assert!(error.is_not_modified());
    // The lease protects the blob with its snapshots, but not a single snapshot.
    for which in [DeleteSnapshots::Include, DeleteSnapshots::Only] {
        assert_eq!(code(store.delete_snapshots(&at("x"), which, &always())), ErrorCode::LeaseIdMissing);
    }
    store.delete_blob(&at("x").at(taken.snapshot), &always()).unwrap();
    store.delete_snapshots(&at("x"), DeleteSnapshots::Include, &always().lease(id)).unwrap();
    assert_eq!(code(store.snapshot_blob(&at("x"), SnapshotBlob::new())), ErrorCode::BlobNotFound);
}

#[test]
fn uncommitted_blocks_are_no_part_of_a_snapshot() {
    let (storage, store) = counted();
    block(&store, 1, "one");
    assert_eq!(code(store.snapshot_blob(&at("x"), SnapshotBlob::new())), ErrorCode::BlobNotFound);
    list(&store, &[1]);
    block(&store, 2, "two");
    let snapshot = snapshot(&store, "x");
    let blocks = store.block_list(&snapshot).unwrap();
    assert_eq!((blocks.committed.len(), blocks.uncommitted.len()), (1, 0));
    assert_eq!(store.block_list(&at("x")).unwrap().uncommitted.len(), 1);
    store.delete_snapshots(&at("x"), DeleteSnapshots::Include, &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn blocks_stay_as_long_as_a_list_contains_them() {
    let (storage, store) = counted();
    for id in [1, 2, 3] {
        block(&store, id, content(id.into(), CHUNK));
    }
    list(&store, &[1, 2, 1, 3]);
    let old = snapshot(&store, "x");
    let expected = read(&store, &old);
    block(&store, 4, content(4, CHUNK));
    list(&store, &[2, 4, 2]);
    store.swept().unwrap();
    assert_eq!(records(&storage), [4, 7, 0, 0, 0]);
    let middle = snapshot(&store, "x");
    list(&store, &[4]);
    store.swept().unwrap();
    assert_eq!(records(&storage), [4, 8, 0, 0, 0]);
    assert!(read(&store, &old) == expected);
    assert!(read(&store, &middle) == [content(2, CHUNK), content(4, CHUNK), content(2, CHUNK)].concat());
    store.delete_blob(&old, &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [2, 4, 0, 0, 0]);
    assert!(read(&store, &middle) == [content(2, CHUNK), content(4, CHUNK), content(2, CHUNK)].concat());
    store.delete_blob(&middle, &always()).unwrap();
    list(&store, &[4]);
    store.swept().unwrap();
    assert_eq!(records(&storage), [1, 1, 0, 0, 0]);
    assert!(get(&store, "x") == content(4, CHUNK) && store.scrub().unwrap().is_sound());
    store.delete_blob(&at("x"), &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_snapshot_of_an_append_blob_does_not_grow() {
    let (storage, store) = counted();
    let append =
        |text: &'static str| store.append_block(&at("log"), text.into(), AppendBlock::new()).unwrap();
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let empty = snapshot(&store, "log");
    append("one");
    let one = snapshot(&store, "log");
    append("two");
    let two = snapshot(&store, "log");
    append("three");
    let blobs = [&empty, &one, &two, &at("log")];
    assert_eq!(blobs.map(|blob| read(&store, blob)), ["", "one", "onetwo", "onetwothree"]);
    assert_eq!(store.blob_properties(&one, &always()).unwrap().committed_blocks, Some(1));
    let reader = store.read_blob(&at("log"), ReadBlob::new()).unwrap();
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    append("new");
    store.swept().unwrap();
    assert_eq!(reader.read_to_end().unwrap(), "onetwothree");
    store.swept().unwrap();
    assert_eq!(blobs.map(|blob| read(&store, blob)), ["", "one", "onetwo", "new"]);
    // No snapshot has the last block.
    assert_eq!(records(&storage), [3, 3, 0, 0, 0]);
    store.delete_blob(&two, &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [2, 2, 0, 0, 0]);
    assert!(read(&store, &one) == "one" && store.scrub().unwrap().is_sound());
    store.delete_snapshots(&at("log"), DeleteSnapshots::Include, &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_reader_of_a_deleted_snapshot_reads_it_to_the_end() {
    let (storage, store) = counted();
    put(&store, "x", content(1, 3 * CHUNK));
    let snapshot = snapshot(&store, "x");
    put(&store, "x", "");
    let reader = store.read_blob(&snapshot, ReadBlob::new()).unwrap();
    store.delete_blob(&snapshot, &always()).unwrap();
    store.swept().unwrap();
    assert!(reader.read_to_end().unwrap() == content(1, 3 * CHUNK));
    store.swept().unwrap();
    assert_eq!((records(&storage), shared(&storage)), ([0; 5], [0; 2]));
}

#[test]
fn a_deleted_container_leaves_no_snapshot() {
    let (storage, store) = counted();
    put(&store, "x", content(1, 9 * CHUNK));
    let _snapshots = [snapshot(&store, "x"), snapshot(&store, "x")];
    put(&store, "x", "");
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    store.append_block(&at("log"), "one".into(), AppendBlock::new()).unwrap();
    snapshot(&store, "log");
    store.delete_container(&container(), &always()).unwrap();
    store.create_container(&container(), Metadata::new()).unwrap();
    put(&store, "x", "");
    assert!(store.list_blobs(&container(), ListBlobs::new().snapshots()).unwrap().items.len() == 1);
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_store_is_reopened_with_its_snapshots() {
    let (storage, store) = counted();
    put(&store, "x", content(1, 9 * CHUNK));
    let snapshot = snapshot(&store, "x");
    put(&store, "x", "new");
    store.close().unwrap();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.swept().unwrap();
    assert!(read(&store, &snapshot) == content(1, 9 * CHUNK) && get(&store, "x") == "new");
    assert!(store.scrub().unwrap().is_sound());
    store.delete_snapshots(&at("x"), DeleteSnapshots::Include, &always()).unwrap();
    // The sweep continues after the store is opened.
    store.close().unwrap();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn damaged_snapshots_are_reported_and_can_be_deleted() {
    let (storage, store) = counted();
    put(&store, "x", "one");
    let (damaged, sound) = (snapshot(&store, "x"), snapshot(&store, "x"));
    store.close().unwrap();
    let snapshots = |key: &[u8]| key.starts_with(&[0, 0, 0, 7, 1]);
    let (key, mut record) = storage.entries().into_iter().find(|(key, _)| snapshots(key)).unwrap();
    record[0] ^= 1;
    storage.put(key, record);
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    let error = store.get_blob(&damaged, ReadBlob::new()).unwrap_err();
    assert!(error.to_string().contains("snapshot"), "{error}");
    assert!(store.list_blobs(&container(), ListBlobs::new().snapshots()).is_err());
    assert_eq!(store.scrub().unwrap().damage.len(), 1);
    store.delete_blob(&damaged, &always()).unwrap();
    assert_eq!(read(&store, &sound), "one");
    assert!(store.scrub().unwrap().is_sound());
    // A share of a damaged record keeps the contents, as documented.
    store.delete_snapshots(&at("x"), DeleteSnapshots::Include, &always()).unwrap();
    store.swept().unwrap();
    assert_eq!((records(&storage), shared(&storage)), ([1, 0, 0, 0, 0], [0, 1]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Each page continues where the previous one ended, also in the middle of the snapshots of a blob.
    #[test]
    fn pages_of_any_size_list_everything_once(
        counts in prop::collection::vec(0..4_usize, 1..5),
        most in 1..6_u32,
        names in Just(["!", "a", "a!b", "b/1", "b/2"]),
    ) {
        let (_, store) = counted();
        let mut expected: Vec<(String, Option<BlobSnapshot>)> = Vec::new();
        for (name, count) in names.into_iter().zip(counts) {
            put(&store, name, name);
            expected.extend((0..count).map(|_| (name.to_owned(), snapshot(&store, name).snapshot)));
            expected.push((name.to_owned(), None));
        }
        let (mut found, mut request) = (Vec::new(), ListBlobs::new().snapshots().max_results(most));
        loop {
            let segment = store.list_blobs(&container(), request.clone()).unwrap();
            prop_assert!(segment.items.len() <= most as usize);
            for item in segment.items {
                let BlobItem::Blob { name, properties } = item else { panic!("a prefix") };
                found.push((name.to_string(), properties.snapshot));
            }
            match segment.next_marker {
                Some(marker) => request = request.marker(marker),
                None => break,
            }
        }
        prop_assert_eq!(&found, &expected);
        let plain = store.list_blobs(&container(), ListBlobs::new()).unwrap().items.len();
        prop_assert_eq!(plain, expected.iter().filter(|(_, snapshot)| snapshot.is_none()).count());
        let rolled = store.list_blobs(&container(), ListBlobs::new().snapshots().delimiter("/")).unwrap();
        let prefixes = rolled.items.iter().filter(|item| matches!(item, BlobItem::Prefix(_))).count();
        prop_assert_eq!(prefixes, usize::from(expected.iter().any(|(name, _)| name.starts_with("b/"))));
    }
}

#[test]
fn a_marker_of_another_listing_is_refused() {
    let (_, store) = counted();
    let list = ListBlobs::new().snapshots().marker("a");
    assert_eq!(code(store.list_blobs(&container(), list)), ErrorCode::InvalidMarker);
    let missing = at("x").at(BlobSnapshot::from(Timestamp::UNIX_EPOCH));
    assert_eq!(code(store.blob_properties(&missing, &always())), ErrorCode::BlobNotFound);
}
