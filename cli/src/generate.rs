//! `tables generate`: a design into Rust.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use table_codegen::generate::{Files, Options, generate};

use crate::{
    design::{Design, DesignFile},
    error::CommandError,
};

/// Writes Rust from a design, and keeps what a person added to it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    design: DesignFile,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// A file for each entity, in a folder of the output's name
    #[arg(long)]
    split: bool,

    /// Writes nothing: shows what would change, and exits with 1 if anything would
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables generate company.toml -o src/entities.rs
  tables generate company.toml -o src/entities.rs --check

Each file is written beside its place and takes it at once: none is ever half there.";

/// Writes what changed, or shows it.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let DesignFile { file, load } = &arguments.design;
    let design = Design::read(file, load.as_deref())?;
    let source =
        file.file_name().map_or_else(|| file.display().to_string(), |name| name.display().to_string());
    let generated = generate(&design.schema, &Options { source, split: arguments.split })?;
    for (query, why) in &generated.left_out {
        eprintln!("warning: no function for `{query}`: {why}");
    }
    let files = Files::at(&arguments.output, &generated)?;
    if arguments.check {
        let diff: String = files.changes().map(table_codegen::generate::Change::diff).collect();
        crate::print(&diff)?;
        return Ok(if diff.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    files.write()?;
    for change in files.changes() {
        eprintln!("wrote {}", change.path.display());
    }
    Ok(ExitCode::SUCCESS)
}
