//! The engine part of a store file (`docs/format.md`), for inspection.

use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

use redb::{StorageBackend, TableDefinition};

/// The table with all records of the store.
pub const RECORDS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("records");

/// The position at which the engine pages start.
const HEAD: u64 = 5 * 4096;

#[derive(Debug)]
pub struct EngineFile(File);

impl EngineFile {
    /// Opens the file of a closed store, which the store can no longer use afterwards.
    pub fn open(file: &Path) -> io::Result<Self> {
        Ok(Self(File::options().read(true).write(true).open(file)?))
    }
}

impl StorageBackend for EngineFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len().saturating_sub(HEAD))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(out, HEAD + offset)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(HEAD + len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write_all_at(data, HEAD + offset)
    }
}
