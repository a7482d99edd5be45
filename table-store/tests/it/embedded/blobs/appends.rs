use super::*;
use crate::embedded::support::code;
use table_store::{
    ErrorCode,
    blob::{AppendBlock, BlobHeaders, Md5},
};

fn append(blobs: &BlockingStore, text: &str) -> (u64, u32) {
    let appended = blobs.append_block(&at("log"), text.to_owned().into(), AppendBlock::new()).unwrap();
    (appended.offset, appended.committed_blocks)
}

#[test]
fn an_append_blob_grows_at_its_end() {
    let (_store, blobs) = store();
    blobs.create_append_blob(&at("log"), PutBlob::new().content_type("text/csv")).unwrap();
    assert!(get(&blobs, "log").is_empty());
    assert_eq!(append(&blobs, "one\n"), (0, 1));
    assert_eq!(append(&blobs, "two\n"), (4, 2));
    let large = content(1, 20 * CHUNK);
    let appended = blobs.append_block(&at("log"), large.clone(), AppendBlock::new()).unwrap();
    assert_eq!((appended.offset, appended.committed_blocks), (8, 3));
    assert!(get(&blobs, "log") == [b"one\ntwo\n", &large[..]].concat());
    let said = blobs.blob_properties(&at("log"), &always()).unwrap();
    assert_eq!((said.committed_blocks, said.headers.content_type()), (Some(3), "text/csv"));
    assert_eq!((&said.etag, said.headers.content_md5), (&appended.etag, None));
    assert_eq!(blobs.get_blob(&at("log"), ReadBlob::new().range(2..6)).unwrap(), "e\ntw");
}

#[test]
fn a_reader_of_a_log_ends_where_the_log_ended_when_it_began() {
    let (_store, blobs) = store();
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    append(&blobs, "one\n");
    append(&blobs, "two\n");
    let reader = blobs.read_blob(&at("log"), ReadBlob::new()).unwrap();
    append(&blobs, "three\n");
    assert_eq!(reader.read_to_end().unwrap(), "one\ntwo\n");
}

#[test]
fn an_append_sent_twice_is_made_once_by_its_position() {
    let (_store, blobs) = store();
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let once = || blobs.append_block(&at("log"), "one".into(), AppendBlock::new().position(0));
    once().unwrap();
    assert_eq!(code(once()), ErrorCode::AppendPositionConditionNotMet);
    let most = |length| blobs.append_block(&at("log"), "two".into(), AppendBlock::new().max_size(length));
    assert_eq!(code(most(5)), ErrorCode::MaxBlobSizeConditionNotMet);
    most(6).unwrap();
    assert_eq!(get(&blobs, "log"), "onetwo");
}

#[test]
fn a_hash_does_not_outlive_what_it_is_of() {
    let (_store, blobs) = store();
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let mut headers = BlobHeaders::default();
    headers.content_md5 = Some(Md5([1; 16]));
    blobs.set_blob_headers(&at("log"), headers, &always()).unwrap();
    append(&blobs, "x");
    assert_eq!(blobs.blob_properties(&at("log"), &always()).unwrap().headers.content_md5, None);
}

#[test]
fn making_it_again_begins_anew() {
    let (_store, blobs) = store();
    for _ in 0..2 {
        blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
        assert_eq!(append(&blobs, "x"), (0, 1));
    }
    let new = PutBlob::new().conditions(BlobConditions::absent());
    assert_eq!(code(blobs.create_append_blob(&at("log"), new)), ErrorCode::BlobAlreadyExists);
}
