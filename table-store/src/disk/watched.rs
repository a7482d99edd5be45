use std::{
    fs::{File, Metadata},
    io,
    sync::atomic::{AtomicU64, Ordering},
};

/// A file whose deletion or truncation by another program is noticed. Writes to such a file would be lost.
#[derive(Debug)]
pub(super) struct WatchedFile {
    pub(super) file: File,
    /// Length that the file has at least.
    least: AtomicU64,
    /// The file had a name when it was opened. Some file systems report none.
    named: bool,
}

impl WatchedFile {
    /// Watches a file from its current state on. Without metadata, nothing is noticed.
    pub(super) fn new(file: File) -> Self {
        let about = file.metadata().ok();
        let least = AtomicU64::new(about.as_ref().map_or(0, Metadata::len));
        let named = about.is_some_and(|about| has_name(&about));
        Self { file, least, named }
    }

    /// Changes the file with `change`, after which it has this length at least. A change of the end checks the file
    /// before: afterwards a truncated file would have its length again, with zeros.
    pub(super) fn extend(&self, len: u64, change: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        if len >= self.least.load(Ordering::Acquire) {
            self.check()?;
        }
        change(&self.file)?;
        self.least.fetch_max(len, Ordering::AcqRel);
        Ok(())
    }

    /// Sets the length.
    pub(super) fn set_len(&self, len: u64) -> io::Result<()> {
        self.check()?;
        self.least.fetch_min(len, Ordering::AcqRel);
        self.file.set_len(len)?;
        self.least.fetch_max(len, Ordering::AcqRel);
        Ok(())
    }

    /// Returns the length. A truncated file is an error: an engine that recovers would take it for another one.
    pub(super) fn len(&self) -> io::Result<u64> {
        let least = self.least.load(Ordering::Acquire);
        whole(&self.file.metadata()?, least)
    }

    /// Returns an error if the file was deleted, replaced or truncated.
    pub(super) fn check(&self) -> io::Result<()> {
        let least = self.least.load(Ordering::Acquire);
        let about = self.file.metadata()?;
        if self.named && !has_name(&about) {
            let what =
                "the file was deleted or replaced while it was open; close the store, and restore a backup";
            return Err(io::Error::new(io::ErrorKind::NotFound, what));
        }
        whole(&about, least).map(drop)
    }
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
