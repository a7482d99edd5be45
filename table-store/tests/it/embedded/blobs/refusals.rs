use super::*;
use crate::embedded::support::code;
use table_store::{
    ErrorCode, Uuid,
    blob::{AppendBlock, BlobFeature, BlobHeaders, BlockId, BlockSource, ListBlobs, Md5},
};

fn id() -> BlockId {
    BlockId::new("1").unwrap()
}

/// Triggers each error code of the service with a matching request.
#[test]
fn every_refusal_has_the_services_code() {
    let (_store, blobs) = store();
    let (x, log, absent) = (at("x"), at("log"), at("absent"));
    let elsewhere = BlobAddress::new("elsewhere", "x").unwrap();
    put(&blobs, "x", "content");
    blobs.create_append_blob(&log, PutBlob::new()).unwrap();
    let append = |at: &BlobAddress| code(blobs.append_block(at, "x".into(), AppendBlock::new()));
    let read = |read| code(blobs.get_blob(&x, read));
    let block = |at: &BlobAddress, content: &'static str| {
        code(blobs.put_block(at, &id(), content.into(), PutBlock::new()))
    };
    let list = |list: &[BlockSource]| code(blobs.put_block_list(&x, list, PutBlob::new()));
    let wrong = Some(Md5([0; 16]));
    let mut hashed = PutBlob::new();
    hashed.headers.content_md5 = wrong;
    let mut appended = AppendBlock::new();
    appended.md5 = wrong;
    let mut leased = always();
    leased.lease = Some(Uuid::nil());
    let mut broken = BlobHeaders::default();
    broken.cache_control = Some("a\nb".to_owned());
    let too_many = vec![BlockSource::Latest(id()); 50_001];
    for (given, expected) in [
        (code(blobs.get_blob(&absent, ReadBlob::new())), ErrorCode::BlobNotFound),
        (append(&absent), ErrorCode::BlobNotFound),
        (code(blobs.block_list(&absent)), ErrorCode::BlobNotFound),
        (code(blobs.set_blob_metadata(&absent, Metadata::new(), &always())), ErrorCode::BlobNotFound),
        (code(blobs.get_blob(&elsewhere, ReadBlob::new())), ErrorCode::ContainerNotFound),
        (code(blobs.put_blob(&elsewhere, "x".into(), PutBlob::new())), ErrorCode::ContainerNotFound),
        (
            code(blobs.put_blob(&elsewhere, content(1, 20 * CHUNK), PutBlob::new())),
            ErrorCode::ContainerNotFound,
        ),
        (code(blobs.write_blob(&elsewhere, PutBlob::new())), ErrorCode::ContainerNotFound),
        (block(&elsewhere, "x"), ErrorCode::ContainerNotFound),
        (code(blobs.list_blobs(&elsewhere.container, ListBlobs::new())), ErrorCode::ContainerNotFound),
        (append(&x), ErrorCode::InvalidBlobType),
        (block(&log, "x"), ErrorCode::InvalidBlobType),
        (code(blobs.put_blob(&log, "x".into(), PutBlob::new())), ErrorCode::InvalidBlobType),
        (code(blobs.put_block_list(&log, &[], PutBlob::new())), ErrorCode::InvalidBlobType),
        (code(blobs.block_list(&log)), ErrorCode::InvalidBlobType),
        (code(blobs.create_append_blob(&x, PutBlob::new())), ErrorCode::InvalidBlobType),
        (read(ReadBlob::new().range(7..)), ErrorCode::InvalidRange),
        (read(ReadBlob::new().range(3..3)), ErrorCode::InvalidRange),
        (code(blobs.get_blob(&log, ReadBlob::new().range(0..1))), ErrorCode::InvalidRange),
        (block(&x, ""), ErrorCode::InvalidHeaderValue),
        (code(blobs.append_block(&log, Bytes::new(), AppendBlock::new())), ErrorCode::InvalidHeaderValue),
        (code(blobs.set_blob_headers(&x, broken.clone(), &always())), ErrorCode::InvalidHeaderValue),
        (code(blobs.put_blob(&x, "x".into(), PutBlob::new().headers(broken))), ErrorCode::InvalidHeaderValue),
        (code(blobs.put_blob(&x, "x".into(), hashed)), ErrorCode::Md5Mismatch),
        (code(blobs.put_block(&x, &id(), "x".into(), PutBlock::new().md5(wrong))), ErrorCode::Md5Mismatch),
        (code(blobs.append_block(&log, "x".into(), appended)), ErrorCode::Md5Mismatch),
        (list(&[BlockSource::Committed(id())]), ErrorCode::InvalidBlockList),
        (list(&too_many), ErrorCode::BlockListTooLong),
        (code(blobs.delete_blob(&x, &leased)), ErrorCode::LeaseNotPresentWithBlobOperation),
        (
            code(blobs.append_block(&log, vec![0; (100 << 20) + 1].into(), AppendBlock::new())),
            ErrorCode::RequestBodyTooLarge,
        ),
        (BlobFeature::Version.refusal().code(), ErrorCode::NotImplemented),
    ] {
        assert_eq!(given, expected);
    }
    assert_eq!((get(&blobs, "x"), get(&blobs, "log")), ("content".into(), Bytes::new()));
    assert!(blobs.block_list(&x).unwrap().uncommitted.is_empty());
}

#[test]
fn a_store_that_is_closed_says_so() {
    let (store, blobs) = store();
    put(&blobs, "x", content(1, 3 * CHUNK));
    let mut reader = blobs.read_blob(&at("x"), ReadBlob::new()).unwrap();
    let mut writer = blobs.write_blob(&at("y"), PutBlob::new()).unwrap();
    store.close().unwrap();
    let closed = |error: table_store::TableError| {
        assert!(matches!(error.fault(), Some(table_store::StorageFault::Closed)), "{error}");
    };
    closed(reader.chunk().unwrap_err());
    closed(writer.write(&content(1, 20 * CHUNK)).unwrap_err());
    closed(blobs.get_blob(&at("x"), ReadBlob::new()).unwrap_err());
    closed(blobs.put_blob(&at("x"), "x".into(), PutBlob::new()).unwrap_err());
    // After an error, a writer cannot create a blob from its content.
    assert!(writer.write(b"more").is_err() && writer.finish().is_err());
}
