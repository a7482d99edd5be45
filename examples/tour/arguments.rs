use std::path::{Path, PathBuf};

use table_examples::screen::{Screen, grouped};

const USAGE: &str = "usage: tour [--data DIR] [--keep FILE]
  --data DIR   read the employees set from DIR/employees_5k instead of making a company up
  --keep FILE  write the store to FILE, which must not exist, and leave it there";

/// Command line arguments.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) data: Option<PathBuf>,
    keep: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            let slot = match word.as_str() {
                "--data" => &mut arguments.data,
                "--keep" => &mut arguments.keep,
                _ => return Err(format!("unknown argument `{word}`\n{USAGE}")),
            };
            let value = words.next().ok_or_else(|| format!("`{word}` needs a path\n{USAGE}"))?;
            *slot = Some(PathBuf::from(value));
        }
        Ok(arguments)
    }

    /// Returns the location of the store: the given file, or a temporary folder that is removed at the end.
    pub(crate) fn store(&self) -> Result<StoreFile, String> {
        if let Some(path) = &self.keep {
            if path.exists() {
                return Err(format!("{} exists already; name a new file", path.display()));
            }
            return Ok(StoreFile { path: path.clone(), folder: None });
        }
        let folder = std::env::temp_dir().join(format!("table-patterns-tour-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(StoreFile { path: folder.join("company.tables"), folder: Some(folder) })
    }
}

/// File of the store. A temporary file is removed when this value is consumed.
#[derive(Debug)]
pub(crate) struct StoreFile {
    path: PathBuf,
    folder: Option<PathBuf>,
}

impl StoreFile {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Prints the remaining file.
    pub(crate) fn farewell(self, screen: &mut Screen) {
        let bytes = std::fs::metadata(&self.path).map_or(0, |data| data.len());
        match self.folder {
            None => screen.say(format_args!("kept: {} ({} bytes)", self.path.display(), grouped(bytes))),
            Some(_) => screen.say("The file is removed now. Keep it with `-- --keep company.tables`."),
        }
    }
}

impl Drop for StoreFile {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // If the folder cannot be removed, it remains in the temporary folder of the system.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
