//! Errors of a full disk, with the file.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// A full disk, as the content of an I/O error.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
struct FullDisk {
    path: PathBuf,
    error: io::Error,
}

/// Adds a path to the error of a full disk.
pub(crate) fn full_at(error: io::Error, path: &Path) -> io::Error {
    let kind = error.kind();
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            io::Error::new(kind, FullDisk { path: path.to_owned(), error })
        }
        _ => error,
    }
}

/// Returns the path in the error of a full disk.
pub(crate) fn full_path(error: &io::Error) -> Option<&Path> {
    let full = error.get_ref()?.downcast_ref::<FullDisk>()?;
    Some(&full.path)
}

#[cfg(test)]
mod tests {
    use table_model::StorageFault;

    use super::*;
    use crate::engine::io_fault;

    #[test]
    fn only_the_error_of_a_full_disk_names_the_file() {
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            let error = full_at(kind.into(), Path::new("/data/a.tables-log"));
            assert_eq!(error.kind(), kind);
            let text = io_fault(error).to_string();
            assert_eq!(
                text,
                "no space is left on the device of /data/a.tables-log; free space, and try again"
            );
            let unnamed = io_fault(kind.into());
            assert!(matches!(unnamed, StorageFault::DiskFull { file: None }), "{unnamed}");
        }
        let other = full_at(ErrorKind::PermissionDenied.into(), Path::new("a"));
        assert!(full_path(&other).is_none() && other.get_ref().is_none());
    }
}
