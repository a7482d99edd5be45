use std::{
    fs::{self, File, TryLockError},
    io::{self, ErrorKind},
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    Disk, FileDisk, full_at,
    watched::{AtPath, WatchedFile, replaced},
};
use crate::file::{no_follow, other_than_file};

/// The log next to the file of a store. Exists only while it is in use.
#[derive(Debug)]
pub(crate) struct FileLog {
    path: PathBuf,
    read_only: bool,
    file: RwLock<Option<FileDisk>>,
    store: Option<Arc<WatchedFile>>,
    /// The file was created or deleted, which is not durable yet.
    renamed: AtomicBool,
}

impl FileLog {
    /// Creates the handle of a log that may exist.
    pub(crate) fn new(path: PathBuf, read_only: bool) -> Self {
        Self { path, read_only, file: RwLock::default(), store: None, renamed: AtomicBool::new(false) }
    }

    /// Sets the file of the store, which each sync checks.
    pub(super) fn of_store(self, store: Arc<WatchedFile>) -> Self {
        Self { store: Some(store), ..self }
    }

    /// Opens the file if it exists and is not open yet. Returns whether it is open.
    fn is_open(&self) -> io::Result<bool> {
        if self.file.read().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Ok(true);
        }
        let found = match fs::symlink_metadata(&self.path) {
            Ok(data) => other_than_file(&data),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        if let Some(found) = found {
            let path = self.path.display();
            let what = format!("{path}: expected a regular file as the log of the store, found {found}");
            return Err(io::Error::new(ErrorKind::InvalidInput, what));
        }
        let mut options = File::options();
        options.read(true).write(!self.read_only);
        self.keep(no_follow(&mut options).open(&self.path)?)?;
        Ok(true)
    }

    /// Locks the file and keeps it open.
    fn keep(&self, file: File) -> io::Result<()> {
        let locked = if self.read_only { file.try_lock_shared() } else { file.try_lock() };
        locked.map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(ErrorKind::WouldBlock, "the log is in use by another process")
            }
            TryLockError::Error(error) => error,
        })?;
        let file = FileDisk::new(file);
        file.watch_path(&self.path);
        *self.file.write().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    fn create(&self) -> io::Result<()> {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.keep(options.open(&self.path).map_err(|error| full_at(error, &self.path))?)?;
        self.renamed.store(true, Ordering::Release);
        Ok(())
    }

    /// Deletes the file, unless its path belongs to another file now, for example of a store that replaced this one. The
    /// lock is held until then: no other store can use the file.
    fn remove(&self) -> io::Result<()> {
        if !self.is_open()? {
            return Ok(());
        }
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        if place.as_ref().map_or(Ok(false), FileDisk::has_path)? {
            self.renamed.store(true, Ordering::Release);
            match fs::remove_file(&self.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        place.take().map_or(Ok(()), |file| file.close())
    }

    fn with<T>(&self, work: impl FnOnce(&FileDisk) -> io::Result<T>) -> io::Result<T> {
        match &*self.file.read().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => work(file),
            None => Err(io::Error::new(ErrorKind::NotFound, "the log of the store does not exist")),
        }
    }
}

impl Disk for FileLog {
    fn len(&self) -> io::Result<u64> {
        if self.is_open()? { self.with(Disk::len) } else { Ok(0) }
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.with(|file| file.read(offset, into))
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.with(|file| file.write(offset, bytes))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        if len == 0 {
            return self.remove();
        }
        if !self.is_open()? {
            self.create()?;
        }
        self.with(|file| file.set_len(len))
    }

    fn sync(&self) -> io::Result<()> {
        let store = self.store.as_ref().map(|store| store.check()).transpose()?;
        if let Some(file) = &*self.file.read().unwrap_or_else(PoisonError::into_inner) {
            // Without its log, the store would be opened without its last commits.
            if (file.check()?, store) == (AtPath::Nothing, Some(AtPath::Itself)) {
                return Err(replaced());
            }
            file.sync_data()?;
        }
        if self.renamed.load(Ordering::Acquire) {
            crate::file::sync_directory(&self.path)?;
            self.renamed.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        let file = self.file.write().unwrap_or_else(PoisonError::into_inner).take();
        // A child process that another thread is starting has the descriptor until it executes its program, and a lock
        // that is not released explicitly is held as long.
        file.map_or(Ok(()), |file| file.close())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_log_is_not_locked_by_other_descriptors_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = FileLog::new(path.clone(), false);
        let file = File::create_new(&path).unwrap();
        let inherited = file.try_clone().unwrap();
        log.keep(file).unwrap();
        assert!(File::open(&path).unwrap().try_lock().is_err());
        log.close().unwrap();
        File::open(&path).unwrap().try_lock().unwrap();
        drop(inherited);
    }
}
