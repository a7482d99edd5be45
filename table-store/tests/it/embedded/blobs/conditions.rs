use super::*;
use crate::embedded::support::code;
use table_store::{
    ErrorCode,
    blob::{AppendBlock, BlobETag, BlobHeaders},
};

#[test]
fn every_write_looks_at_its_conditions_and_a_refused_one_changes_nothing() {
    let (_store, blobs) = store();
    let stale: BlobETag = "\"0x1\"".parse().unwrap();
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    put(&blobs, "x", "before");
    let before = blobs.blob_properties(&at("x"), &always()).unwrap();
    let stale = BlobConditions::from(stale);
    let put_stale = PutBlob::new().conditions(stale.clone());
    let refused = [
        code(blobs.put_blob(&at("x"), "new".into(), put_stale.clone())),
        code(blobs.put_block_list(&at("x"), &[], put_stale.clone())),
        code(blobs.create_append_blob(&at("log"), put_stale.clone())),
        code(blobs.append_block(&at("log"), "x".into(), AppendBlock::new().conditions(stale.clone()))),
        code(blobs.set_blob_metadata(&at("x"), Metadata::new(), &stale)),
        code(blobs.set_blob_headers(&at("x"), BlobHeaders::default(), &stale)),
        code(blobs.delete_blob(&at("x"), &stale)),
        code(blobs.set_container_metadata(&container(), Metadata::new(), &stale)),
        code(blobs.delete_container(&container(), &stale)),
        code(blobs.get_blob(&at("x"), ReadBlob::new().conditions(stale.clone()))),
        code(blobs.blob_properties(&at("x"), &stale)),
    ];
    assert_eq!(refused, [ErrorCode::ConditionNotMet; 11]);
    assert_eq!(blobs.blob_properties(&at("x"), &always()).unwrap(), before);
    assert_eq!(get(&blobs, "x"), "before");
}

#[test]
fn a_large_blob_whose_condition_fails_at_the_end_leaves_what_was_there() {
    let (_store, blobs) = store();
    let new = PutBlob::new().conditions(BlobConditions::absent());
    let mut writer = blobs.write_blob(&at("x"), new).unwrap();
    writer.write(&content(1, 20 * CHUNK)).unwrap();
    put(&blobs, "x", "somebody was faster");
    assert_eq!(code(writer.finish()), ErrorCode::BlobAlreadyExists);
    assert_eq!(get(&blobs, "x"), "somebody was faster");
}

#[test]
fn a_read_of_what_is_known_answers_that_nothing_is_new() {
    let (_store, blobs) = store();
    put(&blobs, "x", "content");
    let known = blobs.blob_properties(&at("x"), &always()).unwrap();
    let unless = BlobConditions::none().if_none_match(known.etag.clone());
    let error = blobs.get_blob(&at("x"), ReadBlob::new().conditions(unless.clone())).unwrap_err();
    assert!(error.is_not_modified() && !error.is_conflict() && error.status() == 304);
    put(&blobs, "x", "other");
    assert_eq!(blobs.get_blob(&at("x"), ReadBlob::new().conditions(unless)).unwrap(), "other");
}

#[test]
fn what_is_absent_matches_nothing() {
    let (_store, blobs) = store();
    for conditions in [BlobConditions::exists(), "\"0x1\"".parse::<BlobETag>().unwrap().into()] {
        let put = PutBlob::new().conditions(conditions.clone());
        assert_eq!(code(blobs.put_blob(&at("x"), "x".into(), put)), ErrorCode::ConditionNotMet);
        assert_eq!(code(blobs.delete_blob(&at("x"), &conditions)), ErrorCode::ConditionNotMet);
        assert_eq!(code(blobs.blob_properties(&at("x"), &conditions)), ErrorCode::ConditionNotMet);
    }
    assert_eq!(code(blobs.delete_blob(&at("x"), &always())), ErrorCode::BlobNotFound);
}

#[test]
fn no_etag_comes_back() {
    let (_store, blobs) = store();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..20 {
        put(&blobs, "x", "same");
        assert!(seen.insert(blobs.blob_properties(&at("x"), &always()).unwrap().etag));
        blobs.delete_blob(&at("x"), &always()).unwrap();
    }
}
