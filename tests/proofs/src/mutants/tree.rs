use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// A copy of the workspace files, below `target/mutants`.
#[derive(Clone, Debug)]
pub struct Tree {
    origin: PathBuf,
    root: PathBuf,
}

impl Tree {
    /// Copies the files of the workspace that are tracked, or untracked and not ignored. Unchanged files keep their
    /// modification times, so that a second copy compiles only the differences.
    ///
    /// # Errors
    ///
    /// Returns an I/O error if a file cannot be copied, or if git cannot list the files.
    pub fn copy(origin: &Path) -> io::Result<Self> {
        let root = origin.join("target/mutants/tree");
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(origin)
            .output()?;
        let tree = Self { origin: origin.to_owned(), root };
        let names = String::from_utf8(listed.stdout).map_err(io::Error::other)?;
        for file in names.split('\0').filter(|name| !name.is_empty()) {
            tree.restore(file)?;
        }
        Ok(tree)
    }

    /// Returns the root of the copy.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the root of the original.
    pub fn origin(&self) -> &Path {
        &self.origin
    }

    /// Writes one file of the copy.
    ///
    /// # Errors
    ///
    /// Returns an I/O error if the file cannot be written.
    pub fn write(&self, file: &str, contents: &str) -> io::Result<()> {
        fs::write(self.root.join(file), contents)
    }

    /// Copies one file again if it differs from the original.
    ///
    /// # Errors
    ///
    /// Returns an I/O error if a file cannot be read or written.
    pub fn restore(&self, file: &str) -> io::Result<()> {
        let (from, to) = (self.origin.join(file), self.root.join(file));
        let contents = match fs::read(&from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            read => read?,
        };
        if fs::read(&to).is_ok_and(|copied| copied == contents) {
            return Ok(());
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&from, &to)?;
        // Cargo compares modification times: the file must be newer than the build of the mutant.
        fs::File::options().append(true).open(&to)?.set_modified(std::time::SystemTime::now())
    }
}
