//! Size of the file, and full disks.

use super::{sparse::Sparse, *};
use crate::{MemoryDisk, engine::BLOCK_BYTES};

/// Rows of the file, and their number in a frame.
const ROWS: u64 = 6_000;
const OF_FRAME: u64 = 12;

fn put(engine: &LoggedEngine, keys: impl Iterator<Item = u64>, value: u8) {
    let rows: Vec<_> =
        keys.map(|key| (format!("row {key:05}").into_bytes(), Some(vec![value; 240]))).collect();
    write(engine, &rows, Persist::Now).unwrap();
}

/// The file is extended in large steps, so its length says little.
fn written_blocks(disk: &MemoryDisk) -> usize {
    disk.bytes().chunks(BLOCK_BYTES).filter(|block| block.iter().any(|byte| *byte != 0)).count()
}

/// Each checkpoint moves nearly all pages: the file contains the pages of one commit and room for those of the next one.
#[test]
fn rows_that_are_overwritten_everywhere_double_the_file_at_most() {
    let settings = Settings { half_bytes: 512 << 10, direct_commits: 0, ..SMALL };
    let disk = MemoryDisk::new();
    let engine = create(disk.clone(), settings).unwrap();
    for first in (0..ROWS).step_by(1_000) {
        put(&engine, first..first + 1_000, 0);
    }
    engine.shared.empty(&mut lock(&engine.shared.writer)).unwrap();
    let loaded = written_blocks(&disk);
    let mut dice = Dice(7);
    for _ in 0..4 * ROWS / OF_FRAME {
        put(&engine, (0..OF_FRAME).map(|_| dice.roll(ROWS)), 1);
    }
    let overwritten = written_blocks(&disk);
    assert!(overwritten * 10 <= loaded * 24, "{loaded} blocks grew to {overwritten}");
    engine.close().unwrap();
}

/// Settings of a store, without the thread.
const DEFAULT: Settings =
    Settings { half_bytes: 16 << 20, frame_bytes: 2 << 20, direct_commits: 4, threaded: false };

/// Writes rows of 2,000 bytes until the disk is full.
fn full(blocks: usize) -> (Sparse, LoggedEngine, Rows) {
    let disk = Sparse::new(blocks);
    let engine = create(disk.clone(), DEFAULT).unwrap();
    let mut content = Rows::new();
    for number in 0_u64.. {
        let changes = [(format!("row {number:06}").into_bytes(), Some(vec![5; 2_000]))];
        match write(&engine, &changes, Persist::Now) {
            Ok(()) => apply(&mut content, &changes),
            Err(StorageFault::DiskFull { .. }) => break,
            Err(fault) => panic!("{fault}"),
        }
    }
    (disk, engine, content)
}

/// Deletes rows, so many with each commit, until the disk is full. Returns the number of deleted rows.
fn delete(engine: &LoggedEngine, content: &mut Rows, with_each: usize) -> usize {
    let before = content.len();
    while !content.is_empty() {
        let keys: Vec<_> = content.keys().take(with_each).map(|key| (key.clone(), None)).collect();
        match write(engine, &keys, Persist::Now) {
            Ok(()) => apply(content, &keys),
            Err(StorageFault::DiskFull { .. }) => break,
            Err(fault) => panic!("{fault}"),
        }
    }
    before - content.len()
}

/// The failed commit has extended the file, and nothing can be written into the extension.
#[test]
fn a_store_on_a_full_disk_opens_and_is_read() {
    for blocks in [900, 1_100] {
        let (disk, engine, content) = full(blocks);
        assert_eq!(rows(&engine).unwrap(), content, "{blocks}");
        let killed = disk.killed();
        killed.fill();
        let opened = open(killed.clone(), DEFAULT).unwrap();
        assert_eq!(rows(&opened).unwrap(), content, "{blocks}");
        // It can be opened as often as wanted.
        assert_eq!(rows(&open(killed.killed(), DEFAULT).unwrap()).unwrap(), content, "{blocks}");
    }
}

/// Some rows can be deleted, and all of them when as much space is free as the log occupies.
#[test]
fn a_full_disk_is_emptied_with_free_space_of_the_size_of_the_log() {
    let (disk, engine, content) = full(900);
    disk.fill();
    let [file, log] = disk.blocks();
    assert!(log <= file / 2 + 2, "{log} blocks of the log, {file} of the file");
    let killed = disk.killed();
    let opened = open(killed.clone(), DEFAULT).unwrap();
    for (what, disk, engine, least) in [("full", &disk, &engine, 8), ("killed", &killed, &opened, 0)] {
        let mut left = content.clone();
        let some = delete(engine, &mut left, 1);
        assert!(some >= least && rows(engine).unwrap() == left, "{what}: {some} were deleted");
        disk.free(log);
        delete(engine, &mut left, 100);
        assert!(left.is_empty(), "{what}: {} are left", left.len());
        assert_eq!(rows(engine).unwrap(), left, "{what}");
    }
}
