use super::*;
use table_store::blob::{AppendBlock, BlockId, BlockSource};

#[test]
fn replaced_and_deleted_contents_are_swept() {
    let (storage, store) = counted();
    let blobs = store.clone();
    put(&blobs, "x", content(1, 9 * CHUNK));
    put(&blobs, "x", content(2, 2 * CHUNK));
    store.swept().unwrap();
    assert_eq!(records(&storage), [2, 0, 0, 0, 0]);
    blobs.delete_blob(&at("x"), &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
}

#[test]
fn blocks_go_with_the_last_blob_that_is_made_of_them() {
    let (storage, store) = counted();
    let blobs = store.clone();
    let id = |number: u8| BlockId::new([number]).unwrap();
    for number in [1, 2, 3] {
        blobs.put_block(&at("x"), &id(number), content(1, CHUNK), PutBlock::new()).unwrap();
    }
    assert_eq!(records(&storage), [3, 0, 3, 1, 0]);
    let latest = |number| BlockSource::Latest(id(number));
    let list = |list: &[BlockSource]| blobs.put_block_list(&at("x"), list, PutBlob::new()).unwrap();
    list(&[latest(1), latest(2), latest(1)]);
    store.swept().unwrap();
    assert_eq!(records(&storage), [2, 3, 0, 0, 0]);
    list(&[latest(2)]);
    store.swept().unwrap();
    assert_eq!(records(&storage), [1, 1, 0, 0, 0]);
    put(&blobs, "x", "");
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
}

#[test]
fn what_a_reader_needs_stays_until_it_is_done() {
    let (storage, store) = counted();
    let blobs = store.clone();
    let id = |number: u8| BlockId::new([number]).unwrap();
    let latest = |number| BlockSource::Latest(id(number));
    let list = |list: &[BlockSource]| blobs.put_block_list(&at("x"), list, PutBlob::new()).unwrap();
    let expected = [content(1, CHUNK), content(2, CHUNK)].concat();
    blobs.put_block(&at("x"), &id(1), content(1, CHUNK), PutBlock::new()).unwrap();
    blobs.put_block(&at("x"), &id(2), content(2, CHUNK), PutBlock::new()).unwrap();
    list(&[latest(1), latest(2)]);
    let reader = blobs.read_blob(&at("x"), ReadBlob::new()).unwrap();
    // Each step drops a block that the reader has not read yet.
    list(&[latest(2)]);
    list(&[]);
    blobs.delete_blob(&at("x"), &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage)[0], 2);
    assert!(reader.read_to_end().unwrap() == expected);
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
}

#[test]
fn writers_that_are_never_finished_leave_nothing() {
    let (storage, store) = counted();
    let blobs = store.clone();
    let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
    writer.write(&content(1, 20 * CHUNK)).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [16, 0, 0, 0, 1]);
    drop(writer);
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let mut block = blobs.write_block(&at("x"), &BlockId::new("1").unwrap(), PutBlock::new()).unwrap();
    let mut append = blobs.write_append(&at("log"), AppendBlock::new()).unwrap();
    block.write(&content(1, 20 * CHUNK)).unwrap();
    append.write(&content(2, 20 * CHUNK)).unwrap();
    drop((block, append));
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
    let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
    writer.write(&content(1, 20 * CHUNK)).unwrap();
    store.close().unwrap();
    drop(writer);
    // Checked before the store is opened, because the sweep starts immediately.
    assert_ne!(records(&storage), [0; 5]);
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
}

#[test]
fn a_deleted_container_leaves_nothing() {
    let (storage, store) = counted();
    let blobs = store.clone();
    put(&blobs, "x", content(1, 9 * CHUNK));
    blobs.put_block(&at("x"), &BlockId::new("1").unwrap(), content(2, 2 * CHUNK), PutBlock::new()).unwrap();
    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    blobs.append_block(&at("log"), content(3, CHUNK), AppendBlock::new()).unwrap();
    let reader = blobs.read_blob(&at("log"), ReadBlob::new()).unwrap();
    blobs.delete_container(&container(), &always()).unwrap();
    store.swept().unwrap();
    assert_eq!(records(&storage), [1, 1, 0, 0, 1]);
    blobs.create_container(&container(), Metadata::new()).unwrap();
    drop(reader);
    put(&blobs, "wakes the sweep", "");
    store.swept().unwrap();
    assert_eq!(records(&storage), [0; 5]);
}

#[test]
fn a_hundred_megabytes_go_through_in_chunks() {
    let (store, blobs) = store();
    let piece = content(1, 1 << 20);
    let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
    let before = store.stats().commits;
    for _ in 0..100 {
        writer.write(&piece).unwrap();
    }
    writer.finish().unwrap();
    // Every commit has at most eight chunks, which bounds the memory of the writer.
    let commits = store.stats().commits - before;
    assert!(commits >= (100 << 20) / (8 * CHUNK as u64), "{commits}");
    let mut reader = blobs.read_blob(&at("x"), ReadBlob::new()).unwrap();
    let (mut chunks, mut length) = (0, 0_usize);
    while let Some(chunk) = reader.chunk().unwrap() {
        assert!(chunk.len() <= CHUNK && chunk[0] == piece[length % (1 << 20)]);
        chunks += 1;
        length += chunk.len();
    }
    assert_eq!((chunks, length), ((100_usize << 20).div_ceil(CHUNK), 100 << 20));
}
