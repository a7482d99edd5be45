//! Random programs of the blob service compared with a map, on both engines.

mod step;
mod versions;

use std::collections::BTreeMap;

use proptest::prelude::*;
use table_store::{
    BlockingBlobReader, BlockingBlobWriter, ErrorCode, MemoryDisk, Result,
    blob::{AppendBlock, BlobETag, BlobItem, BlobSnapshot, BlockId, BlockSource, ListBlobs},
};

use self::step::{Step, step};
use super::*;

const NAMES: [&str; 3] = ["a", "b/1", "b/2"];

/// Expected state of a blob.
#[derive(Clone, Default)]
struct Blob {
    /// `None` while it has only uncommitted blocks.
    there: Option<There>,
    /// By id, with a unique number of the upload.
    staged: BTreeMap<u8, (u64, Bytes)>,
}

#[derive(Clone)]
struct There {
    append: bool,
    etag: BlobETag,
    /// Each piece with its id, if it has one, and the number of its upload.
    pieces: Vec<(Option<u8>, u64, Bytes)>,
}

impl There {
    fn content(&self) -> Vec<u8> {
        self.pieces.iter().flat_map(|(_, _, piece)| piece.to_vec()).collect()
    }
}

struct Trial {
    open: Box<dyn Fn() -> BlockingStore>,
    store: BlockingStore,
    blobs: BlockingStore,
    model: BTreeMap<&'static str, Blob>,
    /// Snapshots of each blob, from the oldest to the newest.
    snapshots: BTreeMap<&'static str, Vec<(BlobSnapshot, There)>>,
    uploads: u64,
    writer: Option<(&'static str, BlockingBlobWriter, Vec<u8>)>,
    /// Bytes read so far, and all expected bytes.
    reader: Option<(BlockingBlobReader, Vec<u8>, Vec<u8>)>,
}

impl Trial {
    fn new(open: Box<dyn Fn() -> BlockingStore>) -> Self {
        let store = open();
        let blobs = store.clone();
        blobs.create_container(&container(), Metadata::new()).unwrap();
        let (model, snapshots) = (BTreeMap::new(), BTreeMap::new());
        Self { open, store, blobs, model, snapshots, uploads: 0, writer: None, reader: None }
    }

    fn blob(&self, name: &str) -> Blob {
        self.model.get(name).cloned().unwrap_or_default()
    }

    fn number(&mut self) -> u64 {
        self.uploads += 1;
        self.uploads
    }

    /// Checks that the result has this code. Without a code, applies `change` to the expected blob.
    fn check<T: std::fmt::Debug>(
        &mut self,
        name: &'static str,
        expected: Option<ErrorCode>,
        answer: Result<T>,
        change: impl FnOnce(&mut Blob, T),
    ) {
        assert_eq!(answer.as_ref().err().map(table_store::TableError::code), expected);
        if let Ok(answer) = answer {
            change(self.model.entry(name).or_default(), answer);
        }
    }

    fn put(&mut self, name: &'static str, sent: Bytes, new: bool) {
        let blob = self.blob(name);
        let is_append = blob.there.as_ref().is_some_and(|there| there.append);
        let expected = match &blob.there {
            Some(_) if new => Some(ErrorCode::BlobAlreadyExists),
            Some(_) if is_append => Some(ErrorCode::InvalidBlobType),
            _ => None,
        };
        let request = if new { PutBlob::new().conditions(BlobConditions::absent()) } else { PutBlob::new() };
        let answer = self.blobs.put_blob(&at(name), sent.clone(), request);
        let number = self.number();
        self.check(name, expected, answer, |blob, written| *blob = written_whole(written.etag, number, sent));
    }

    fn block(&mut self, name: &'static str, id: u8, sent: Bytes) {
        let expected = match self.blob(name).there {
            _ if sent.is_empty() => Some(ErrorCode::InvalidHeaderValue),
            Some(There { append: true, .. }) => Some(ErrorCode::InvalidBlobType),
            _ => None,
        };
        let answer = self.blobs.put_block(&at(name), &block_id(id), sent.clone(), PutBlock::new());
        let number = self.number();
        self.check(name, expected, answer, |blob, ()| drop(blob.staged.insert(id, (number, sent))));
    }

    fn list(&mut self, name: &'static str, list: &[(u8, u8)]) {
        let blob = self.blob(name);
        let committed = |id: u8| {
            let pieces = blob.there.iter().flat_map(|there| &there.pieces);
            pieces.rev().find(|(known, _, _)| *known == Some(id)).cloned()
        };
        let staged =
            |id: u8| blob.staged.get(&id).map(|(number, content)| (Some(id), *number, content.clone()));
        let pieces: Option<Vec<_>> = list
            .iter()
            .map(|(id, source)| match source {
                0 => committed(*id),
                1 => staged(*id),
                _ => staged(*id).or_else(|| committed(*id)),
            })
            .collect();
        let is_append = blob.there.as_ref().is_some_and(|there| there.append);
        let expected = match &pieces {
            _ if is_append => Some(ErrorCode::InvalidBlobType),
            None => Some(ErrorCode::InvalidBlockList),
            Some(_) => None,
        };
        let sources: Vec<BlockSource> = list
            .iter()
            .map(|(id, source)| match source {
                0 => BlockSource::Committed(block_id(*id)),
                1 => BlockSource::Uncommitted(block_id(*id)),
                _ => BlockSource::Latest(block_id(*id)),
            })
            .collect();
        let answer = self.blobs.put_block_list(&at(name), &sources, PutBlob::new());
        self.check(name, expected, answer, |blob, written| {
            let pieces = pieces.unwrap_or_default();
            let there = There { append: false, etag: written.etag, pieces };
            *blob = Blob { there: Some(there), staged: BTreeMap::new() };
        });
    }

    fn create(&mut self, name: &'static str) {
        let is_block = self.blob(name).there.is_some_and(|there| !there.append);
        let expected = is_block.then_some(ErrorCode::InvalidBlobType);
        let answer = self.blobs.create_append_blob(&at(name), PutBlob::new());
        self.check(name, expected, answer, |blob, written| {
            let there = There { append: true, etag: written.etag, pieces: Vec::new() };
            *blob = Blob { there: Some(there), staged: BTreeMap::new() };
        });
    }

    fn append(&mut self, name: &'static str, sent: Bytes) {
        let there = self.blob(name).there;
        let expected = match &there {
            _ if sent.is_empty() => Some(ErrorCode::InvalidHeaderValue),
            None => Some(ErrorCode::BlobNotFound),
            Some(There { append: false, .. }) => Some(ErrorCode::InvalidBlobType),
            Some(_) => None,
        };
        let answer = self.blobs.append_block(&at(name), sent.clone(), AppendBlock::new());
        let number = self.number();
        self.check(name, expected, answer, |blob, appended| {
            let there = blob.there.as_mut().unwrap();
            assert_eq!(appended.offset, there.content().len() as u64);
            there.pieces.push((None, number, sent));
            there.etag = appended.etag;
        });
    }

    fn delete(&mut self, name: &'static str, stale: bool) {
        let there = self.blob(name).there;
        let stale_etag: BlobETag = "\"0x1\"".parse().unwrap();
        let etag = there.as_ref().filter(|_| !stale).map_or(stale_etag, |there| there.etag.clone());
        let expected = if stale || there.is_none() {
            Some(ErrorCode::ConditionNotMet)
        } else {
            (!self.snapshots_of(name).is_empty()).then_some(ErrorCode::SnapshotsPresent)
        };
        let answer = self.blobs.delete_blob(&at(name), &etag.into());
        self.check(name, expected, answer, |blob, ()| *blob = Blob::default());
    }

    fn finish(&mut self) {
        let Some((name, writer, content)) = self.writer.take() else { return };
        let is_append = self.blob(name).there.is_some_and(|there| there.append);
        let answer = writer.finish();
        let number = self.number();
        self.check(name, is_append.then_some(ErrorCode::InvalidBlobType), answer, |blob, written| {
            *blob = written_whole(written.etag, number, content.into());
        });
    }

    fn begin_reader(&mut self, name: &'static str) {
        let there = self.blob(name).there;
        let answer = self.blobs.read_blob(&at(name), ReadBlob::new());
        self.reader = match (there, answer) {
            (Some(there), Ok(reader)) => Some((reader, Vec::new(), there.content())),
            (None, Err(error)) if error.code() == ErrorCode::BlobNotFound => None,
            (there, answer) => panic!("{} is {answer:?}", there.is_some()),
        };
    }

    fn read(&mut self) {
        let Some((reader, read, expected)) = &mut self.reader else { return };
        match reader.chunk().unwrap() {
            Some(chunk) => read.extend_from_slice(&chunk),
            None => assert!(read == expected),
        }
        assert!(expected.starts_with(read));
    }

    fn restart(&mut self) {
        (self.reader, self.writer) = (None, None);
        self.store.close().unwrap();
        self.store = (self.open)();
        self.blobs = self.store.clone();
    }

    fn run(&mut self, step: Step) {
        match step {
            Step::Put(name, seed, size) => self.put(NAMES[name], content(seed, size), false),
            Step::PutNew(name, size) => self.put(NAMES[name], content(7, size), true),
            Step::Block(name, id, seed, size) => self.block(NAMES[name], id, content(seed, size)),
            Step::List(name, list) => self.list(NAMES[name], &list),
            Step::Create(name) => self.create(NAMES[name]),
            Step::Append(name, seed, size) => self.append(NAMES[name], content(seed, size)),
            Step::Delete(name, stale) => self.delete(NAMES[name], stale),
            Step::Snapshot(name) => self.snapshot(NAMES[name]),
            Step::DeleteSnapshot(name, which) => self.delete_snapshot(NAMES[name], which),
            Step::DeleteSnapshots(name, which) => self.delete_snapshots(NAMES[name], which),
            Step::Copy(from, which, to) => self.copy(NAMES[from], which, NAMES[to]),
            Step::BeginWriter(name) => {
                let writer = self.blobs.write_blob(&at(NAMES[name]), PutBlob::new()).unwrap();
                self.writer = Some((NAMES[name], writer, Vec::new()));
            }
            Step::Write(seed, size) => {
                if let Some((_, writer, all)) = &mut self.writer {
                    let piece = content(seed, size);
                    writer.write(&piece).unwrap();
                    all.extend_from_slice(&piece);
                }
            }
            Step::Finish => self.finish(),
            Step::DropWriter => self.writer = None,
            Step::BeginReader(name) => self.begin_reader(NAMES[name]),
            Step::Read => self.read(),
            Step::Sweep => self.store.swept().unwrap(),
            Step::DropContainer => {
                self.blobs.delete_container(&container(), &always()).unwrap();
                self.store.swept().unwrap();
                self.blobs.create_container(&container(), Metadata::new()).unwrap();
                self.model.clear();
                self.snapshots.clear();
            }
            Step::Restart => self.restart(),
        }
    }

    /// Compares all stored data with the model.
    fn compare(&self) {
        let listed = self.blobs.list_blobs(&container(), ListBlobs::new().uncommitted()).unwrap();
        let listed: Vec<_> = listed
            .items
            .iter()
            .map(|item| match item {
                BlobItem::Blob { name, properties } => {
                    (name.to_string(), properties.uncommitted, properties.length)
                }
                other => panic!("{other:?}"),
            })
            .collect();
        let expected: Vec<_> = self
            .model
            .iter()
            .filter(|(_, blob)| blob.there.is_some() || !blob.staged.is_empty())
            .map(|(name, blob)| {
                let length = blob.there.as_ref().map_or(0, |there| there.content().len());
                ((*name).to_owned(), blob.there.is_none(), length as u64)
            })
            .collect();
        assert_eq!(listed, expected);
        for (name, snapshots) in &self.snapshots {
            for (snapshot, there) in snapshots {
                let address = at(name).at(*snapshot);
                let content = self.blobs.get_blob(&address, ReadBlob::new()).unwrap();
                assert!(content == there.content(), "{address}");
                let etag = self.blobs.blob_properties(&address, &always()).unwrap().etag;
                assert_eq!(etag, there.etag);
            }
        }
        let all = self.blobs.list_blobs(&container(), ListBlobs::new().snapshots()).unwrap().items;
        let listed: Vec<_> = all
            .iter()
            .filter_map(|item| match item {
                BlobItem::Blob { name, properties } => Some((name.to_string(), properties.snapshot?)),
                _ => None,
            })
            .collect();
        let expected = self
            .snapshots
            .iter()
            .flat_map(|(name, snapshots)| snapshots.iter().map(|(time, _)| ((*name).to_owned(), *time)));
        assert_eq!(listed, expected.collect::<Vec<_>>());
        for (name, blob) in &self.model {
            if let Some(there) = &blob.there {
                assert!(get(&self.blobs, name) == there.content(), "{name}");
                let said = self.blobs.blob_properties(&at(name), &always()).unwrap();
                assert_eq!(said.etag, there.etag);
            }
            if blob.there.as_ref().is_none_or(|there| !there.append)
                && (blob.there.is_some() || !blob.staged.is_empty())
            {
                let staged = self.blobs.block_list(&at(name)).unwrap().uncommitted;
                let staged: Vec<_> = staged.into_iter().map(|block| (block.id, block.size)).collect();
                let expected =
                    blob.staged.iter().map(|(id, (_, content))| (block_id(*id), content.len() as u64));
                assert_eq!(staged, expected.collect::<Vec<_>>());
            }
        }
    }

    /// Returns the expected number of chunks without pins and pending sweeps.
    fn chunks(&self) -> usize {
        let kept = self.snapshots.values().flatten().map(|(_, there)| there);
        let versions = self.model.values().flat_map(|blob| &blob.there).chain(kept);
        let committed = versions.flat_map(|there| &there.pieces);
        let committed = committed.map(|(_, number, content)| (*number, content.len()));
        let staged = self.model.values().flat_map(|blob| blob.staged.values());
        let staged = staged.map(|(number, content)| (*number, content.len()));
        let pieces: BTreeMap<u64, usize> = committed.chain(staged).collect();
        pieces.values().map(|length| length.div_ceil(CHUNK)).sum()
    }
}

fn written_whole(etag: BlobETag, number: u64, content: Bytes) -> Blob {
    let there = There { append: false, etag, pieces: vec![(None, number, content)] };
    Blob { there: Some(there), staged: BTreeMap::new() }
}

fn block_id(number: u8) -> BlockId {
    BlockId::new([number]).unwrap()
}

fn run(trial: &mut Trial, steps: Vec<Step>) {
    for step in steps {
        trial.run(step);
        trial.compare();
    }
    (trial.reader, trial.writer) = (None, None);
    trial.restart();
    trial.store.swept().unwrap();
    trial.compare();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_store_on_a_map_does_what_the_model_does_and_leaks_nothing(
        steps in prop::collection::vec(step(), 1..40)
    ) {
        let storage = MapStorage::default();
        let file = storage.clone();
        let mut trial =
            Trial::new(Box::new(move || OpenOptions::new().open_map(file.clone()).unwrap().blocking()));
        run(&mut trial, steps);
        let [chunks, _, staged, stages, garbage] = records(&storage);
        prop_assert_eq!((chunks, garbage), (trial.chunks(), 0));
        prop_assert_eq!(staged, trial.model.values().map(|blob| blob.staged.len()).sum::<usize>());
        prop_assert_eq!(stages, trial.model.values().filter(|blob| !blob.staged.is_empty()).count());
        // No share is left without its owner.
        trial.store.delete_container(&container(), &always()).unwrap();
        trial.store.swept().unwrap();
        assert_empty(&storage);
    }

    #[test]
    fn a_store_in_a_file_does_what_the_model_does_and_is_sound(
        steps in prop::collection::vec(step(), 1..40)
    ) {
        let disk = MemoryDisk::new();
        let file = disk.clone();
        let mut trial =
            Trial::new(Box::new(move || OpenOptions::new().open_disk(file.clone()).unwrap().blocking()));
        run(&mut trial, steps);
        trial.store.close().unwrap();
        let report = OpenOptions::new().scrub_disk(disk).unwrap();
        prop_assert!(report.is_sound(), "{}", report);
        prop_assert_eq!(report.chunks, trial.chunks() as u64);

    }
}
