//! A disk on a vector.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use table_store::Disk;

/// Clones share the bytes and the counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainDisk {
    bytes: Arc<Mutex<Vec<u8>>>,
    syncs: Arc<AtomicU64>,
    closed: Arc<AtomicBool>,
}

impl PlainDisk {
    pub(crate) fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Returns a new disk with the same bytes.
    pub(crate) fn reopened(&self) -> Self {
        Self { bytes: Arc::clone(&self.bytes), ..Self::default() }
    }

    fn with_part<T>(&self, offset: u64, count: usize, work: impl FnOnce(&mut [u8]) -> T) -> io::Result<T> {
        if self.is_closed() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let mut bytes = self.bytes.lock().unwrap();
        bytes.get_mut(start..start + count).map(work).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Disk for PlainDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.with_part(offset, into.len(), |part| into.copy_from_slice(part))
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.with_part(offset, bytes.len(), |part| part.copy_from_slice(bytes))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::StorageFull)?;
        self.bytes.lock().unwrap().resize(len, 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.closed.store(true, Ordering::Relaxed);
        Ok(())
    }
}
