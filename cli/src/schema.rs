//! `tables schema`: prints the design in the derives of source files.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use table_codegen::{FromDesigns, Source, from_sources, write};

use crate::{design::source, error::CommandError, text::json_text};

/// Generate a design file from the derives in Rust source files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Source files with the entities and the enums of their fields
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Name of the design
    #[arg(long, value_name = "NAME", default_value = "design")]
    name: String,

    /// Print JSON instead of TOML
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables schema src/entities.rs --name company > company.toml
  tables schema src/*.rs --json | jq '.entity | keys'

Attributes are parsed by the parser of the derive, with the same diagnostics. Attributes that a design \
file cannot express are left out, and reported on standard error and in comments at the top.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let sources = arguments.files.iter().map(|file| source(file)).collect::<Result<Vec<_>, _>>()?;
    let (text, notes) = design(&arguments.name, &sources)?;
    for note in &notes {
        eprintln!("note: {note}");
    }
    if arguments.json {
        let object: serde_json::Value =
            toml::from_str(&text).map_err(|error| CommandError::Unfinished(error.to_string()))?;
        crate::print(&json_text(object))?;
    } else {
        crate::print_file(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the design file for the entities in source files, and notes on what it does not express, which are also
/// comments at its top.
pub(crate) fn design(name: &str, sources: &[Source]) -> Result<(String, Vec<String>), CommandError> {
    let FromDesigns { schema, notes } = read(name, sources)?;
    let comments: Vec<String> = notes.iter().map(|note| format!("# NOT EXPRESSED: {note}\n")).collect();
    Ok((comments.concat() + &write(&schema), notes))
}

/// Returns the model of the entities in source files, of which there is at least one.
pub(crate) fn read(name: &str, sources: &[Source]) -> Result<FromDesigns, CommandError> {
    let read = from_sources(name, sources).map_err(|mistakes| {
        let told = mistakes.iter().map(|mistake| format!("error: {mistake}\n"));
        CommandError::Refused(told.collect())
    })?;
    if read.schema.entities.is_empty() {
        return Err(CommandError::Refused(
            "error: no struct in these files derives TableEntity\n".to_owned(),
        ));
    }
    Ok(read)
}
