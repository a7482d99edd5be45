//! Installation directories of clients.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// `target/clients`, and `tests/clients`.
#[derive(Clone, Debug)]
pub struct Place {
    installed: PathBuf,
    source: PathBuf,
}

impl Place {
    /// Returns the location next to a test's own directory for files, `env!("CARGO_TARGET_TMPDIR")`.
    #[must_use]
    pub fn beside(target_tmpdir: &str) -> Self {
        let installed = Path::new(target_tmpdir).with_file_name("clients");
        Self { installed, source: Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients") }
    }

    /// Returns the directory of the scenario's files in the repository.
    #[must_use]
    pub fn source(&self, scenario: &str) -> PathBuf {
        self.source.join(scenario)
    }

    /// Returns the installation directory of the scenario's client.
    #[must_use]
    pub fn installed(&self, scenario: &str) -> PathBuf {
        self.installed.join(scenario)
    }

    /// Prevents concurrent installations by other processes, until the file is dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be created, or the lock cannot be acquired.
    pub(crate) fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.installed)?;
        let file = File::create(self.installed.join(".lock"))?;
        file.lock()?;
        Ok(file)
    }

    /// Copies the scenario's files, without its directories, to the installation directory of its client: some
    /// languages search libraries next to the program.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system.
    pub(crate) fn copy(&self, scenario: &str) -> io::Result<PathBuf> {
        let target = self.installed(scenario);
        fs::create_dir_all(&target)?;
        for entry in fs::read_dir(self.source(scenario))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::copy(entry.path(), target.join(entry.file_name()))?;
            }
        }
        Ok(target)
    }
}
