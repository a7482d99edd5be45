use std::path::Path;

use redb::{Builder, ReadableDatabase, ReadableTableMetadata};

use crate::{
    contender::Outcome,
    engine_file::{EngineFile, RECORDS},
};

/// The height of the B-tree in a closed store's file. The file is of no use to the store afterwards.
pub fn of(file: &Path) -> Outcome<u32> {
    let database = Builder::new().create_with_backend(EngineFile::open(file)?)?;
    Ok(database.begin_read()?.open_table(RECORDS)?.stats()?.tree_height())
}
