//! Size of the file.

use super::*;
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
