//! `tables generate`: converts a design to Rust.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};
use table_codegen::{
    Positions,
    generate::{Files, Generated, Options, Refusals, Refused, generate},
};

use crate::{
    design::{Design, DesignFile},
    error::CommandError,
    text::json_text,
};

/// Generate Rust code from a design, and keep manual additions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    design: DesignFile,

    /// Rust file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Write one file per entity, in a directory named after the output file
    #[arg(long)]
    file_per_entity: bool,

    /// Print a diff instead of writing, and exit with 1 if a file would change
    #[arg(long)]
    check: bool,

    /// Print JSON with the changed files
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables generate company.toml -o src/entities.rs
  tables generate company.toml -o src/entities.rs --check

Each file is replaced atomically.";

/// Writes or prints the changes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let DesignFile { file, load } = &arguments.design;
    let design = Design::read(file, load.as_deref())?;
    let source =
        file.file_name().map_or_else(|| file.display().to_string(), |name| name.display().to_string());
    let options = Options { source, split: arguments.file_per_entity, comments: design.positions.comments() };
    let generated = generate(&design.schema, &options)
        .map_err(|refusals| CommandError::Refused(refused(&refusals, &design.positions)))?;
    for (query, reason) in &generated.left_out {
        eprintln!("note: no function for `{query}`: {reason}");
    }
    let files = Files::at(&arguments.output, &generated)?;
    let differ = files.changes().next().is_some();
    if !arguments.check {
        files.write()?;
    }
    if arguments.json {
        let changed: Vec<_> = files.changes().map(|change| &change.path).collect();
        crate::print(&json_text(json!({ "changed": changed, "left_out": left_out(&generated) })))?;
    } else if arguments.check {
        files.changes().try_for_each(|change| crate::print_file(&change.diff()))?;
    } else {
        files.changes().for_each(|change| eprintln!("wrote {}", change.path.display()));
    }
    Ok(if differ && arguments.check { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns the queries without a function.
fn left_out(generated: &Generated) -> Vec<Value> {
    generated.left_out.iter().map(|(query, reason)| json!({ "query": query, "reason": reason })).collect()
}

/// Formats the unsupported constructs with their positions.
fn refused(refusals: &Refusals, positions: &Positions) -> String {
    let of = |refused: &Refused| {
        let path: Vec<&str> = refused.path.iter().map(String::as_str).collect();
        // The nearest named element of the file.
        let place = (1..=path.len()).rev().find_map(|length| positions.key(path.get(..length)?));
        let (place, edge) = place.map_or_else(
            || (format!(" --> {}\n", refused.path.join(".")), 1),
            |place| (place.marked(""), place.edge()),
        );
        let edge = " ".repeat(edge);
        let Refused { code, message, help, .. } = refused;
        format!("error[{code}]: {message}\n{place}{edge} = help: {help}\n")
    };
    refusals.0.iter().map(of).collect::<Vec<_>>().join("\n")
}
