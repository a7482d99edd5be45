//! `tables upgrade`: converts a design file to the current format.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_codegen::generate::Change;

use crate::{error::CommandError, text::json_text};

/// Convert a design file to the current format
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Design file, in TOML
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print a diff instead of writing, and exit with 1 if the file would change
    #[arg(long)]
    check: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables upgrade company.toml
  tables upgrade company.toml --check

Comments, order and spacing are kept. Errors are reported, and a file with errors is not changed. \
Currently only one format exists, so no file changes.";

/// Rewrites the file if it must change.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = &arguments.file;
    let old = fs::read_to_string(path).map_err(|error| CommandError::Read { path: path.clone(), error })?;
    let new = table_codegen::upgrade(&old, &path.display().to_string()).map_err(CommandError::Diagnostics)?;
    let changes = new != old;
    let change = Change { path: path.clone(), old: Some(old), new };
    if changes && !arguments.check {
        change.write()?;
    }
    if arguments.json {
        crate::print(&json_text(json!({ "file": path, "changes": changes })))?;
    } else if changes && arguments.check {
        crate::print_file(&change.diff())?;
    } else if changes {
        eprintln!("wrote {}", path.display());
    }
    Ok(if changes && arguments.check { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
