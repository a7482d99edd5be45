//! A design file, parsed completely or rejected with all its errors.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use table_codegen::{Diagnostics, Positions, Reading, Source};
use table_designs::schema::Schema;
use table_schema::catalogue::Severity;

use crate::{error::CommandError, schema};

/// Which design.
#[derive(Debug, Args)]
pub(crate) struct DesignFile {
    /// Design file, in TOML
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// File with queries, load, prices, targets and lint that override the design
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,
}

/// A valid design.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) schema: Schema,
    pub(crate) positions: Positions,
}

impl Design {
    /// Reads a design file.
    ///
    /// # Errors
    ///
    /// Returns the errors of the design, or the error of reading a file.
    pub(crate) fn read(file: &Path, load: Option<&Path>) -> Result<Self, CommandError> {
        Self::of(source(file)?, load.map(source).transpose()?)
    }

    /// Parses a design that is already in memory.
    pub(crate) fn of(source: Source, load: Option<Source>) -> Result<Self, CommandError> {
        let Reading { schema, diagnostics, positions } = Reading::of(source, load);
        let is_wrong = diagnostics.iter().any(|mistake| mistake.severity() == Severity::Error);
        match schema {
            Some(schema) if !is_wrong => Ok(Self { schema, positions }),
            _ => Err(CommandError::Diagnostics(Diagnostics(diagnostics))),
        }
    }
}

/// Reads a design file, or the design in Rust source files. Returns `None` without files.
///
/// # Errors
///
/// Returns the errors of the design, or the error of reading a file.
pub(crate) fn of_files(files: &[PathBuf]) -> Result<Option<Schema>, CommandError> {
    let is_rust = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rs");
    match files {
        [] => Ok(None),
        [file] if !is_rust(file) => Ok(Some(Design::read(file, None)?.schema)),
        [first, ..] => {
            let name = first.file_stem().unwrap_or_default().to_string_lossy();
            let sources = files.iter().map(|file| source(file)).collect::<Result<Vec<_>, _>>()?;
            Ok(Some(schema::read(&name, &sources)?.schema))
        }
    }
}

/// Reads a file.
pub(crate) fn source(path: &Path) -> Result<Source, CommandError> {
    let text =
        fs::read_to_string(path).map_err(|error| CommandError::Read { path: path.to_owned(), error })?;
    Ok(Source::new(path.display().to_string(), text))
}
