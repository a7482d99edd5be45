//! The engine part of a store file (`docs/format.md`), for inspection.

use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

use redb::{StorageBackend, TableDefinition};

/// The table with all records of the store.
pub const RECORDS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("records");

const BLOCK_BYTES: usize = 4096;
const BLOCK: u64 = BLOCK_BYTES as u64;
/// The block at which the engine pages start.
const HEAD: u64 = 5;
/// Number of blocks that a node of checksums covers.
const FAN: u64 = 1022;

#[derive(Debug)]
pub struct EngineFile(File);

impl EngineFile {
    /// Opens the file of a closed store, which the store can no longer use afterwards.
    pub fn open(file: &Path) -> io::Result<Self> {
        Ok(Self(File::options().read(true).write(true).open(file)?))
    }
}

/// Returns the position of a block of the engine in the file: the nodes of checksums are between the blocks.
fn place(block: u64) -> u64 {
    let nodes = if block == 0 { 0 } else { [1, 2, 3].map(|level| block / FAN.pow(level) + 1).iter().sum() };
    (HEAD + block + 3 * nodes) * BLOCK
}

/// Returns the position in the file of a position in the engine's file.
fn position(offset: u64) -> u64 {
    place(offset / BLOCK) + offset % BLOCK
}

impl StorageBackend for EngineFile {
    fn len(&self) -> io::Result<u64> {
        let file = self.0.metadata()?.len();
        let (mut fits, mut more) = (0, file / BLOCK + 1);
        while fits + 1 < more {
            let middle = fits + (more - fits) / 2;
            if place(middle - 1) + BLOCK <= file { fits = middle } else { more = middle }
        }
        Ok(fits * BLOCK)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut parts = (offset..).step_by(BLOCK_BYTES).zip(out.chunks_mut(BLOCK_BYTES));
        parts.try_for_each(|(at, part)| self.0.read_exact_at(part, position(at)))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(place((len / BLOCK).saturating_sub(1)) + BLOCK)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut parts = (offset..).step_by(BLOCK_BYTES).zip(data.chunks(BLOCK_BYTES));
        parts.try_for_each(|(at, part)| self.0.write_all_at(part, position(at)))
    }
}
