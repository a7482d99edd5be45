use table_store::{
    ErrorCode, Result, Uuid,
    blob::{
        AppendBlock, BlobCopied, BlobHeaders, BlobType, BlockId, BlockSource, CopyBlob, DeleteSnapshots,
        LeaseAction, LeaseDuration, SnapshotBlob,
    },
};

use super::*;

const ID: Uuid = Uuid::from_u128(7);

fn copy(store: &BlockingStore, to: &BlobAddress, from: &BlobAddress) -> Result<BlobCopied> {
    store.copy_blob(to, from, CopyBlob::new(ID).source("http://127.0.0.1/photos/x"))
}

fn code<T: std::fmt::Debug>(answer: Result<T>) -> ErrorCode {
    answer.unwrap_err().code()
}

fn snapshot(store: &BlockingStore, name: &str) -> BlobAddress {
    at(name).at(store.snapshot_blob(&at(name), SnapshotBlob::new()).unwrap().snapshot)
}

fn append(store: &BlockingStore, name: &str, text: &'static str) {
    store.append_block(&at(name), text.into(), AppendBlock::new()).unwrap();
}

#[test]
fn a_copy_has_the_content_headers_and_metadata_of_its_source() {
    let (storage, store) = counted();
    let metadata = |value: &str| Metadata::new().with("k", value).unwrap();
    let first = PutBlob::new().content_type("text/plain").metadata(metadata("1"));
    store.put_blob(&at("x"), content(1, 9 * CHUNK), first).unwrap();
    let source = store.blob_properties(&at("x"), &always()).unwrap();
    let copied = copy(&store, &at("y"), &at("x")).unwrap();
    assert_eq!(records(&storage), [9, 0, 0, 0, 0]);
    assert!(get(&store, "y") == content(1, 9 * CHUNK));
    let found = store.blob_properties(&at("y"), &always()).unwrap();
    assert_eq!((&found.headers, &found.metadata), (&source.headers, &source.metadata));
    assert_eq!((found.etag, found.created), (copied.version.etag, copied.version.last_modified));
    let copy_of = found.copy.unwrap();
    assert_eq!((copy_of.id, copied.id), (ID, ID));
    assert_eq!(copy_of.source, "http://127.0.0.1/photos/x");
    assert_eq!(copy_of.completed, copied.version.last_modified);
    assert_eq!(store.blob_properties(&at("x"), &always()).unwrap(), source);

    store.copy_blob(&at("z"), &at("y"), CopyBlob::new(ID).metadata(metadata("own"))).unwrap();
    assert_eq!(store.blob_properties(&at("z"), &always()).unwrap().metadata.get("k"), Some("own"));
    // Each of them can go first.
    store.delete_blob(&at("x"), &always()).unwrap();
    put(&store, "z", "");
    store.swept().unwrap();
    assert_eq!(records(&storage), [9, 0, 0, 0, 0]);
    assert!(get(&store, "y") == content(1, 9 * CHUNK) && store.scrub().unwrap().is_sound());
    store.delete_blob(&at("y"), &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_snapshot_is_promoted_over_its_blob() {
    let (storage, store) = counted();
    put(&store, "x", content(1, 2 * CHUNK));
    let old = snapshot(&store, "x");
    put(&store, "x", content(2, 3 * CHUNK));
    copy(&store, &at("x"), &old).unwrap();
    store.swept().unwrap();
    assert!(get(&store, "x") == content(1, 2 * CHUNK));
    assert_eq!((records(&storage), shared(&storage)), ([2, 0, 0, 0, 0], [1, 2]));
    // Again, although the blob has these contents already.
    copy(&store, &at("x"), &old).unwrap();
    store.delete_blob(&old, &always()).unwrap();
    store.swept().unwrap();
    assert!(get(&store, "x") == content(1, 2 * CHUNK));
    store.delete_blob(&at("x"), &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn copies_of_an_append_blob_grow_on_their_own() {
    let (storage, store) = counted();
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    append(&store, "log", "one ");
    let old = snapshot(&store, "log");
    append(&store, "log", "two ");
    copy(&store, &at("copy"), &at("log")).unwrap();
    copy(&store, &at("older"), &old).unwrap();
    append(&store, "copy", "of copy ");
    append(&store, "older", "of older ");
    append(&store, "log", "three ");
    let expected = [("log", "one two three "), ("copy", "one two of copy "), ("older", "one of older ")];
    for (name, text) in expected {
        assert_eq!(get(&store, name), text);
    }
    assert_eq!(store.blob_properties(&at("older"), &always()).unwrap().committed_blocks, Some(2));
    copy(&store, &at("log"), &old).unwrap();
    append(&store, "log", "again ");
    store.swept().unwrap();
    assert_eq!((get(&store, "log"), get(&store, "copy")), ("one again ".into(), "one two of copy ".into()));
    // One, two, of copy, of older, again.
    assert_eq!(records(&storage)[0], 5);
    assert!(store.scrub().unwrap().is_sound());
    store.delete_snapshots(&at("log"), DeleteSnapshots::Include, &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(
        (get(&store, "copy"), get(&store, "older")),
        ("one two of copy ".into(), "one of older ".into())
    );
    assert_eq!(records(&storage)[0], 4);
    for name in ["copy", "older"] {
        store.delete_blob(&at(name), &always()).unwrap();
    }
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_list_of_blocks_is_shared_until_it_is_changed() {
    let (storage, store) = counted();
    let id = |number: u8| BlockId::new([number]).unwrap();
    for number in [1, 2] {
        store.put_block(&at("x"), &id(number), content(number.into(), CHUNK), PutBlock::new()).unwrap();
    }
    let latest = |number: u8| BlockSource::Latest(id(number));
    store.put_block_list(&at("x"), &[latest(1), latest(2)], PutBlob::new()).unwrap();
    copy(&store, &at("y"), &at("x")).unwrap();
    assert_eq!(records(&storage), [2, 2, 0, 0, 0]);
    assert_eq!(store.block_list(&at("y")).unwrap().committed.len(), 2);
    store.put_block_list(&at("y"), &[latest(2)], PutBlob::new()).unwrap();
    store.delete_blob(&at("x"), &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [1, 1, 0, 0, 0]);
    assert!(get(&store, "y") == content(2, CHUNK));
    store.delete_blob(&at("y"), &always()).unwrap();
    store.swept().unwrap();
    assert_empty(&storage);
}

#[test]
fn a_blob_copied_to_itself_keeps_its_contents() {
    let (storage, store) = counted();
    put(&store, "x", content(1, 2 * CHUNK));
    store.put_block(&at("x"), &BlockId::new("1").unwrap(), "staged".into(), PutBlock::new()).unwrap();
    let request = CopyBlob::new(ID).metadata(Metadata::new().with("k", "v").unwrap());
    let copied = store.copy_blob(&at("x"), &at("x"), request).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [2, 0, 0, 0, 0]);
    let found = store.blob_properties(&at("x"), &always()).unwrap();
    assert_eq!((found.etag, found.metadata.get("k")), (copied.version.etag, Some("v")));
    assert!(get(&store, "x") == content(1, 2 * CHUNK));
}

#[test]
fn conditions_types_and_leases_of_both_blobs_are_checked() {
    let (_, store) = counted();
    put(&store, "x", "one");
    put(&store, "y", "two");
    store.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    assert_eq!(code(copy(&store, &at("y"), &at("none"))), ErrorCode::BlobNotFound);
    let elsewhere = BlobAddress::new("missing", "x").unwrap();
    assert_eq!(code(copy(&store, &at("y"), &elsewhere)), ErrorCode::ContainerNotFound);
    assert_eq!(code(copy(&store, &elsewhere, &at("y"))), ErrorCode::ContainerNotFound);
    assert_eq!(code(copy(&store, &at("log"), &at("x"))), ErrorCode::InvalidBlobType);
    assert_eq!(code(copy(&store, &snapshot(&store, "y"), &at("x"))), ErrorCode::InvalidOperation);
    let with = |request: CopyBlob| store.copy_blob(&at("y"), &at("x"), request);
    let other = BlobConditions::from("\"0x1\"".parse::<table_store::blob::BlobETag>().unwrap());
    assert_eq!(
        code(with(CopyBlob::new(ID).conditions(BlobConditions::absent()))),
        ErrorCode::BlobAlreadyExists
    );
    assert_eq!(code(with(CopyBlob::new(ID).conditions(other.clone()))), ErrorCode::ConditionNotMet);
    assert_eq!(code(with(CopyBlob::new(ID).source_conditions(other))), ErrorCode::SourceConditionNotMet);
    assert_eq!(code(with(CopyBlob::new(ID).source("x".repeat(3_000)))), ErrorCode::InvalidHeaderValue);
    let lease = |name: &str, id: u128| {
        let (id, duration) = (Uuid::from_u128(id), LeaseDuration::Infinite);
        store.lease_blob(&at(name), &LeaseAction::Acquire { id, duration }, &always()).unwrap();
        always().lease(id)
    };
    let (source, target) = (lease("x", 1), lease("y", 2));
    assert_eq!(code(with(CopyBlob::new(ID))), ErrorCode::LeaseIdMissing);
    let mismatch = CopyBlob::new(ID).conditions(target.clone()).source_conditions(target.clone());
    assert_eq!(code(with(mismatch)), ErrorCode::LeaseIdMismatchWithBlobOperation);
    assert_eq!(get(&store, "y"), "two");
    with(CopyBlob::new(ID).conditions(target).source_conditions(source)).unwrap();
    assert_eq!(get(&store, "y"), "one");
    assert!(store.blob_properties(&at("y"), &always()).unwrap().lease.is_locked());
}

#[test]
fn uncommitted_blocks_of_the_target_are_discarded() {
    let (storage, store) = counted();
    put(&store, "x", "one");
    store.put_block(&at("y"), &BlockId::new("1").unwrap(), "staged".into(), PutBlock::new()).unwrap();
    copy(&store, &at("y"), &at("x")).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [1, 0, 0, 0, 0]);
    assert!(store.block_list(&at("y")).unwrap().uncommitted.is_empty());
}

#[test]
fn the_copy_is_reported_until_the_blob_is_another() {
    let (_, store) = counted();
    put(&store, "x", "one");
    let copied = || copy(&store, &at("y"), &at("x")).unwrap();
    let reported = || store.blob_properties(&at("y"), &always()).unwrap().copy.is_some();
    copied();
    store.set_blob_metadata(&at("y"), Metadata::new(), &always()).unwrap();
    assert!(reported());
    let kept = snapshot(&store, "y");
    assert!(store.blob_properties(&kept, &always()).unwrap().copy.is_some());
    store.set_blob_headers(&at("y"), BlobHeaders::default(), &always()).unwrap();
    assert!(!reported());
    copied();
    put(&store, "y", "two");
    assert!(!reported());
    copied();
    store.put_block_list(&at("y"), &[], PutBlob::new()).unwrap();
    assert!(!reported());
    assert_eq!(store.blob_properties(&at("y"), &always()).unwrap().blob_type, BlobType::Block);
}

#[test]
fn copies_between_containers_survive_the_deletion_of_either() {
    for first in ["photos", "copies"] {
        let (storage, store) = counted();
        let copies: ContainerName = "copies".parse().unwrap();
        store.create_container(&copies, Metadata::new()).unwrap();
        let to = BlobAddress::new("copies", "x").unwrap();
        put(&store, "x", content(1, 2 * CHUNK));
        copy(&store, &to, &at("x")).unwrap();
        store.delete_container(&first.parse().unwrap(), &always()).unwrap();
        store.close().unwrap();
        let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
        store.swept().unwrap();
        let rest = if first == "photos" { to } else { at("x") };
        assert!(store.get_blob(&rest, ReadBlob::new()).unwrap() == content(1, 2 * CHUNK));
        store.delete_container(&rest.container, &always()).unwrap();
        store.swept().unwrap();
        assert_empty(&storage);
    }
}
