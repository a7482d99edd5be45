use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

use redb::{Builder, ReadableDatabase, ReadableTableMetadata, StorageBackend, TableDefinition};

use crate::contender::Outcome;

const RECORDS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("records");
/// Where the engine's own pages begin (`docs/format.md`).
const HEAD: u64 = 5 * 4096;

/// The height of the B-tree in a closed store's file. The file is of no use to the store afterwards.
pub fn of(file: &Path) -> Outcome<u32> {
    let engine = Engine(File::options().read(true).write(true).open(file)?);
    let database = Builder::new().create_with_backend(engine)?;
    Ok(database.begin_read()?.open_table(RECORDS)?.stats()?.tree_height())
}

/// The engine's part of a store's file.
#[derive(Debug)]
struct Engine(File);

impl StorageBackend for Engine {
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
