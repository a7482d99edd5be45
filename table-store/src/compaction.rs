//! Compaction of a file that is not open.

use std::{path::Path, sync::Arc};

use table_model::{StorageFault, TableError};

use crate::{Disk, OpenError, OpenOptions, Place, file, opening, refusal::Refusal, spans};

/// Result of a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Size of the file before the compaction, in bytes.
    pub bytes_before: u64,
    /// Size of the file after the compaction, in bytes.
    pub bytes_after: u64,
}

/// Compacts the store in a file.
pub(crate) fn file(options: &OpenOptions, path: &Path) -> Result<Compaction, OpenError> {
    let Some(found) = file::find(path)? else {
        return Err(OpenError::Missing { place: path.into() });
    };
    whole(options, &(Arc::new(found) as Arc<dyn Disk>)).map_err(|refusal| refusal.at(path.into()))
}

/// Compacts the store on a disk provided by the caller.
pub(crate) fn disk(options: &OpenOptions, disk: &Arc<dyn Disk>) -> Result<Compaction, OpenError> {
    whole(options, disk).map_err(|refusal| refusal.at(Place::Disk))
}

fn whole(options: &OpenOptions, disk: &Arc<dyn Disk>) -> Result<Compaction, Refusal> {
    let len = || disk.len().map_err(|error| Refusal::from(StorageFault::Io(Arc::new(error))));
    let bytes_before = len()?;
    let span = spans::compact(bytes_before);
    let compacted = span.in_scope(|| {
        // Compaction moves pages by following inner pages, so none of these may be damaged.
        let options = OpenOptions { background_scrub: None, ..options.clone() }.verify_up_to(u64::MAX);
        let store = opening::existing(&options, Arc::clone(disk))?;
        pollster::block_on(store.compact()).map_err(|error| Refusal::from(fault(&error)))
    });
    if let Err(Refusal::Storage(fault)) = &compacted {
        spans::failed(&span, Some(fault));
    }
    compacted?;
    let bytes_after = len()?;
    span.record("tables.bytes_after", bytes_after);
    Ok(Compaction { bytes_before, bytes_after })
}

fn fault(error: &TableError) -> StorageFault {
    error.fault().cloned().unwrap_or_else(|| StorageFault::Bug { what: error.to_string() })
}
