use super::*;
use table_store::{
    ErrorCode,
    blob::{AppendBlock, BlobHeaders, BlobType, BlockId, BlockSource, Md5},
};

/// Returns the hash of content as computed by the store.
fn hash(blobs: &BlockingStore, content: &[u8]) -> Md5 {
    let content = Bytes::copy_from_slice(content);
    blobs.put_blob(&at("hashed"), content, PutBlob::new()).unwrap().content_md5.unwrap()
}

#[test]
fn contents_of_any_size_read_back() {
    let (_store, blobs) = store();
    for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 8 * CHUNK, 8 * CHUNK + 1, 20 * CHUNK + 7] {
        let sent = content(1, length);
        put(&blobs, "x", sent.clone());
        assert!(get(&blobs, "x") == sent, "{length}");
        assert_eq!(blobs.blob_properties(&at("x"), &always()).unwrap().length, length as u64);
    }
}

#[test]
fn a_writer_takes_pieces_of_any_size() {
    let (_store, blobs) = store();
    for piece in [1_000, CHUNK, 9 * CHUNK + 1, 30 * CHUNK] {
        let sent = content(2, 20 * CHUNK);
        let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
        for piece in sent.chunks(piece) {
            writer.write(piece).unwrap();
        }
        writer.write(&[]).unwrap();
        writer.finish().unwrap();
        assert!(get(&blobs, "x") == sent, "{piece}");
    }
    blobs.write_blob(&at("empty"), PutBlob::new()).unwrap().finish().unwrap();
    assert!(get(&blobs, "empty").is_empty());
}

#[test]
fn nobody_sees_a_blob_before_its_writer_is_done() {
    let (_store, blobs) = store();
    put(&blobs, "x", "before");
    let mut writer = blobs.write_blob(&at("x"), PutBlob::new()).unwrap();
    writer.write(&content(1, 20 * CHUNK)).unwrap();
    assert_eq!(get(&blobs, "x"), "before");
    writer.finish().unwrap();
    assert_eq!(get(&blobs, "x").len(), 20 * CHUNK);
}

#[test]
fn ranges_give_what_they_ask_for() {
    let (_store, blobs) = store();
    let sent = content(3, 3 * CHUNK + 10);
    put(&blobs, "x", sent.clone());
    for (from, to) in [(0, 1), (2, 12), (CHUNK - 1, CHUNK + 1), (CHUNK, 2 * CHUNK), (5, 3 * CHUNK + 10)] {
        let range = from as u64..to as u64;
        let reader = blobs.read_blob(&at("x"), ReadBlob::new().range(range.clone())).unwrap();
        assert_eq!(reader.range(), range);
        assert!(reader.read_to_end().unwrap() == sent[from..to], "{from}..{to}");
    }
    let tail = blobs.get_blob(&at("x"), ReadBlob::new().range(3 * CHUNK as u64 + 4..)).unwrap();
    assert!(tail == sent[3 * CHUNK + 4..]);
}

#[test]
fn a_reader_gives_the_version_it_began_with_to_the_end() {
    let (store, blobs) = store();
    let sent = content(4, 5 * CHUNK);
    for change in 0..4 {
        put(&blobs, "x", sent.clone());
        let mut reader = blobs.read_blob(&at("x"), ReadBlob::new()).unwrap();
        let mut read = reader.chunk().unwrap().unwrap().to_vec();
        match change {
            0 => put(&blobs, "x", content(5, 5 * CHUNK)),
            1 => blobs.delete_blob(&at("x"), &always()).unwrap(),
            2 => drop(blobs.set_blob_metadata(&at("x"), Metadata::new(), &always()).unwrap()),
            _ => blobs.delete_container(&container(), &always()).unwrap(),
        }
        store.swept().unwrap();
        while let Some(chunk) = reader.chunk().unwrap() {
            read.extend_from_slice(&chunk);
        }
        assert!(read == sent, "{change}");
        assert_eq!(reader.chunk().unwrap(), None);
    }
}

#[test]
fn what_is_said_of_a_blob_stays_until_it_is_said_anew() {
    let (_store, blobs) = store();
    let metadata = Metadata::new().with("first", "2014").unwrap();
    let request = PutBlob::new().content_type("text/plain").metadata(metadata.clone());
    let written = blobs.put_blob(&at("x"), "abc".into(), request).unwrap();
    let said = blobs.blob_properties(&at("x"), &always()).unwrap();
    // RFC 1321, A.5.
    let md5 = Md5(0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72_u128.to_be_bytes());
    assert_eq!((written.content_md5, said.headers.content_md5), (Some(md5), Some(md5)));
    assert_eq!((said.headers.content_type(), &said.metadata), ("text/plain", &metadata));
    assert_eq!((said.blob_type, said.length, said.committed_blocks), (BlobType::Block, 3, None));
    assert_eq!((&said.etag, said.created), (&written.etag, written.last_modified));

    let changed = blobs.set_blob_metadata(&at("x"), Metadata::new(), &written.etag.into()).unwrap();
    let said = blobs.blob_properties(&at("x"), &changed.etag.into()).unwrap();
    assert!(said.metadata.is_empty() && said.headers.content_md5 == Some(md5));
    let changed = blobs.set_blob_headers(&at("x"), BlobHeaders::default(), &always()).unwrap();
    let said = blobs.blob_properties(&at("x"), &changed.etag.into()).unwrap();
    assert_eq!((said.headers.content_type(), said.headers.content_md5), ("application/octet-stream", None));
    put(&blobs, "x", "new");
    let new = blobs.blob_properties(&at("x"), &always()).unwrap();
    assert!(new.created == said.created && new.last_modified > said.last_modified);
}

#[test]
fn all_is_there_after_a_restart() {
    let disk = table_store::MemoryDisk::new();
    let open = || OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    let store = open();
    store.create_container(&container(), Metadata::new()).unwrap();
    let sent = content(6, 10 * CHUNK);
    put(&store, "x", sent.clone());
    let before = store.blob_properties(&at("x"), &always()).unwrap();
    store.close().unwrap();
    let store = open();
    assert!(get(&store, "x") == sent);
    assert_eq!(store.blob_properties(&at("x"), &always()).unwrap(), before);
    put(&store, "x", "y");
    assert!(store.blob_properties(&at("x"), &always()).unwrap().last_modified > before.last_modified);
}

#[test]
fn blocks_and_appends_are_written_piece_by_piece_too() {
    let (_store, blobs) = store();
    let (id, sent) = (BlockId::new("1").unwrap(), content(2, 20 * CHUNK));
    let mut writer = blobs.write_block(&at("x"), &id, PutBlock::new().md5(hash(&blobs, &sent))).unwrap();
    sent.chunks(9 * CHUNK + 1).for_each(|piece| writer.write(piece).unwrap());
    assert_eq!(blobs.block_list(&at("x")).unwrap_err().code(), ErrorCode::BlobNotFound);
    writer.finish().unwrap();
    blobs.put_block_list(&at("x"), &[BlockSource::Latest(id.clone())], PutBlob::new()).unwrap();
    assert!(get(&blobs, "x") == sent);

    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let mut first = blobs.write_append(&at("log"), AppendBlock::new()).unwrap();
    first.write(&sent).unwrap();
    // The offset is determined when all content is written.
    blobs.append_block(&at("log"), "before".into(), AppendBlock::new()).unwrap();
    assert_eq!(first.finish().unwrap().offset, 6);
    assert!(get(&blobs, "log") == [b"before", sent.as_ref()].concat());
}

#[test]
fn a_block_or_append_that_is_not_as_it_was_said_to_be_is_none() {
    let (_store, blobs) = store();
    let id = BlockId::new("1").unwrap();
    let finish = |content: &[u8], md5| {
        let mut writer = blobs.write_block(&at("x"), &id, PutBlock::new().md5(md5)).unwrap();
        writer.write(content).unwrap();
        writer.finish().map_err(|error| error.code())
    };
    assert_eq!(finish(b"x", Some(hash(&blobs, b"y"))), Err(ErrorCode::Md5Mismatch));
    assert_eq!(finish(b"", None), Err(ErrorCode::InvalidHeaderValue));
    assert_eq!(blobs.block_list(&at("x")).unwrap_err().code(), ErrorCode::BlobNotFound);

    blobs.create_append_blob(&at("log"), PutBlob::new()).unwrap();
    let mut append = AppendBlock::new();
    append.md5 = Some(hash(&blobs, b"y"));
    let mut writer = blobs.write_append(&at("log"), append).unwrap();
    writer.write(b"x").unwrap();
    assert_eq!(writer.finish().unwrap_err().code(), ErrorCode::Md5Mismatch);
    let mut writer = blobs.write_append(&at("log"), AppendBlock::new().position(1)).unwrap();
    writer.write(&content(1, 9 * CHUNK)).unwrap();
    assert_eq!(writer.finish().unwrap_err().code(), ErrorCode::AppendPositionConditionNotMet);
    let mut writer = blobs.write_append(&at("log"), AppendBlock::new()).unwrap();
    let too_much = (0..=100).find_map(|_| writer.write(&content(1, 1 << 20)).err());
    assert_eq!(too_much.map(|error| error.code()), Some(ErrorCode::RequestBodyTooLarge));
    assert!(get(&blobs, "log").is_empty());
}
