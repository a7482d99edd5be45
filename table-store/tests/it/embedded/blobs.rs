//! The blob service of the embedded store.

mod appends;
mod blocks;
mod conditions;
mod containers;
mod contents;
mod copies;
mod faults;
mod leaks;
mod leases;
mod listings;
mod model;
mod refusals;
mod snapshots;
mod tags;
mod threads;

use table_store::{
    BlockingStore, Bytes, MapStorage, Metadata, OpenOptions,
    blob::{BlobAddress, BlobConditions, ContainerName, PutBlob, PutBlock, ReadBlob},
};

/// Size of a chunk in bytes: `docs/format.md`.
const CHUNK: usize = 127 * 1024;

fn container() -> ContainerName {
    "photos".parse().unwrap()
}

fn at(name: &str) -> BlobAddress {
    BlobAddress::new("photos", name).unwrap()
}

/// Creates a store in memory, and its blob interface, with one container.
fn store() -> (BlockingStore, BlockingStore) {
    with_container(&OpenOptions::new())
}

fn with_container(options: &OpenOptions) -> (BlockingStore, BlockingStore) {
    let store = options.in_memory().unwrap().blocking();
    let blobs = store.clone();
    blobs.create_container(&container(), Metadata::new()).unwrap();
    (store, blobs)
}

/// Creates content that differs at each position and for each seed.
fn content(seed: u64, length: usize) -> Bytes {
    let word = |at: usize| (at as u64 ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
    (0..length.div_ceil(8)).flat_map(word).take(length).collect()
}

fn put(blobs: &BlockingStore, name: &str, content: impl Into<Bytes>) {
    blobs.put_blob(&at(name), content.into(), PutBlob::new()).unwrap();
}

fn get(blobs: &BlockingStore, name: &str) -> Bytes {
    blobs.get_blob(&at(name), ReadBlob::new()).unwrap()
}

fn always() -> BlobConditions {
    BlobConditions::none()
}

/// Creates a store on a map whose records can be counted, with one container.
fn counted() -> (MapStorage, BlockingStore) {
    let storage = MapStorage::default();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.create_container(&container(), Metadata::new()).unwrap();
    (storage, store)
}

/// Returns the number of records of snapshots and shares.
fn shared(storage: &MapStorage) -> [usize; 2] {
    let entries = storage.entries();
    [[0, 0, 0, 7, 1], [0, 0, 0, 7, 2]]
        .map(|space| entries.iter().filter(|(key, _)| key.starts_with(&space)).count())
}

/// Checks that no record of a blob is left.
fn assert_empty(storage: &MapStorage) {
    assert_eq!((records(storage), shared(storage)), ([0; 5], [0; 2]));
}

/// Returns the number of records of chunks, lists, uncommitted blocks, stages and garbage.
fn records(storage: &MapStorage) -> [usize; 5] {
    let entries = storage.entries();
    [10_u32, 11, 12, 13, 14]
        .map(|space| entries.iter().filter(|(key, _)| key.starts_with(&space.to_be_bytes())).count())
}
