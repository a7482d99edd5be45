use proptest::prelude::*;

use table_model::{
    Metadata, Uuid,
    blob::{BlobCopy, BlobHeaders, BlobType, Lease, LeaseTerm, Md5},
};

use super::*;

fn full() -> Blob {
    let time = |second: u8| format!("2014-07-31T18:00:{second:02}Z").parse::<Timestamp>().unwrap();
    let mut headers = BlobHeaders::default();
    headers.content_type = Some("text/plain".to_owned());
    headers.cache_control = Some(String::new());
    headers.content_md5 = Some(Md5([7; 16]));
    headers.other_md5 = Some("MDAw".to_owned());
    let state = BlobState {
        blob_type: Some(BlobType::Block),
        modified: time(3),
        created: time(1),
        length: 1 << 40,
        blocks: 50_000,
        block_id_bytes: 64,
        headers,
        metadata: Metadata::new().with("first", "2014-07-31").unwrap(),
        lease: Some(Lease { id: Uuid::from_u128(9), term: LeaseTerm::Fixed { seconds: 30, until: time(4) } }),
        tags: BlobTags::new().with("Status", "Done").unwrap().with("k", "").unwrap(),
        copy: Some(BlobCopy {
            id: Uuid::from_u128(8),
            source: "http://127.0.0.1/photos/a".to_owned(),
            completed: time(3),
        }),
    };
    Blob {
        state,
        contents: Contents::List(Id(77)),
        lineage: Id(70),
        stage: Some(Stage { id: Id(90), count: 3, last: time(2) }),
        shared: Some(Id(71)),
    }
}

#[test]
fn a_record_reads_back_and_no_part_of_it_does() {
    let with = |change: fn(&mut Blob)| {
        let mut blob = full();
        change(&mut blob);
        blob
    };
    let unleased = with(|blob| blob.lease = None);
    let untagged = with(|blob| blob.tags = BlobTags::new());
    let copied = with(|blob| blob.shared = None);
    let shared = with(|blob| blob.copy = None);
    let hashed = with(|blob| (blob.shared, blob.copy) = (None, None));
    let mut plain = hashed.clone();
    plain.headers.other_md5 = None;
    assert_eq!([&plain, &shared, &hashed].map(|blob| blob.encode()[0]), [VERSION, EXTENDED, EXTENDED]);
    let staged = Blob::staged(Timestamp::UNIX_EPOCH);
    for blob in [full(), unleased, untagged, copied, shared, hashed, plain, staged] {
        let body = blob.encode();
        assert_eq!(Blob::decode(&body), Some(blob));
        for end in 0..body.len() {
            assert_eq!(Blob::decode(&body[..end]), None, "{end}");
        }
        assert_eq!(Blob::decode(&[&body[..], &[0]].concat()), None);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_reading_panic(start in 0..3_usize, noise in prop::collection::vec(any::<u8>(), 0..120)) {
        let head = full().encode();
        let bytes = [&head[..start * 30], &noise].concat();
        // A decoded record is encoded to the same bytes.
        if let Some(blob) = Blob::decode(&bytes) {
            prop_assert_eq!(Blob::decode(&blob.encode()), Some(blob));
        }
    }
}
