use std::{fs::File, io, path::Path, sync::Arc};

use super::{
    Disk, FileLog,
    watched::{AtPath, WatchedFile},
};
use crate::spans;

/// A file with positioned reads and writes. A sync fails if another program has deleted, replaced or truncated it.
#[derive(Debug)]
pub(crate) struct FileDisk {
    watched: Arc<WatchedFile>,
    log: Option<Arc<FileLog>>,
}

impl FileDisk {
    /// Takes ownership of a file that is open for reading, and locked and open for writing if it is written.
    pub(crate) fn new(file: File) -> Self {
        Self { watched: Arc::new(WatchedFile::new(file)), log: None }
    }

    /// Reports an error if another file takes the place of this one at a path.
    pub(crate) fn watch_path(&self, path: &Path) {
        self.watched.watch_path(path);
    }

    /// Returns whether the watched path still belongs to the file.
    pub(super) fn has_path(&self) -> io::Result<bool> {
        self.watched.has_path()
    }

    /// Returns what is at the watched path, or an error if the file was deleted, replaced or truncated.
    pub(super) fn check(&self) -> io::Result<AtPath> {
        self.watched.check()
    }

    /// Syncs without a check.
    pub(super) fn sync_data(&self) -> io::Result<()> {
        let file = if self.log.is_some() { "store" } else { "log" };
        spans::sync(file).in_scope(|| self.watched.sync())
    }

    /// Sets the log of the store. A commit syncs only the log, which therefore also checks this file.
    pub(crate) fn with_log(self, log: FileLog) -> Self {
        let log = log.of_store(Arc::clone(&self.watched));
        Self { log: Some(Arc::new(log)), ..self }
    }
}

impl Disk for FileDisk {
    fn len(&self) -> io::Result<u64> {
        self.watched.len()
    }

    #[cfg(unix)]
    fn allocated(&self) -> io::Result<u64> {
        // In units of 512 bytes on all systems.
        self.watched
            .file
            .metadata()
            .map(|about| std::os::unix::fs::MetadataExt::blocks(&about).saturating_mul(512))
    }

    #[cfg(unix)]
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.watched.file, into, offset)
    }

    #[cfg(windows)]
    fn read(&self, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_read(&self.watched.file, into, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            into = into.get_mut(count..).unwrap_or_default();
            offset += count as u64;
        }
        Ok(())
    }

    #[cfg(unix)]
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.watched.extend(offset.saturating_add(bytes.len() as u64), |file| {
            std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
        })
    }

    #[cfg(windows)]
    fn write(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        self.watched.extend(offset.saturating_add(bytes.len() as u64), |file| {
            while !bytes.is_empty() {
                let count = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
                if count == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                bytes = bytes.get(count..).unwrap_or_default();
                offset += count as u64;
            }
            Ok(())
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.watched.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.check()?;
        self.sync_data()
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        self.log.clone().map(|log| log as Arc<dyn Disk>)
    }

    fn close(&self) -> io::Result<()> {
        self.log.as_ref().map_or(Ok(()), |log| log.close()).and(self.watched.file.unlock())
    }
}
