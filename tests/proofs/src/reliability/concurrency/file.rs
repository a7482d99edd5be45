//! Histories as text files with one call per line.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::Call;

/// Returns the directory of failed histories.
#[must_use]
pub fn folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).join("target/histories")
}

/// Writes a history.
///
/// # Errors
/// Returns the error of the file system.
pub fn write(path: &Path, calls: &[Call]) -> io::Result<()> {
    let lines: Result<Vec<_>, _> = calls.iter().map(serde_json::to_string).collect();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, lines?.join("\n") + "\n")
}

/// Reads a history.
///
/// # Errors
/// Returns the error of the file system, or `InvalidData` if a line is not a call.
pub fn read(path: &Path) -> io::Result<Vec<Call>> {
    let text = fs::read_to_string(path)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}
