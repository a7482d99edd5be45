use std::{
    fmt, io,
    sync::{Arc, PoisonError, RwLock},
};

use super::Disk;

/// A disk in memory, with a log. Clones share the bytes, so a store can be closed and reopened on a clone.
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
    bytes: Bytes,
    log: Bytes,
}

/// Bytes in memory; clones share them.
#[derive(Clone, Default)]
struct Bytes(Arc<RwLock<Vec<u8>>>);

impl MemoryDisk {
    /// Creates an empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a disk with the given content, and no log.
    #[must_use]
    pub fn with_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes: Bytes::new(bytes), ..Self::default() }
    }

    /// Returns a copy of all bytes. The bytes of an open store are not a complete store without its log; see
    /// [`copied`](Self::copied).
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Creates a disk with the current content of this disk and its log, as if the process had been killed.
    ///
    /// ```
    /// use table_store::{MemoryDisk, OpenOptions};
    ///
    /// let disk = MemoryDisk::new();
    /// let store = OpenOptions::new().open_disk(disk.clone())?.blocking();
    /// store.create_table(&"Employees".parse()?)?;
    /// let copy = OpenOptions::new().open_disk(disk.copied())?;
    /// assert_eq!(copy.stats().tables, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn copied(&self) -> Self {
        // Both locks at once: both contents are from the same time.
        let bytes = self.bytes.0.read().unwrap_or_else(PoisonError::into_inner);
        let log = self.log.0.read().unwrap_or_else(PoisonError::into_inner);
        Self { bytes: Bytes::new(bytes.clone()), log: Bytes::new(log.clone()) }
    }
}

/// Prints only the length, because the content is the whole store.
impl fmt::Debug for MemoryDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryDisk").field("bytes", &self.bytes).field("log", &self.log).finish()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.0.read().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Bytes").field("len", &len).finish_non_exhaustive()
    }
}

impl Bytes {
    fn new(bytes: Vec<u8>) -> Self {
        Self(Arc::new(RwLock::new(bytes)))
    }
}

fn range(offset: u64, count: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(count)?)
}

/// The log of a [`MemoryDisk`]: a disk that has no log itself.
impl Disk for Bytes {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let bytes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let part = range(offset, into.len()).and_then(|range| bytes.get(range));
        into.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        let mut bytes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let part = range(offset, from.len()).and_then(|range| bytes.get_mut(range));
        part.ok_or(io::ErrorKind::UnexpectedEof)?.copy_from_slice(from);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::StorageFull)?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).resize(len, 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Disk for MemoryDisk {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, into)
    }

    fn write(&self, offset: u64, from: &[u8]) -> io::Result<()> {
        self.bytes.write(offset, from)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.bytes.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.bytes.sync()
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        Some(Arc::new(self.log.clone()))
    }
}
