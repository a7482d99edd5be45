//! Generated files on disk: preview of changes and atomic replacement.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use similar::TextDiff;
use thiserror::Error;

use super::{Generated, MergeError, merge};

/// The files of generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    changes: Vec<Change>,
}

/// The current and the new text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path of the file.
    pub path: PathBuf,
    /// The current text, or `None` if the file does not exist.
    pub old: Option<String>,
    /// The new text.
    pub new: String,
}

/// The error of a file operation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading or writing the file failed.
    #[error("{path}: {error}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The I/O error.
        error: io::Error,
    },
    /// The file cannot be regenerated.
    #[error("{path}: {error}")]
    Merge {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: MergeError,
    },
}

impl Files {
    /// Computes the changes at `path`, the root file. Other files are in the directory with the name of the root file.
    ///
    /// # Errors
    ///
    /// Returns [`FileError`] if a file cannot be read, or was not generated from a design.
    pub fn at(path: &Path, generated: &Generated) -> Result<Self, FileError> {
        let folder = path.with_extension("");
        let parts = generated.parts.iter().map(|(name, text)| (folder.join(format!("{name}.rs")), text));
        let all = std::iter::once((path.to_owned(), &generated.root)).chain(parts);
        let changes = all.map(|(path, text)| Change::of(path, text)).collect::<Result<_, _>>()?;
        Ok(Self { changes })
    }

    /// Returns the files that would change.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.old.as_ref() != Some(&change.new))
    }

    /// Writes the changed files. Each file is written to a temporary file and renamed, so it is never incomplete.
    ///
    /// # Errors
    ///
    /// Returns [`FileError`] if a file cannot be written. Files before it have been written.
    pub fn write(&self) -> Result<(), FileError> {
        self.changes().try_for_each(Change::write)
    }
}

impl Change {
    fn of(path: PathBuf, text: &str) -> Result<Self, FileError> {
        let old = match fs::read_to_string(&path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FileError::Io { path, error }),
        };
        let new = match &old {
            // An empty file contains no user code, so it is overwritten.
            Some(old) if !old.trim().is_empty() => {
                merge(old, text).map_err(|error| FileError::Merge { path: path.clone(), error })?
            }
            _ => text.to_owned(),
        };
        Ok(Self { path, old, new })
    }

    /// Returns a diff with three lines of context.
    pub fn diff(&self) -> String {
        let name = self.path.display().to_string();
        let old = self.old.as_deref().unwrap_or_default();
        let header = if self.old.is_some() { name.as_str() } else { "/dev/null" };
        TextDiff::from_lines(old, &self.new)
            .unified_diff()
            .context_radius(3)
            .header(header, &name)
            .to_string()
    }

    /// Writes the file atomically: to a temporary file, which is renamed.
    ///
    /// # Errors
    ///
    /// Returns [`FileError`] if the operating system reports an error.
    pub fn write(&self) -> Result<(), FileError> {
        let written = || {
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            fs::create_dir_all(folder)?;
            let mut builder = tempfile::Builder::new();
            // As files of other programs: the umask decides.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(folder)?;
            file.write_all(self.new.as_bytes())?;
            if let Ok(old) = fs::metadata(&self.path) {
                file.as_file().set_permissions(old.permissions())?;
            }
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|error| FileError::Io { path: self.path.clone(), error })
    }
}
