use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use super::full_at;

/// A file whose deletion, replacement or truncation by another program is noticed. Writes to such a file would be lost.
#[derive(Debug)]
pub(super) struct WatchedFile {
    pub(super) file: File,
    /// Length that the file has at least.
    least: AtomicU64,
    /// The file had a name when it was opened. Some file systems report none.
    named: bool,
    /// The name at which no other file may be.
    path: OnceLock<PathBuf>,
}

/// What is at the path of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtPath {
    /// The file, or the path is unknown.
    Itself,
    /// Nothing: the file was moved or deleted.
    Nothing,
    /// Another file.
    Other,
}

impl WatchedFile {
    /// Watches a file from its current state on. Without metadata, nothing is noticed.
    pub(super) fn new(file: File) -> Self {
        let about = file.metadata().ok();
        let least = AtomicU64::new(about.as_ref().map_or(0, Metadata::len));
        let named = about.is_some_and(|about| has_name(&about));
        Self { file, least, named, path: OnceLock::new() }
    }

    /// Watches the path of the file from now on.
    pub(super) fn watch_path(&self, path: &Path) {
        // A relative path would depend on the working directory. Without a path, no replacement is noticed.
        if let Ok(path) = std::path::absolute(path) {
            let _ = self.path.set(path);
        }
    }

    /// Returns what is at the path of the file, which has this metadata.
    fn at_path(&self, about: &Metadata) -> AtPath {
        match self.path.get().map(fs::symlink_metadata) {
            Some(Ok(found)) if !is_same(about, &found) => AtPath::Other,
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => AtPath::Nothing,
            _ => AtPath::Itself,
        }
    }

    /// Returns whether the path still belongs to the file.
    pub(super) fn has_path(&self) -> io::Result<bool> {
        Ok(self.at_path(&self.file.metadata()?) == AtPath::Itself)
    }

    /// Changes the file with `change`, after which it has this length at least. A change of the end checks the file
    /// before: afterwards a truncated file would have its length again, with zeros.
    pub(super) fn extend(&self, len: u64, change: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        if len >= self.least.load(Ordering::Acquire) {
            self.check()?;
        }
        change(&self.file).map_err(|error| self.named(error))?;
        self.least.fetch_max(len, Ordering::AcqRel);
        Ok(())
    }

    /// Sets the length.
    pub(super) fn set_len(&self, len: u64) -> io::Result<()> {
        self.check()?;
        self.least.fetch_min(len, Ordering::AcqRel);
        self.file.set_len(len).map_err(|error| self.named(error))?;
        self.least.fetch_max(len, Ordering::AcqRel);
        Ok(())
    }

    /// Waits until the content is on stable storage.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| self.named(error))
    }

    /// Adds the path to the error of a full disk.
    fn named(&self, error: io::Error) -> io::Error {
        match self.path.get() {
            Some(path) => full_at(error, path),
            None => error,
        }
    }

    /// Returns the length. A truncated file is an error: an engine that recovers would take it for another one.
    pub(super) fn len(&self) -> io::Result<u64> {
        let least = self.least.load(Ordering::Acquire);
        whole(&self.file.metadata()?, least)
    }

    /// Returns what is at the path of the file, or an error if the file was deleted, replaced or truncated. Two system calls.
    pub(super) fn check(&self) -> io::Result<AtPath> {
        let least = self.least.load(Ordering::Acquire);
        let about = self.file.metadata()?;
        let at_path = self.at_path(&about);
        if self.named && !has_name(&about) || at_path == AtPath::Other {
            return Err(replaced());
        }
        whole(&about, least)?;
        Ok(at_path)
    }
}

/// Returns the error of a file that is not at its path any more.
pub(super) fn replaced() -> io::Error {
    let what = "the file or its log was deleted or replaced while it was open; put it back, or close the store and restore a backup";
    io::Error::new(io::ErrorKind::NotFound, what)
}

/// Returns the length of a file that has `least` bytes at least.
fn whole(about: &Metadata, least: u64) -> io::Result<u64> {
    if about.len() < least {
        let what = format!(
            "the file was truncated from {least} to {} bytes while it was open; close the store, and restore a backup",
            about.len()
        );
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
    }
    Ok(about.len())
}

#[cfg(unix)]
fn has_name(about: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) > 0
}

/// Other systems do not delete open files.
#[cfg(not(unix))]
fn has_name(_: &Metadata) -> bool {
    true
}

/// Returns whether both are the same file.
#[cfg(unix)]
pub(crate) fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Other systems do not replace open files.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}
