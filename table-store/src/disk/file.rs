use std::{fs::File, io, sync::Arc};

use super::{Disk, FileLog};

/// A file with positioned reads and writes.
#[derive(Debug)]
pub(crate) struct FileDisk {
    file: File,
    log: Option<Arc<FileLog>>,
}

impl FileDisk {
    /// Takes ownership of a file that is open for reading, and locked and open for writing if it is written.
    pub(crate) fn new(file: File) -> Self {
        Self { file, log: None }
    }

    /// Sets the log of the store.
    pub(crate) fn with_log(self, log: FileLog) -> Self {
        Self { log: Some(Arc::new(log)), ..self }
    }
}

impl Disk for FileDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(unix)]
    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, into, offset)
    }

    #[cfg(windows)]
    fn read(&self, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_read(&self.file, into, offset)?;
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
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = bytes.get(count..).unwrap_or_default();
            offset += count as u64;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn log(&self) -> Option<Arc<dyn Disk>> {
        self.log.clone().map(|log| log as Arc<dyn Disk>)
    }

    fn close(&self) -> io::Result<()> {
        self.log.as_ref().map_or(Ok(()), |log| log.close()).and(self.file.unlock())
    }
}
