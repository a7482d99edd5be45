//! Files with temporary names next to the stores that they become.
//!
//! The process that fills such a file holds its lock. A file without a lock was left by a process that ended.

use std::{
    fs::{self, File, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use super::{directory, no_follow};
use crate::Random;

/// Number of names that are tried. Another process can delete a file between its creation and its lock.
const ATTEMPTS: u32 = 8;

/// Creates and locks an empty file with an unused hidden name next to `path`.
pub(super) fn create(path: &Path, random: &dyn Random) -> io::Result<(File, PathBuf)> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for _ in 0..ATTEMPTS {
        let mut number = [0; 8];
        random.fill(&mut number)?;
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?.to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{:016x}.new", u64::from_le_bytes(number)));
        let file = options.open(&temporary)?;
        match file.try_lock() {
            Ok(()) if fs::symlink_metadata(&temporary).is_ok() => return Ok((file, temporary)),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => {
                let _ = fs::remove_file(&temporary);
                return Err(error);
            }
        }
    }
    let what = "another process deletes the file before it is locked; try again";
    Err(io::Error::new(ErrorKind::WouldBlock, what))
}

/// Deletes the files that interrupted creations of `path` have left. An error leaves a file to the next call.
pub(super) fn remove(path: &Path) {
    let Some(name) = path.file_name() else { return };
    let prefix = format!(".{}.", name.to_string_lossy());
    let is_temporary = |name: &str| {
        let number = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".new"));
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        number.is_some_and(|number| number.len() == 16 && number.bytes().all(is_digit))
    };
    for entry in fs::read_dir(directory(path)).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name().to_string_lossy()) {
            let _ = remove_unused(&entry.path(), path);
        }
    }
}

fn remove_unused(temporary: &Path, path: &Path) -> io::Result<()> {
    if is_same(temporary, path) {
        // The process ended after it had given the complete file its name.
        return fs::remove_file(temporary);
    }
    let file = no_follow(File::options().read(true).write(true)).open(temporary)?;
    // Held until the name is removed: a process that has just created the file then takes another name.
    if file.metadata()?.is_file() && file.try_lock().is_ok() {
        fs::remove_file(temporary)?;
    }
    Ok(())
}

/// Returns whether both paths are names of the same file.
#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    let about = |path| fs::symlink_metadata(path).ok();
    about(one).zip(about(other)).is_some_and(|(one, other)| crate::disk::is_same(&one, &other))
}

/// The second name remains on other systems.
#[cfg(not(unix))]
fn is_same(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRandom;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_files_that_no_process_fills_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tables");
        let (used, used_name) = create(&path, &SystemRandom).unwrap();
        let (left, left_name) = create(&path, &SystemRandom).unwrap();
        drop(left);
        for other in
            [".a.tables.0123.new", ".a.tables.0123456789abcdeX.new", ".b.tables.0123456789abcdef.new"]
        {
            fs::write(folder.path().join(other), "other").unwrap();
        }
        let before = names(folder.path());
        remove(&path);
        let left_name = left_name.file_name().unwrap().to_str().unwrap();
        let expected: Vec<_> = before.into_iter().filter(|name| name != left_name).collect();
        assert_eq!(names(folder.path()), expected);
        drop(used);
        remove(&path);
        assert!(!used_name.exists() && names(folder.path()).len() == 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_second_name_of_the_complete_file_is_deleted_while_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tables");
        drop(crate::Store::open(&path).unwrap());
        fs::hard_link(&path, folder.path().join(".a.tables.0123456789abcdef.new")).unwrap();
        // A link is neither followed nor deleted.
        std::os::unix::fs::symlink("b", folder.path().join(".a.tables.0123456789abcdee.new")).unwrap();
        let store = crate::Store::open(&path).unwrap();
        assert_eq!(names(folder.path()), [".a.tables.0123456789abcdee.new", "a.tables"]);
        drop(store);
    }
}
