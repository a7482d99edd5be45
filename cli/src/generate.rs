//! `tables generate`: a design into Rust.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use table_codegen::{
    Positions,
    generate::{Files, Options, Refusals, Refused, generate},
};

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
    let options = Options { source, split: arguments.split };
    let generated = generate(&design.schema, &options)
        .map_err(|refusals| CommandError::Refused(refused(&refusals, &design.positions)))?;
    for (query, why) in &generated.left_out {
        eprintln!("note: no function for `{query}`: {why}");
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

/// What cannot be written, each at its place.
fn refused(refusals: &Refusals, positions: &Positions) -> String {
    let of = |refused: &Refused| {
        let path: Vec<&str> = refused.path.iter().map(String::as_str).collect();
        // The nearest that the file names.
        let place = (1..=path.len()).rev().find_map(|length| positions.key(path.get(..length)?));
        let place = place.map_or_else(
            || format!("  --> {}\n", refused.path.join(".")),
            |place| crate::mark::lines(&place, ""),
        );
        format!("error: {}\n{place}  = help: {}\n", refused.message, refused.help)
    };
    refusals.0.iter().map(of).collect::<Vec<_>>().join("\n")
}
