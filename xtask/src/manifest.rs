//! Manifests of the repository.

use std::{fs, path::Path};

use toml::Table;

use crate::step::Failed;

/// Reads a manifest.
pub(crate) fn read(manifest: &Path) -> Result<toml::Value, Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed::because(&manifest.display().to_string(), error);
    let text = fs::read_to_string(manifest).map_err(|error| failed(&error))?;
    text.parse::<Table>().map(toml::Value::Table).map_err(|error| failed(&error))
}
