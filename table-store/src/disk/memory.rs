use std::{
    fmt, io,
    sync::{Arc, PoisonError, RwLock},
};

use super::Disk;

/// A disk in memory. Clones share the bytes, so a store can be closed and reopened on a clone.
///
/// ```
/// use table_store::{MemoryDisk, OpenOptions};
///
/// let disk = MemoryDisk::new();
/// OpenOptions::new().open_disk(disk.clone())?.blocking().close()?;
/// OpenOptions::new().open_disk(disk)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct MemoryDisk {
    bytes: Arc<RwLock<Vec<u8>>>,
}

impl MemoryDisk {
    /// Creates an empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a disk with the given content.
    #[must_use]
    pub fn with_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: Arc::new(RwLock::new(bytes)) }
    }

    /// Returns a copy of all bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Prints only the length, because the content is the whole store.
impl fmt::Debug for MemoryDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.bytes.read().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("MemoryDisk").field("len", &len).finish_non_exhaustive()
    }
}

fn range(offset: u64, count: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(count)?)
}

impl Disk for MemoryDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let bytes = self.bytes.read().unwrap_or_else(PoisonError::into_inner);
        let part = range(offset, into.len()).and_then(|range| bytes.get(range));
        into.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut bytes = self.bytes.write().unwrap_or_else(PoisonError::into_inner);
        let part = range(offset, from.len()).and_then(|range| bytes.get_mut(range));
        part.ok_or(io::ErrorKind::UnexpectedEof)?.copy_from_slice(from);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::StorageFull)?;
        self.bytes.write().unwrap_or_else(PoisonError::into_inner).resize(len, 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
