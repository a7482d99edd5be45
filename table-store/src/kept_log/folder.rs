//! The folder of a kept log. Tests replace it by one that fails or loses power.

use std::{
    fmt::Debug,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    disk::{Disk, FileDisk},
    file,
};

/// Files with names. A write at the end of a file extends it.
pub(super) trait Folder: Debug + Send + Sync {
    /// Returns the names of all files.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns the content of a file.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Returns the length of a file.
    fn len(&self, name: &str) -> io::Result<u64>;

    /// Opens a file for reading.
    fn open_to_read(&self, name: &str) -> io::Result<Arc<dyn Disk>>;

    /// Opens and locks a file.
    fn open(&self, name: &str) -> io::Result<Arc<dyn Disk>>;

    /// Creates and locks an empty file. An existing file is emptied.
    fn create(&self, name: &str) -> io::Result<Arc<dyn Disk>>;

    /// Deletes a file.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Makes the names of the files durable.
    fn sync(&self) -> io::Result<()>;
}

/// A directory.
#[derive(Debug)]
pub(super) struct Directory(PathBuf);

impl Directory {
    pub(super) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }
}

impl Directory {
    /// Opens a file. A link is not followed, as for the file and the log of a store.
    fn open_by(&self, name: &str, options: &mut OpenOptions) -> io::Result<File> {
        let path = self.0.join(name);
        if let Some(found) = fs::symlink_metadata(&path).ok().as_ref().and_then(file::other_than_file) {
            let what = format!("{name} is {found} instead of the file of a segment");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        file::no_follow(options).open(path)
    }

    fn file_to_read(&self, name: &str) -> io::Result<File> {
        self.open_by(name, File::options().read(true))
    }
}

impl Folder for Directory {
    fn names(&self) -> io::Result<Vec<String>> {
        let names = fs::read_dir(&self.0)?.map(|entry| {
            let entry = entry?;
            // A segment that is a link is reported as such, not as missing.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            Ok(entry.file_name().into_string().ok().filter(|_| !is_folder))
        });
        names.filter_map(io::Result::transpose).collect()
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.file_to_read(name)?.read_to_end(&mut content)?;
        Ok(content)
    }

    fn len(&self, name: &str) -> io::Result<u64> {
        Ok(fs::symlink_metadata(self.0.join(name))?.len())
    }

    fn open_to_read(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        Ok(Arc::new(FileDisk::new(self.file_to_read(name)?)))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        locked(self.open_by(name, File::options().read(true).write(true))?)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn Disk>> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        locked(self.open_by(name, &mut options)?)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    fn sync(&self) -> io::Result<()> {
        file::sync_directory(&self.0.join("_"))
    }
}

fn locked(file: File) -> io::Result<Arc<dyn Disk>> {
    match file.try_lock() {
        Ok(()) => Ok(Arc::new(FileDisk::new(file))),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::WouldBlock, "the kept log is in use by another process"))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_symbolic_link_is_neither_read_nor_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        let kept = folder.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(&other, "of somebody else").unwrap();
        std::os::unix::fs::symlink(&other, kept.join("link")).unwrap();
        let directory = Directory::new(&kept);
        assert_eq!(directory.names().unwrap(), ["link"]);
        assert!(directory.create("link").is_err() && directory.open("link").is_err());
        assert!(directory.read("link").is_err() && directory.open_to_read("link").is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "of somebody else");
    }
}
