//! The directories of the data and of the kept logs.

use std::{fs, io, path::Path};

use super::ServeError;

/// Creates the directory with access for its owner only; or checks whether other users can change it, which is only a
/// warning on loopback addresses.
pub(crate) fn prepare(directory: &Path, loopback: bool) -> Result<(), ServeError> {
    let others = make(directory).and_then(|()| open_to_others(directory));
    let others = others.map_err(|error| ServeError::Data { directory: directory.into(), error })?;
    match (others, loopback) {
        (false, _) => Ok(()),
        (true, true) => {
            tracing::warn!(directory = %directory.display(), "the directory is writable by other users");
            Ok(())
        }
        (true, false) => Err(ServeError::OpenToOthers(directory.into())),
    }
}

/// Warns of a file with secrets or data that other users can read.
pub(crate) fn warn_of_readers(path: &Path) {
    if readable_by_others(path) {
        tracing::warn!(file = %path.display(), "the file is readable by other users; run `chmod go-rwx` on it");
    }
}

#[cfg(unix)]
fn readable_by_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o044 != 0)
}

#[cfg(not(unix))]
fn readable_by_others(_path: &Path) -> bool {
    false
}

fn make(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(unix)]
fn open_to_others(directory: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(directory)?.permissions().mode() & 0o022 != 0)
}

#[cfg(not(unix))]
fn open_to_others(_directory: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key.pem");
        assert!(!readable_by_others(&file));
        fs::write(&file, "").unwrap();
        for (mode, readable) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)]
        {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(readable_by_others(&file), readable, "{mode:o}");
        }
    }

    #[test]
    fn what_others_can_change_is_for_this_machine_only() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        prepare(&data, false).unwrap();
        for (mode, safe) in [(0o700, true), (0o755, true), (0o775, false), (0o702, false)] {
            fs::set_permissions(&data, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(prepare(&data, false).is_ok(), safe, "{mode:o}");
            assert!(prepare(&data, true).is_ok(), "{mode:o}");
        }
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(matches!(prepare(&folder.path().join("file"), true), Err(ServeError::Data { .. })));
    }
}
