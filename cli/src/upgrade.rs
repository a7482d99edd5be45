//! `tables upgrade`: converts a design file to the current format.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_codegen::generate::Change;

use crate::error::CommandError;

/// Brings a design's file to the present format, and keeps its comments, its order and its spaces.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The design, in TOML
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Writes nothing: shows what would change, and exits with 1 if anything would
    #[arg(long)]
    check: bool,

    /// Answers with an object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables upgrade company.toml
  tables upgrade company.toml --check

A file with mistakes is not touched: they are told. There is one format so far, so nothing changes yet.";

/// Rewrites the file if it must change.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = &arguments.file;
    let old = fs::read_to_string(path).map_err(|error| CommandError::Read { path: path.clone(), error })?;
    let new = table_codegen::upgrade(&old, &path.display().to_string()).map_err(CommandError::Mistakes)?;
    let changes = new != old;
    let change = Change { path: path.clone(), old: Some(old), new };
    if changes && !arguments.check {
        change.write()?;
    }
    if arguments.json {
        crate::print(&format!("{}\n", json!({ "file": path, "changes": changes })))?;
    } else if changes && arguments.check {
        crate::print(&change.diff())?;
    } else if changes {
        eprintln!("wrote {}", path.display());
    }
    Ok(if changes && arguments.check { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
