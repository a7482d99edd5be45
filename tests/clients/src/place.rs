//! Where clients are installed.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// `target/clients`, and the folder of this crate.
#[derive(Clone, Debug)]
pub struct Place {
    installed: PathBuf,
    source: PathBuf,
}

impl Place {
    /// The place beside a test's own folder for files, `env!("CARGO_TARGET_TMPDIR")`.
    #[must_use]
    pub fn beside(target_tmpdir: &str) -> Self {
        let installed = Path::new(target_tmpdir).with_file_name("clients");
        Self { installed, source: PathBuf::from(env!("CARGO_MANIFEST_DIR")) }
    }

    /// The scenario's files in the repository.
    #[must_use]
    pub fn source(&self, scenario: &str) -> PathBuf {
        self.source.join(scenario)
    }

    /// Where the scenario's client is installed.
    #[must_use]
    pub fn installed(&self, scenario: &str) -> PathBuf {
        self.installed.join(scenario)
    }

    /// Keeps other processes from installing at the same time, until the file is dropped.
    ///
    /// # Errors
    ///
    /// The folder cannot be made, or the lock cannot be had.
    pub(crate) fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.installed)?;
        let file = File::create(self.installed.join(".lock"))?;
        file.lock()?;
        Ok(file)
    }

    /// Copies the scenario's files, without its folders, to where its client is installed: some languages look for
    /// libraries beside the program.
    ///
    /// # Errors
    ///
    /// What the file system refuses.
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
