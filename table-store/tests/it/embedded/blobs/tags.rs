use table_store::{
    ErrorCode, MemoryDisk, Uuid,
    blob::{
        AppendBlock, BlobHeaders, BlobItem, BlobTags, BlockId, CopyBlob, DeleteSnapshots, FindBlobs,
        LeaseAction, LeaseDuration, LeaseState, ListBlobs, SnapshotBlob, TagCondition,
    },
};

use super::*;
use crate::embedded::support::{HandClock, code};

fn tags(pairs: &[(&str, &str)]) -> BlobTags {
    pairs.iter().fold(BlobTags::new(), |tags, (key, value)| tags.with(*key, *value).unwrap())
}

fn put_tagged(blobs: &BlockingStore, at: &BlobAddress, pairs: &[(&str, &str)]) {
    blobs.put_blob(at, "x".into(), PutBlob::new().tags(tags(pairs))).unwrap();
}

fn find(filter: &str) -> FindBlobs {
    FindBlobs::new(filter.parse().unwrap())
}

/// Returns the names of all results and the number of segments.
fn found(blobs: &BlockingStore, mut request: FindBlobs) -> (Vec<String>, usize) {
    let (mut names, mut segments) = (Vec::new(), 0);
    loop {
        let segment = blobs.find_blobs(request.clone()).unwrap();
        segments += 1;
        names.extend(segment.blobs.iter().map(|found| found.blob.to_string()));
        request.marker = segment.next_marker;
        if request.marker.is_none() {
            return (names, segments);
        }
    }
}

fn names(blobs: &BlockingStore, request: FindBlobs) -> Vec<String> {
    found(blobs, request).0
}

const NAMES: [&str; 4] = ["whole", "large", "blocks", "log"];

#[test]
fn tags_are_stored_with_the_blob_and_replaced_with_it() {
    let disk = MemoryDisk::new();
    let open = |disk| OpenOptions::new().open_disk(disk).unwrap().blocking();
    let (block, pairs) = (BlockId::new("1").unwrap(), [("Status", "Done"), ("k", "")]);
    let blobs = open(disk.clone());
    blobs.create_container(&container(), Metadata::new()).unwrap();
    let tagged = || PutBlob::new().tags(tags(&pairs));
    blobs.put_blob(&at("whole"), "x".into(), tagged()).unwrap();
    let mut writer = blobs.write_blob(&at("large"), tagged()).unwrap();
    writer.write(&content(1, 2 * CHUNK)).unwrap();
    writer.finish().unwrap();
    blobs.put_block(&at("blocks"), &block, "x".into(), PutBlock::new()).unwrap();
    blobs.put_block_list(&at("blocks"), &[table_store::blob::BlockSource::Latest(block)], tagged()).unwrap();
    blobs.create_append_blob(&at("log"), tagged()).unwrap();
    // Neither an append nor new metadata or headers remove tags.
    blobs.append_block(&at("log"), "line".into(), AppendBlock::new()).unwrap();
    blobs.set_blob_metadata(&at("log"), Metadata::new().with("a", "1").unwrap(), &always()).unwrap();
    blobs.set_blob_headers(&at("log"), BlobHeaders::default(), &always()).unwrap();

    // After the end of the process, and after a close.
    let copy = open(disk.copied());
    drop(blobs);
    let blobs = open(disk);
    for (blobs, name) in [&copy, &blobs].into_iter().flat_map(|blobs| NAMES.map(|name| (blobs, name))) {
        assert_eq!(blobs.blob_tags(&at(name), &always()).unwrap(), tags(&pairs), "{name}");
        let properties = blobs.blob_properties(&at(name), &always()).unwrap();
        assert_eq!((properties.tag_count, properties.tags), (2, None));
    }
    assert!(blobs.scrub().unwrap().is_sound());
    // A new blob of the name has its own tags.
    put(&blobs, "whole");
    blobs.put_block_list(&at("blocks"), &[], PutBlob::new()).unwrap();
    for name in ["whole", "blocks"] {
        assert!(blobs.blob_tags(&at(name), &always()).unwrap().is_empty());
    }
    assert_eq!(names(&blobs, find("Status = 'Done'")), ["photos/large", "photos/log"]);
}

fn put(blobs: &BlockingStore, name: &str) {
    super::put(blobs, name, "x");
}

#[test]
fn new_tags_change_no_version_and_keep_an_expired_lease() {
    let clock = HandClock::at("2026-11-25T12:00:00Z");
    let (_store, blobs) = with_container(&OpenOptions::new().clock(clock.clone()));
    put(&blobs, "x");
    let id = Uuid::from_u128(0xa);
    let acquire = LeaseAction::Acquire { id, duration: LeaseDuration::Seconds(15) };
    blobs.lease_blob(&at("x"), &acquire, &always()).unwrap();
    let before = blobs.blob_properties(&at("x"), &always()).unwrap().version();
    let set = |conditions: &BlobConditions| blobs.set_blob_tags(&at("x"), tags(&[("a", "1")]), conditions);
    assert_eq!(code(set(&always())), ErrorCode::LeaseIdMissing);
    set(&always().lease(id)).unwrap();
    let other = always().lease(Uuid::from_u128(0xb));
    assert_eq!(code(blobs.blob_tags(&at("x"), &other)), ErrorCode::LeaseIdMismatchWithBlobOperation);
    clock.forward(16);
    set(&always()).unwrap();
    let after = blobs.blob_properties(&at("x"), &always()).unwrap();
    assert_eq!((after.version(), after.lease), (before, LeaseState::Expired));
    blobs.lease_blob(&at("x"), &LeaseAction::Renew { id }, &always()).unwrap();

    blobs.set_blob_tags(&at("x"), BlobTags::new(), &always().lease(id)).unwrap();
    assert_eq!(blobs.blob_properties(&at("x"), &always()).unwrap().tag_count, 0);
    assert_eq!(code(blobs.set_blob_tags(&at("none"), BlobTags::new(), &always())), ErrorCode::BlobNotFound);
    assert_eq!(code(blobs.blob_tags(&at("none"), &always())), ErrorCode::BlobNotFound);
}

#[test]
fn each_operation_of_a_blob_checks_the_condition_on_tags() {
    let (_store, blobs) = store();
    put_tagged(&blobs, &at("x"), &[("Status", "Open")]);
    blobs.create_append_blob(&at("log"), PutBlob::new().tags(tags(&[("Status", "Open")]))).unwrap();
    let (done, open) = ("Status = 'Done'", "Status <> 'Done'");
    let condition = |text: &str| always().tags(text.parse::<TagCondition>().unwrap());
    let break_lease = LeaseAction::Break { seconds: None };
    let outcomes = |conditions: &BlobConditions| {
        let put = || PutBlob::new().tags(tags(&[("Status", "Open")])).conditions(conditions.clone());
        let code = |result: Result<(), table_store::TableError>| result.err().map(|error| error.code());
        [
            code(blobs.get_blob(&at("x"), ReadBlob::new().conditions(conditions.clone())).map(drop)),
            code(blobs.blob_properties(&at("x"), conditions).map(drop)),
            code(blobs.blob_tags(&at("x"), conditions).map(drop)),
            code(blobs.set_blob_tags(&at("x"), tags(&[("Status", "Open")]), conditions)),
            code(blobs.put_blob(&at("x"), "new".into(), put()).map(drop)),
            code(blobs.put_block_list(&at("x"), &[], put()).map(drop)),
            code(blobs.set_blob_metadata(&at("x"), Metadata::new(), conditions).map(drop)),
            code(blobs.set_blob_headers(&at("x"), BlobHeaders::default(), conditions).map(drop)),
            code(blobs.lease_blob(&at("x"), &break_lease, conditions).map(drop)),
            code(
                blobs
                    .append_block(&at("log"), "x".into(), AppendBlock::new().conditions(conditions.clone()))
                    .map(drop),
            ),
            code(blobs.create_append_blob(&at("log"), put()).map(drop)),
            code(blobs.delete_blob(&at("x"), conditions)),
        ]
    };
    let before = blobs.blob_properties(&at("x"), &always()).unwrap();
    assert_eq!(outcomes(&condition(done)), [Some(ErrorCode::ConditionNotMet); 12]);
    assert_eq!(blobs.blob_properties(&at("x"), &always()).unwrap(), before);
    let mut expected = [None; 12];
    // There is no lease to break.
    expected[8] = Some(ErrorCode::LeaseNotPresentWithLeaseOperation);
    assert_eq!(outcomes(&condition(open)), expected);
    // The blob is deleted now: nothing is created under a condition.
    let absent = PutBlob::new().conditions(condition(open));
    assert_eq!(code(blobs.put_blob(&at("x"), "new".into(), absent)), ErrorCode::ConditionNotMet);
    assert_eq!(code(blobs.blob_properties(&at("x"), &condition(open))), ErrorCode::BlobNotFound);
    let container = blobs.container_properties(&container(), &condition(open));
    assert_eq!(code(container), ErrorCode::ConditionNotMet);
}

#[test]
fn blobs_are_found_in_all_containers_or_in_one() {
    let (_store, blobs) = store();
    let films: ContainerName = "films".parse().unwrap();
    let old: ContainerName = "old".parse().unwrap();
    for name in [&films, &old] {
        blobs.create_container(name, Metadata::new()).unwrap();
        let at = BlobAddress::from((name.clone(), "x".parse().unwrap()));
        put_tagged(&blobs, &at, &[("Status", "Done"), ("Rank", "05")]);
    }
    put_tagged(&blobs, &at("x"), &[("Status", "Done"), ("Rank", "10"), ("more", "1")]);
    put_tagged(&blobs, &at("y"), &[("Status", "Open"), ("Rank", "10")]);
    put(&blobs, "z");
    blobs.put_block(&at("draft"), &BlockId::new("1").unwrap(), "x".into(), PutBlock::new()).unwrap();
    blobs.delete_container(&old, &always()).unwrap();

    assert_eq!(names(&blobs, find("Status = 'Done'")), ["films/x", "photos/x"]);
    assert_eq!(names(&blobs, find("Status > 'D' AND Rank = '10'")), ["photos/x", "photos/y"]);
    assert_eq!(names(&blobs, find("@container = 'photos' AND Rank >= '05'")), ["photos/x", "photos/y"]);
    assert_eq!(names(&blobs, find("Rank >= '05'").within(films.clone())), ["films/x"]);
    assert_eq!(names(&blobs, find("@container = 'old' AND Rank = '05'")), [""; 0]);
    assert_eq!(names(&blobs, find("@container = 'No Container' AND Rank = '05'")), [""; 0]);
    assert_eq!(code(blobs.find_blobs(find("Rank = '05'").within(old))), ErrorCode::ContainerNotFound);
    let both = find("@container = 'films' AND Rank = '05'").within(films);
    assert_eq!(code(blobs.find_blobs(both)), ErrorCode::InvalidQueryParameterValue);
    let none = find("Rank = '05'").max_results(0);
    assert_eq!(code(blobs.find_blobs(none)), ErrorCode::OutOfRangeQueryParameterValue);

    // Only the tags of the filter are returned, and a listing contains all.
    let segment = blobs.find_blobs(find("Rank = '10'").within(container()).max_results(1)).unwrap();
    assert_eq!(segment.blobs[0].tags, tags(&[("Rank", "10")]));
    assert_eq!(segment.next_marker.as_deref(), Some("photos/y"));
    let listed = blobs.list_blobs(&container(), ListBlobs::new().prefix("x").tags()).unwrap();
    let [BlobItem::Blob { properties, .. }] = &listed.items[..] else { panic!() };
    assert_eq!(properties.tags, Some(tags(&[("Status", "Done"), ("Rank", "10"), ("more", "1")])));
    assert_eq!(properties.tag_count, 3);
}

#[test]
fn segments_of_a_search_together_are_all_blobs() {
    let (_store, blobs) = store();
    let mut expected = Vec::new();
    for (number, container) in ["a-1", "a-10", "a-2", "empty", "photos"].into_iter().enumerate() {
        let name: ContainerName = container.parse().unwrap();
        if container != "photos" {
            blobs.create_container(&name, Metadata::new()).unwrap();
        }
        for blob in ["a", "a/bc", "b"].into_iter().take(if container == "empty" { 0 } else { 3 }) {
            let at = BlobAddress::new(container, blob).unwrap();
            let is_even = (number + blob.len()) % 2 == 0;
            put_tagged(&blobs, &at, &[("even", if is_even { "yes" } else { "no" })]);
            expected.extend(is_even.then(|| at.to_string()));
        }
    }
    assert_eq!(expected.len(), 5);
    for most in 1..8 {
        let (names, segments) = found(&blobs, find("even = 'yes'").max_results(most));
        assert_eq!(names, expected, "{most}");
        assert!(segments <= expected.len() / most as usize + 1, "{segments} of {most}");
    }
}

#[test]
fn a_segment_ends_at_4_mib_of_found_records() {
    let (_store, blobs) = store();
    let long = "v".repeat(256);
    let pairs: Vec<_> = (0..10).map(|number| (format!("k{number}"), long.clone())).collect();
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let full = Metadata::new().with("m", "v".repeat(8_000)).unwrap();
    for number in 0..400 {
        let put = PutBlob::new().tags(tags(&pairs)).metadata(full.clone());
        blobs.put_blob(&at(&format!("{number:03}")), "".into(), put).unwrap();
    }
    // Each record has about 10.5 KiB.
    let (names, segments) = found(&blobs, find("k1 > ''"));
    assert_eq!((names.len(), segments), (400, 2));
    let (names, segments) = found(&blobs, find("k1 = ''"));
    assert_eq!((names.len(), segments), (0, 1));
}

#[test]
fn a_snapshot_keeps_the_tags_that_the_blob_had() {
    let (_, blobs) = store();
    let (old, new) = (tags(&[("k", "1")]), tags(&[("k", "2"), ("n", "")]));
    blobs.put_blob(&at("x"), "x".into(), PutBlob::new().tags(old.clone())).unwrap();
    let snapshot = at("x").at(blobs.snapshot_blob(&at("x"), SnapshotBlob::new()).unwrap().snapshot);
    blobs.set_blob_tags(&at("x"), new.clone(), &always()).unwrap();
    assert_eq!(blobs.blob_tags(&snapshot, &always()).unwrap(), old);
    assert_eq!(blobs.blob_properties(&snapshot, &always()).unwrap().tag_count, 1);
    let refused = blobs.set_blob_tags(&snapshot, BlobTags::new(), &always());
    assert_eq!(code(refused), ErrorCode::InvalidOperation);

    let listed = blobs.list_blobs(&container(), ListBlobs::new().snapshots().tags()).unwrap().items;
    let listed = listed.iter().map(|item| match item {
        BlobItem::Blob { properties, .. } => properties.tags.clone(),
        _ => None,
    });
    assert_eq!(listed.collect::<Vec<_>>(), [Some(old), Some(new)]);
    // A search finds blobs only.
    assert_eq!(names(&blobs, find("k = '1'")), [""; 0]);
    assert_eq!(names(&blobs, find("k = '2'")), ["photos/x"]);

    let other = BlobConditions::none().tags("k = '1'".parse().unwrap());
    let refused = blobs.snapshot_blob(&at("x"), SnapshotBlob::new().conditions(other.clone()));
    assert_eq!(code(refused), ErrorCode::ConditionNotMet);
    let refused = blobs.delete_snapshots(&at("x"), DeleteSnapshots::Include, &other);
    assert_eq!(code(refused), ErrorCode::ConditionNotMet);
    blobs.delete_blob(&snapshot, &other).unwrap();
}

#[test]
fn a_copy_has_the_tags_of_its_request_or_of_its_source() {
    let (_, blobs) = store();
    let (old, new) = (tags(&[("k", "1")]), tags(&[("k", "2")]));
    blobs.put_blob(&at("x"), "x".into(), PutBlob::new().tags(old.clone())).unwrap();
    let snapshot = at("x").at(blobs.snapshot_blob(&at("x"), SnapshotBlob::new()).unwrap().snapshot);
    blobs.set_blob_tags(&at("x"), new.clone(), &always()).unwrap();
    let request = || CopyBlob::new(Uuid::from_u128(7));
    let copied = |to: &str, from: &BlobAddress, request: CopyBlob| {
        blobs.copy_blob(&at(to), from, request)?;
        blobs.blob_tags(&at(to), &always())
    };
    assert_eq!(copied("y", &at("x"), request().source_tags()).unwrap(), new);
    assert_eq!(copied("y", &snapshot, request().source_tags()).unwrap(), old);
    assert_eq!(names(&blobs, find("k = '1'")), ["photos/y"]);

    let condition = |text: &str| BlobConditions::none().tags(text.parse().unwrap());
    let refused = copied("y", &at("x"), request().source_conditions(condition("k = '1'")));
    assert_eq!(code(refused), ErrorCode::SourceConditionNotMet);
    let refused = copied("y", &at("x"), request().conditions(condition("k = '2'")));
    assert_eq!(code(refused), ErrorCode::ConditionNotMet);
    assert_eq!(blobs.blob_tags(&at("y"), &always()).unwrap(), old);
    let both = request().source_conditions(condition("k = '2'")).conditions(condition("k = '1'"));
    assert_eq!(copied("y", &at("x"), both).unwrap(), BlobTags::new());
    let own = tags(&[("own", "3")]);
    assert_eq!(copied("y", &at("x"), request().tags(own.clone())).unwrap(), own);

    // A snapshot that becomes the blob again, and a blob that is copied to itself, are copies too.
    assert_eq!(copied("x", &snapshot, request().source_tags()).unwrap(), old);
    assert_eq!(copied("x", &at("x"), request().source_tags()).unwrap(), old);
    assert_eq!(copied("x", &at("x"), request()).unwrap(), BlobTags::new());
}
