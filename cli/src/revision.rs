//! Designs of a revision: files, or objects in git.

use std::{path::Path, process::Command};

use table_codegen::Source;

use crate::{design, error::CommandError};

/// Returns a design: a file if one with this name exists, otherwise the object of this name in git.
pub(crate) fn source(name: &str) -> Result<Source, CommandError> {
    let path = Path::new(name);
    // git would interpret a name with the prefix of an option as an option.
    if path.exists() || !name.contains(':') || name.starts_with('-') {
        return design::source(path);
    }
    let refused = |reason: String| CommandError::Revision { of: name.to_owned(), reason };
    let shown = Command::new("git").args(["show", name]).output();
    let shown = shown.map_err(|error| refused(error.to_string()))?;
    if !shown.status.success() {
        return Err(refused(String::from_utf8_lossy(&shown.stderr).trim().to_owned()));
    }
    let text = String::from_utf8(shown.stdout).map_err(|_| refused("invalid UTF-8".to_owned()))?;
    Ok(Source::new(name.to_owned(), text))
}
