//! Finding, locking and creating the file of a store.

mod unfinished;

use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    OpenError, Place, Random,
    disk::{Disk, FileDisk, FileLog},
    engine::io_fault,
};

/// Opens and locks the file at `path`. Returns `None` if it does not exist. Rejects anything other than a regular file.
pub(crate) fn find(path: &Path) -> Result<Option<FileDisk>, OpenError> {
    find_for(path, File::options().read(true).write(true), false)
}

/// Opens and locks the file at `path` for reading only.
pub(crate) fn find_to_read(path: &Path) -> Result<Option<FileDisk>, OpenError> {
    find_for(path, File::options().read(true), true)
}

fn find_for(path: &Path, access: &OpenOptions, read_only: bool) -> Result<Option<FileDisk>, OpenError> {
    let place = || Place::from(path);
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(path, error)),
        Ok(data) => other_than_file(&data),
    };
    if let Some(found) = found {
        return Err(OpenError::NotAFile { place: place(), found });
    }
    let file = no_follow(&mut access.clone()).open(path).map_err(|error| refused(path, error))?;
    let has_other_name = has_other_name(&file);
    let file = lock(file, path, read_only)?;
    if has_other_name && !read_only {
        unfinished::remove(path);
    }
    file.watch_path(path);
    Ok(Some(file.with_log(FileLog::new(log_name(path), read_only))))
}

/// Returns what a path names if it is not a regular file.
pub(crate) fn other_than_file(data: &Metadata) -> Option<&'static str> {
    match data {
        data if data.is_file() => None,
        data if data.is_dir() => Some("a directory"),
        data if data.is_symlink() => Some("a symbolic link"),
        _ => Some("a special file"),
    }
}

/// Rejects symbolic links when a file is opened. A check of the path before could be outdated.
pub(crate) fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW);
    options
}

/// Locks a file, together with other readers or alone.
fn lock(file: File, path: &Path, shared: bool) -> Result<FileDisk, OpenError> {
    match if shared { file.try_lock_shared() } else { file.try_lock() } {
        Ok(()) => Ok(FileDisk::new(file)),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked { place: path.into() }),
        Err(TryLockError::Error(error)) => Err(refused(path, error)),
    }
}

/// Returns whether a file has two names, as after an interrupted creation.
#[cfg(unix)]
fn has_other_name(file: &File) -> bool {
    file.metadata().is_ok_and(|about| std::os::unix::fs::MetadataExt::nlink(&about) > 1)
}

#[cfg(not(unix))]
fn has_other_name(_: &File) -> bool {
    false
}

/// Creates a temporary file next to `path`, writes a store to it with `fill`, and then renames it. An incomplete store
/// therefore never has the final name. Files that interrupted creations of `path` have left are deleted.
///
/// Returns `None` if `path` exists, or another process creates it concurrently.
pub(crate) fn create<T, E: From<OpenError>>(
    path: &Path,
    random: &dyn Random,
    fill: impl FnOnce(Arc<dyn Disk>) -> Result<T, E>,
) -> Result<Option<T>, E> {
    let io = |error| E::from(refused(path, error));
    unfinished::remove(path);
    if fs::symlink_metadata(path).is_ok() {
        return Ok(None);
    }
    if has_stray_log(path).map_err(io)? {
        let found = "is the log of a store that does not exist";
        return Err(OpenError::StrayLog { place: path.into(), found }.into());
    }
    let (created, temporary) = unfinished::create(path, random).map_err(io)?;
    // The name of the log belongs to the final name: the first write creates it, after the file has its name.
    let log = FileLog::new(log_name(path), false);
    let disk = Arc::new(FileDisk::new(created).with_log(log));
    let filled = fill(Arc::clone(&disk) as Arc<dyn Disk>).and_then(|made| {
        disk.sync().map_err(io)?;
        let is_published = publish(&temporary, path).map_err(io)?;
        if is_published {
            disk.watch_path(path);
        }
        Ok(is_published.then_some(made))
    });
    // On success the file has a second name; otherwise it must be removed.
    let removed = fs::remove_file(&temporary).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    });
    let made = filled?;
    removed.and_then(|()| sync_directory(path)).map_err(io)?;
    Ok(made)
}

/// Returns whether a log exists without its store: its commits would be lost with it.
fn has_stray_log(path: &Path) -> io::Result<bool> {
    let len = |path: &Path| match fs::symlink_metadata(path) {
        Ok(data) => Ok(Some(data.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    // The store second: a log is created after its store.
    Ok(len(&log_name(path))?.is_some_and(|len| len != 0) && len(path)?.is_none())
}

/// Gives the file its final name. Returns `false` if the name exists.
fn publish(temporary: &Path, path: &Path) -> io::Result<bool> {
    match fs::hard_link(temporary, path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(_) if fs::symlink_metadata(path).is_ok() => Ok(false),
        // The file system does not support hard links. A concurrent creator could then replace the file.
        Err(_) => fs::rename(temporary, path).map(|()| true),
    }
}

/// Returns the name of the log of the store at `path`.
fn log_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-log");
    name.into()
}

/// Makes the directory entries durable.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    File::open(directory(path))?.sync_all()
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Converts an error of the file system to an error of opening.
fn refused(path: &Path, error: io::Error) -> OpenError {
    let place = Place::from(path);
    match error.kind() {
        ErrorKind::NotFound => OpenError::Missing { place },
        ErrorKind::PermissionDenied => OpenError::Denied { place },
        ErrorKind::ReadOnlyFilesystem => OpenError::ReadOnlyFileSystem { place },
        _ => OpenError::Storage { place, fault: io_fault(error) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_only_file_system_is_no_missing_permission() {
        let error = refused(Path::new("a.tables"), ErrorKind::ReadOnlyFilesystem.into());
        assert!(matches!(error, OpenError::ReadOnlyFileSystem { .. }), "{error}");
        assert!(error.to_string().starts_with("a.tables: the file system is read-only; mount it"), "{error}");
        let error = refused(Path::new("a.tables"), ErrorKind::PermissionDenied.into());
        assert!(matches!(error, OpenError::Denied { .. }), "{error}");
    }
}
