//! Files on disk: what would change, and the change, whole or not at all.

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

/// A file as it is and as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its text; none where it is not there.
    pub old: Option<String>,
    /// What it would be.
    pub new: String,
}

/// What went wrong with a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It cannot be written anew.
    #[error("{path}: {error}")]
    Merge {
        /// The file.
        path: PathBuf,
        /// Why.
        error: MergeError,
    },
}

impl Files {
    /// What would change at `path`, the root file; further files are in the folder of its name.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is not one that was written from a design.
    pub fn at(path: &Path, generated: &Generated) -> Result<Self, FileError> {
        let folder = path.with_extension("");
        let parts = generated.parts.iter().map(|(name, text)| (folder.join(format!("{name}.rs")), text));
        let all = std::iter::once((path.to_owned(), &generated.root)).chain(parts);
        let changes = all.map(|(path, text)| Change::of(path, text)).collect::<Result<_, _>>()?;
        Ok(Self { changes })
    }

    /// The files that would change.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.old.as_ref() != Some(&change.new))
    }

    /// Writes what changed. Each file is written beside its place and takes it at once, so that none is ever half there.
    ///
    /// # Errors
    ///
    /// A file cannot be written; those before it are.
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
            // An empty file is nobody's work.
            Some(old) if !old.trim().is_empty() => {
                merge(old, text).map_err(|error| FileError::Merge { path: path.clone(), error })?
            }
            _ => text.to_owned(),
        };
        Ok(Self { path, old, new })
    }

    /// The lines that would change, with three around them.
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

    /// Writes it: beside its place first, which it takes at once.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn write(&self) -> Result<(), FileError> {
        let written = || {
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
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
