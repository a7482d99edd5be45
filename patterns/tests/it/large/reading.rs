use std::io::{self, Read};

use table_model::blob::{BlobAddress, BlobConditions, PutBlob};
use table_patterns::{BlobError, prelude::*};

use super::people::{Note, World, note};

/// Returns bytes in which all chunks differ.
fn pattern(length: u64) -> impl Read {
    Counting(0).take(length)
}

struct Counting(u64);

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *buffer {
            *byte = u8::try_from(self.0 % 251).unwrap();
            self.0 += 1;
        }
        Ok(buffer.len())
    }
}

async fn in_pieces(blob: &Blob, tables: &Tables) -> Vec<u8> {
    let (mut reader, mut all) = (blob.reader(tables).await.unwrap(), Vec::new());
    while let Some(chunk) = reader.chunk().await.unwrap() {
        assert!(!chunk.is_empty());
        all.extend_from_slice(&chunk);
    }
    all
}

#[test]
fn values_are_equal_by_their_bytes_and_readers_by_their_identity() {
    assert_eq!(Blob::new("one"), Blob::new("one"));
    assert_ne!(Blob::new("one"), Blob::new("two"));
    let one = Blob::from_reader(|| Ok(pattern(10)));
    assert_eq!(one, one.clone());
    assert_ne!(one, Blob::from_reader(|| Ok(pattern(10))));
}

#[test]
fn a_reader_is_written_and_read_in_pieces() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        for length in [0, 10, 11, 262_144, 262_155, 3_000_000] {
            tables.upsert(&note(Blob::from_reader(move || Ok(pattern(length))))).await.unwrap();
            let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
            let mut expected = Vec::new();
            pattern(length).read_to_end(&mut expected).unwrap();
            assert_eq!((stored.text.len(), stored.text.name().is_some()), (Some(length), length > 10));
            assert_eq!(in_pieces(&stored.text, tables).await, expected);
            assert_eq!(stored.text.read(tables).await.unwrap(), expected);
            assert_eq!(world.blobs("Notes").len(), usize::from(length > 10));
        }
    });
}

#[test]
fn a_file_is_a_value() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("novel.txt");
        std::fs::write(&path, "war and peace".repeat(10_000)).unwrap();
        tables.insert(&note(Blob::from_path(&path))).await.unwrap();
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        assert_eq!(in_pieces(&stored.text, tables).await, std::fs::read(&path).unwrap());

        let missing = note(Blob::from_path(folder.path().join("missing.txt")));
        let error = tables.replace_any(&missing).await.unwrap_err();
        assert!(matches!(error, Error::Blob(BlobError::Reader(_))), "{error}");
        assert_eq!(world.blobs("Notes").len(), 1);
    });
}

#[test]
fn a_reader_that_breaks_off_writes_nothing() {
    pollster::block_on(async {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                if self.0 > 20 { Err(io::Error::other("torn")) } else { Ok(buffer.len()) }
            }
        }
        let world = World::new();
        let error = world.tables.insert(&note(Blob::from_reader(|| Ok(Broken(0))))).await.unwrap_err();
        assert!(matches!(error, Error::Blob(BlobError::Reader(_))), "{error}");
        assert!(world.blobs("Notes").is_empty());
        assert!(Note::point("jo", 1).get(&world.tables).await.unwrap().is_none());
    });
}

#[test]
fn a_value_that_was_replaced_since_is_read_as_it_is_now() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&note(Blob::new("the first text"))).await.unwrap();
        let old = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        tables.replace_any(&note(Blob::new("the second text"))).await.unwrap();
        assert_eq!(old.text.read(tables).await.unwrap(), "the second text");
        assert_eq!(in_pieces(&old.text, tables).await, b"the second text");
        tables.replace_any(&note(Blob::new("short"))).await.unwrap();
        assert_eq!(old.text.read(tables).await.unwrap(), "short");
        tables.delete_at(Note::point("jo", 1)).await.unwrap();
        let error = old.text.read(tables).await.unwrap_err();
        assert!(matches!(error, Error::Blob(BlobError::Gone { property: "text", .. })), "{error}");
    });
}

#[test]
fn a_reader_that_has_begun_reads_on_whatever_becomes_of_the_entity() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&note(Blob::from_reader(|| Ok(pattern(3_000_000))))).await.unwrap();
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        let mut reader = stored.text.reader(tables).await.unwrap();
        let mut length = reader.chunk().await.unwrap().unwrap().len();
        tables.delete(&stored).await.unwrap();
        while let Some(chunk) = reader.chunk().await.unwrap() {
            length += chunk.len();
        }
        assert_eq!(length, 3_000_000);
    });
}

#[test]
fn a_blob_that_somebody_deleted_or_wrote_over_is_an_error_and_not_a_value() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&note(Blob::new("the first text"))).await.unwrap();
        let stored = Note::point("jo", 1).get(tables).await.unwrap().unwrap();
        let blob = BlobAddress::new("notes", stored.text.name().unwrap()).unwrap();
        let store = world.store.clone().blocking();
        store.put_blob(&blob, "other bytes!!!".into(), PutBlob::new()).unwrap();
        let error = stored.text.read(tables).await.unwrap_err();
        assert!(matches!(error, Error::Blob(BlobError::Damaged { .. })), "{error}");
        let mut reader = stored.text.reader(tables).await.unwrap();
        assert!(reader.chunk().await.unwrap().is_some());
        assert!(matches!(reader.chunk().await, Err(Error::Blob(BlobError::Damaged { .. }))));

        store.delete_blob(&blob, &BlobConditions::none()).unwrap();
        let error = stored.text.read(tables).await.unwrap_err();
        assert!(matches!(error, Error::Blob(BlobError::Missing { .. })), "{error}");
    });
}

#[derive(Projection)]
#[table(of = Note)]
struct Text {
    text: Blob,
}

#[test]
fn a_projection_reads_the_name_and_then_the_value() {
    pollster::block_on(async {
        let world = World::new();
        let tables = &world.tables;
        tables.insert(&note(Blob::new("the first text"))).await.unwrap();
        let texts = Note::rows("jo").select::<Text>().all(tables).await.unwrap();
        tables.replace_any(&note(Blob::new("the second text"))).await.unwrap();
        assert_eq!(texts[0].text.read(tables).await.unwrap(), "the second text");
    });
}
