use bytes::Bytes;
use table_model::{
    ErrorCode, Metadata, Timestamp,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobState, BlobTags, BlobType, BlockId, ContainerName,
        ContainerState, FindBlobs, PutBlob, PutBlock,
    },
};

use super::{
    container::Container,
    garbage::{Garbage, What},
    place::{self, Id},
    record::Blob,
};
use crate::{
    BlockingStore, Clock, MapStorage, OpenOptions, checksum::seal, format_page::documented, keys::TableId,
};

/// A stopped clock; timestamps still increase by one tick.
#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        "2017-08-30T13:20:33.413914Z".parse().unwrap()
    }
}

#[test]
fn the_blob_of_the_format_page_is_what_is_stored() {
    let storage = MapStorage::default();
    let blobs = OpenOptions::new().clock(Standing).open_map(storage.clone()).unwrap().blocking();
    let at = BlobAddress::new("photos", "jo.txt").unwrap();
    blobs.create_container(&at.container, Metadata::new()).unwrap();
    blobs.put_blob(&at, Bytes::from("hello"), PutBlob::new().content_type("text/plain")).unwrap();
    let stored: Vec<_> = storage
        .entries()
        .into_iter()
        .filter(|(key, _)| place::SPACES.iter().any(|space| key.starts_with(&space.prefix())))
        .collect();
    let of = |what: &str| {
        (documented(&format!("The key of the {what}:")), documented(&format!("The record of the {what}:")))
    };
    let expected = [of("container"), of("blob"), of("chunk")];
    assert_eq!(format!("{stored:02x?}"), format!("{expected:02x?}"));
}

fn store(storage: &MapStorage) -> BlockingStore {
    OpenOptions::new().clock(Standing).open_map(storage.clone()).unwrap().blocking()
}

/// Changes the only stored blob.
fn change_blob(storage: &MapStorage, change: impl FnOnce(&mut Blob)) {
    let stored = storage.entries().into_iter().find(|(key, _)| key.starts_with(&place::BLOBS.prefix()));
    let (key, record) = stored.unwrap();
    let mut blob = Blob::decode(&record[..record.len() - 4]).unwrap();
    change(&mut blob);
    let mut record = blob.encode();
    seal(&key, &mut record);
    storage.put(key, record);
}

#[test]
fn blocks_beyond_the_limits_are_refused() {
    let storage = MapStorage::default();
    let store = store(&storage);
    let at = BlobAddress::new("photos", "x").unwrap();
    store.create_container(&at.container, Metadata::new()).unwrap();
    store.create_append_blob(&at, PutBlob::new()).unwrap();
    let append = || store.append_block(&at, "x".into(), AppendBlock::new());
    change_blob(&storage, |blob| blob.blocks = 49_999);
    assert_eq!(append().unwrap().committed_blocks, 50_000);
    let error = append().unwrap_err();
    assert_eq!((error.code(), error.status()), (ErrorCode::BlockCountExceedsLimit, 409));

    store.delete_blob(&at, &BlobConditions::none()).unwrap();
    let put = |id: u8| store.put_block(&at, &BlockId::new([id]).unwrap(), "x".into(), PutBlock::new());
    put(1).unwrap();
    change_blob(&storage, |blob| blob.stage.as_mut().unwrap().count = 99_999);
    put(2).unwrap();
    let error = put(3).unwrap_err();
    assert_eq!(error.code(), ErrorCode::BlockCountExceedsLimit);
    assert!(error.message().contains("100,000"), "{error}");
    // A block that replaces another one does not count.
    put(1).unwrap();
}

#[test]
fn a_name_is_free_while_its_container_is_being_swept() {
    let storage = MapStorage::default();
    let store = store(&storage);
    let name = "photos".parse().unwrap();
    // As earlier versions left it: the garbage names the container.
    let time = Timestamp::UNIX_EPOCH;
    let leaving =
        Container { id: Id::at(time), live: false, state: ContainerState::new(time, Metadata::new()) };
    let garbage = Garbage::new(leaving.id, What::Container("photos".parse().unwrap()), leaving.id);
    let records = [
        (place::container(&name), leaving.encode()),
        (place::blob(leaving.id, &"old".parse().unwrap()), Blob::staged(time).encode()),
        (garbage.key(), garbage.encode()),
    ];
    for (key, mut record) in records {
        seal(&key, &mut record);
        storage.put(key, record);
    }
    assert_eq!(
        store.container_properties(&name, &BlobConditions::none()).unwrap_err().code(),
        ErrorCode::ContainerNotFound
    );
    store.create_container(&name, Metadata::new()).unwrap();
    let at = BlobAddress::new("photos", "new").unwrap();
    store.put_blob(&at, Bytes::from("hello"), PutBlob::new()).unwrap();
    store.swept().unwrap();
    let spaces =
        |space: TableId| storage.entries().iter().filter(|(key, _)| key.starts_with(&space.prefix())).count();
    assert_eq!([place::CONTAINERS, place::BLOBS, place::GARBAGE].map(spaces), [1, 1, 0]);
    assert_eq!(store.get_blob(&at, table_model::blob::ReadBlob::new()).unwrap(), "hello");
    assert!(store.scrub().unwrap().is_sound());
}

#[test]
fn the_record_of_a_swept_container_is_moved_to_a_name_that_no_record_has() {
    let storage = MapStorage::default();
    let store = store(&storage);
    let time = Timestamp::UNIX_EPOCH;
    let leaving =
        Container { id: Id::at(time), live: false, state: ContainerState::new(time, Metadata::new()) };
    let taken: ContainerName = format!("deleted-{}-0", leaving.id.number()).parse().unwrap();
    store.create_container(&taken, Metadata::new()).unwrap();
    let name = "photos".parse().unwrap();
    let (key, mut record) = (place::container(&name), leaving.encode());
    seal(&key, &mut record);
    storage.put(key, record);
    store.create_container(&name, Metadata::new()).unwrap();
    store.swept().unwrap();
    for name in [&taken, &name] {
        store.container_properties(name, &BlobConditions::none()).unwrap();
    }
    let containers =
        storage.entries().iter().filter(|(key, _)| key.starts_with(&place::CONTAINERS.prefix())).count();
    assert_eq!(containers, 2);
}

fn put_record(storage: &MapStorage, key: Vec<u8>, mut record: Vec<u8>) {
    seal(&key, &mut record);
    storage.put(key, record);
}

#[test]
fn a_segment_of_a_search_examines_ten_thousand_records() {
    let storage = MapStorage::default();
    let store = store(&storage);
    let time = Timestamp::UNIX_EPOCH;
    let container = |number: u32, live| {
        let id = Id::at(time.saturating_add(std::time::Duration::from_secs(number.into())));
        let container = Container { id, live, state: ContainerState::new(time, Metadata::new()) };
        put_record(&storage, place::container(&format!("c-{number}").parse().unwrap()), container.encode());
        id
    };
    // The last of 12,000 blobs has the tag; a deleted container, an empty one and one with the tag follow.
    let (first, _, _, last) =
        (container(1, true), container(2, false), container(3, true), container(4, true));
    let tagged = |value: &str| {
        let mut blob = Blob::new(BlobState::new(Some(BlobType::Block), time), time);
        blob.tags = BlobTags::new().with("a", value).unwrap();
        blob.encode()
    };
    for number in 0..12_000 {
        let name = format!("{number:05}").parse().unwrap();
        put_record(&storage, place::blob(first, &name), tagged(if number == 11_999 { "1" } else { "2" }));
    }
    put_record(&storage, place::blob(last, &"x".parse().unwrap()), tagged("1"));

    let find = FindBlobs::new("a = '1'".parse().unwrap());
    let none = store.find_blobs(find.clone()).unwrap();
    // The record of the container is one of them.
    assert_eq!((none.blobs.len(), none.next_marker.as_deref()), (0, Some("c-1/09999")));
    let rest = store.find_blobs(find.marker("c-1/09999")).unwrap();
    let names: Vec<_> = rest.blobs.iter().map(|found| found.blob.to_string()).collect();
    assert_eq!((names, rest.next_marker), (vec!["c-1/11999".to_owned(), "c-4/x".to_owned()], None));
}

#[test]
fn a_segment_of_a_search_ends_between_containers() {
    let storage = MapStorage::default();
    let store = store(&storage);
    for number in 0..10_002_i64 {
        let id = Id::at(Timestamp::from_ticks(1_000 + number).unwrap());
        let container = Container {
            id,
            live: number % 2 == 0,
            state: ContainerState::new(Timestamp::UNIX_EPOCH, Metadata::new()),
        };
        put_record(
            &storage,
            place::container(&format!("c-{number:05}").parse().unwrap()),
            container.encode(),
        );
    }
    let find = FindBlobs::new("a = '1'".parse().unwrap());
    let segment = store.find_blobs(find.clone()).unwrap();
    assert_eq!(segment.next_marker.as_deref(), Some("c-10000"));
    assert_eq!(store.find_blobs(find.marker("c-10000")).unwrap().next_marker, None);
}

/// A library without tags requires bit 7 to be 0, and reports the record as damaged.
#[test]
fn tags_are_marked_by_the_last_bit_of_the_headers_while_there_are_any() {
    let time = Timestamp::UNIX_EPOCH;
    let untagged = Blob::new(BlobState::new(Some(BlobType::Block), time), time);
    let mut tagged = untagged.clone();
    tagged.tags = BlobTags::new().with("k", "v").unwrap();
    let (without, with) = (untagged.encode(), tagged.encode());
    let bits = without.len() - 3;
    assert_eq!((without[bits], with[bits]), (0, 1 << 7));
    assert_eq!(with[without.len()..], *b"\x01\x01\0k\x01\0v");
    tagged.tags = BlobTags::new();
    assert_eq!(tagged.encode(), without);
}
