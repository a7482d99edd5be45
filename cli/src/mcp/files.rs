//! The files that tools may read: designs and Rust sources below one directory.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use table_codegen::Source;

use super::{failure::Failure, limits};
use crate::error::CommandError;

/// A directory whose files may be read.
#[derive(Clone, Debug)]
pub(super) struct Files(PathBuf);

impl Files {
    /// Selects a directory.
    ///
    /// # Errors
    /// Fails if the directory does not exist.
    pub(super) fn new(directory: &Path) -> Result<Self, CommandError> {
        match directory.canonicalize() {
            Ok(directory) => Ok(Self(directory)),
            Err(error) => Err(CommandError::Read { path: directory.to_owned(), error }),
        }
    }

    /// Reads a file below the directory with this extension. Errors do not show whether other files exist.
    pub(super) fn read(&self, path: &str, extension: &str) -> Result<Source, Failure> {
        let found = self.0.join(path).canonicalize().ok().filter(|found| {
            found.starts_with(&self.0)
                && found.extension().is_some_and(|found| found == extension)
                && fs::metadata(found).is_ok_and(|data| data.is_file())
        });
        let Some(found) = found else {
            let text = if extension == "toml" { "design" } else { "source" };
            return Err(Failure::told(format!(
                "{path}: no file with the extension .{extension} below {}; pass its text as `{text}`, or start \
                 `tables mcp` with --files",
                self.0.display()
            )));
        };
        let mut text = String::new();
        let read =
            File::open(&found).and_then(|file| file.take(limits::FILE as u64 + 1).read_to_string(&mut text));
        match read {
            Ok(bytes) if bytes > limits::FILE => Err(Failure::told(format!(
                "{path}: the file has more than {} KiB, which is the limit",
                limits::FILE >> 10
            ))),
            Ok(_) => Ok(Source::new(path, text)),
            Err(error) => Err(CommandError::Read { path: path.into(), error }.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_files_below_the_directory_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        fs::write(folder.path().join("outside.toml"), "secret").unwrap();
        fs::write(inside.join("a.toml"), "tables = 1").unwrap();
        fs::write(inside.join("key.pem"), "secret").unwrap();
        fs::write(inside.join("large.toml"), "#".repeat(limits::FILE + 1)).unwrap();
        fs::create_dir(inside.join("folder.toml")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../outside.toml", inside.join("link.toml")).unwrap();
        let files = Files::new(&inside).unwrap();
        assert_eq!(files.read("a.toml", "toml").unwrap().text, "tables = 1");
        let absolute = inside.canonicalize().unwrap().join("a.toml");
        assert_eq!(files.read(absolute.to_str().unwrap(), "toml").unwrap().text, "tables = 1");
        for path in ["../outside.toml", "link.toml", "key.pem", "a.rs", "missing.toml", "folder.toml", ""] {
            let error = files.read(path, "toml").unwrap_err().to_string();
            assert!(error.contains("no file with the extension .toml below"), "{error}");
        }
        let error = files.read("large.toml", "toml").unwrap_err().to_string();
        assert!(error.contains("more than 512 KiB"), "{error}");
    }
}
