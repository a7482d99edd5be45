use std::path::Path;

use redb::{Builder, ReadableDatabase, ReadableTableMetadata};

use crate::{
    contender::Outcome,
    engine_file::{EngineFile, RECORDS},
};

/// Returns the height of the B-tree in the file of a closed store. The store can no longer use the file afterwards.
pub fn of(file: &Path) -> Outcome<u32> {
    let database = Builder::new().create_with_backend(EngineFile::open(file)?)?;
    Ok(database.begin_read()?.open_table(RECORDS)?.stats()?.tree_height())
}
