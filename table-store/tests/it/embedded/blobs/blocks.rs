use super::*;
use crate::embedded::support::{HandClock, code};
use table_store::{
    ErrorCode, Timestamp,
    blob::{Block, BlockId, BlockSource::*, ListBlobs},
};

fn id(number: u8) -> BlockId {
    BlockId::new([number]).unwrap()
}

fn block(blobs: &BlockingStore, number: u8, content: impl Into<Bytes>) {
    blobs.put_block(&at("x"), &id(number), content.into(), PutBlock::new()).unwrap();
}

fn sizes(blocks: &[Block]) -> Vec<(BlockId, u64)> {
    blocks.iter().map(|block| (block.id.clone(), block.size)).collect()
}

#[test]
fn a_blob_is_what_its_list_says_in_the_order_of_the_list() {
    let (_store, blobs) = store();
    let (one, two) = (content(1, 9 * CHUNK + 5), content(2, CHUNK));
    block(&blobs, 1, one.clone());
    block(&blobs, 2, two.clone());
    let list = [Uncommitted(id(2)), Latest(id(1)), Uncommitted(id(2))];
    blobs.put_block_list(&at("x"), &list, PutBlob::new()).unwrap();
    assert!(get(&blobs, "x") == [&two[..], &one, &two].concat());
    let from = two.len() as u64 - 1;
    let range = ReadBlob::new().range(from..from + 3);
    assert!(blobs.get_blob(&at("x"), range).unwrap() == [&two[CHUNK - 1..], &one[..2]].concat());
    let blocks = blobs.block_list(&at("x")).unwrap();
    let (one, two) = (one.len() as u64, two.len() as u64);
    assert_eq!(sizes(&blocks.committed), [(id(2), two), (id(1), one), (id(2), two)]);
    assert!(blocks.uncommitted.is_empty() && blocks.length == one + 2 * two);
}

#[test]
fn a_list_takes_blocks_of_the_blob_and_new_ones() {
    let (_store, blobs) = store();
    block(&blobs, 1, "a");
    block(&blobs, 2, "b");
    blobs.put_block_list(&at("x"), &[Latest(id(1)), Latest(id(2))], PutBlob::new()).unwrap();
    block(&blobs, 1, "A");
    // The uploaded block differs from the block with the same id in the blob.
    let list = [Committed(id(1)), Uncommitted(id(1)), Latest(id(1)), Latest(id(2))];
    blobs.put_block_list(&at("x"), &list, PutBlob::new()).unwrap();
    assert_eq!(get(&blobs, "x"), "aAAb");
}

#[test]
fn blocks_that_a_list_leaves_out_are_dropped() {
    let (_store, blobs) = store();
    for number in [1, 2, 3] {
        block(&blobs, number, "x");
    }
    blobs.put_block_list(&at("x"), &[Latest(id(1)), Latest(id(2))], PutBlob::new()).unwrap();
    let list = |list: &[_]| code(blobs.put_block_list(&at("x"), list, PutBlob::new()));
    assert_eq!(list(&[Uncommitted(id(3))]), ErrorCode::InvalidBlockList);
    assert_eq!(list(&[Uncommitted(id(1))]), ErrorCode::InvalidBlockList);
    blobs.put_block_list(&at("x"), &[Committed(id(2))], PutBlob::new()).unwrap();
    assert_eq!(list(&[Committed(id(1))]), ErrorCode::InvalidBlockList);
    blobs.put_block_list(&at("x"), &[], PutBlob::new()).unwrap();
    assert!(get(&blobs, "x").is_empty());
}

#[test]
fn a_refused_list_leaves_blob_and_blocks_as_they_were() {
    let (_store, blobs) = store();
    put(&blobs, "x", "before");
    block(&blobs, 1, "a");
    let before = blobs.blob_properties(&at("x"), &always()).unwrap();
    let list = [Latest(id(1)), Latest(id(9))];
    assert_eq!(code(blobs.put_block_list(&at("x"), &list, PutBlob::new())), ErrorCode::InvalidBlockList);
    assert_eq!(get(&blobs, "x"), "before");
    assert_eq!(blobs.blob_properties(&at("x"), &always()).unwrap(), before);
    assert_eq!(sizes(&blobs.block_list(&at("x")).unwrap().uncommitted), [(id(1), 1)]);
}

#[test]
fn blocks_alone_are_no_blob_yet() {
    let (_store, blobs) = store();
    block(&blobs, 2, "bb");
    block(&blobs, 1, "a");
    block(&blobs, 1, "aaa");
    assert_eq!(code(blobs.get_blob(&at("x"), ReadBlob::new())), ErrorCode::BlobNotFound);
    assert_eq!(code(blobs.delete_blob(&at("x"), &always())), ErrorCode::BlobNotFound);
    let list = blobs.block_list(&at("x")).unwrap();
    assert_eq!(sizes(&list.uncommitted), [(id(1), 3), (id(2), 2)]);
    assert!(list.version.is_none() && list.committed.is_empty());
    assert!(blobs.list_blobs(&container(), ListBlobs::new()).unwrap().items.is_empty());
    let shown = blobs.list_blobs(&container(), ListBlobs::new().uncommitted()).unwrap();
    assert_eq!(shown.items.len(), 1);
    // No blob exists, so it can be created as new, which discards its blocks.
    let new = PutBlob::new().conditions(BlobConditions::absent());
    blobs.put_blob(&at("x"), "new".into(), new).unwrap();
    assert!(blobs.block_list(&at("x")).unwrap().uncommitted.is_empty());
}

#[test]
fn ids_of_a_blob_are_of_one_length() {
    let (_store, blobs) = store();
    block(&blobs, 1, "a");
    let long = BlockId::new("long").unwrap();
    let put = || blobs.put_block(&at("x"), &long, "b".into(), PutBlock::new());
    assert_eq!(code(put()), ErrorCode::InvalidBlobOrBlock);
    blobs.put_block_list(&at("x"), &[Latest(id(1))], PutBlob::new()).unwrap();
    assert_eq!(code(put()), ErrorCode::InvalidBlobOrBlock);
    blobs.put_block_list(&at("x"), &[], PutBlob::new()).unwrap();
    put().unwrap();
}

#[test]
fn blocks_are_kept_for_a_week_after_the_last_one() {
    let clock = HandClock::at("2014-07-01T00:00:00Z");
    let day = |day| clock.set(Timestamp::from_date(2014, 7, day).unwrap());
    let storage = MapStorage::default();
    let store = OpenOptions::new().clock(clock.clone()).open_map(storage.clone()).unwrap().blocking();
    let blobs = store.clone();
    blobs.create_container(&container(), Metadata::new()).unwrap();
    block(&blobs, 1, "a");
    day(7);
    block(&blobs, 2, "b");
    day(13);
    assert_eq!(blobs.block_list(&at("x")).unwrap().uncommitted.len(), 2);
    day(15);
    assert_eq!(code(blobs.block_list(&at("x"))), ErrorCode::BlobNotFound);
    assert!(blobs.list_blobs(&container(), ListBlobs::new().uncommitted()).unwrap().items.is_empty());
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
    block(&blobs, 3, "c");
    let list = |block| blobs.put_block_list(&at("x"), &[block], PutBlob::new());
    assert_eq!(code(list(Latest(id(1)))), ErrorCode::InvalidBlockList);
    list(Latest(id(3))).unwrap();
}
