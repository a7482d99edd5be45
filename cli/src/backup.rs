//! `tables backup`: copies a store.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;

use crate::{
    error::CommandError,
    place::{PlaceArguments, PlaceError},
    progress::Progress,
    runtime,
};

/// Copies a store's file to a new one, every record verified on the way.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file of the copy; it has its name when it is whole, and nothing is ever written over
    copy: PathBuf,

    #[command(flatten)]
    place: PlaceArguments,

    /// Answers with an object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables backup company-monday.tables --store company.tables
  tables backup /mnt/backup/company.tables --store ./data --account company --json

The file must not be in use by another process: what runs can copy its store itself, by \
`Store::backup`. The copy is a store like any other. Of an account behind the protocol, \
`tables export` writes the tables.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    arguments.place.path().map_err(|error| match error {
        PlaceError::NoFile => CommandError::NoCopy,
        error => error.into(),
    })?;
    let progress = Progress::of_unknown();
    progress.say(format!("copies to {}", arguments.copy.display()));
    let made = runtime::at(arguments.place.open()?, async |place| match &place.store {
        Some(store) => Ok(store.backup(&arguments.copy).await?),
        None => Err(CommandError::NoCopy),
    })?;
    drop(progress);
    let (records, bytes) = (made.records, made.file_bytes);
    crate::print(&if arguments.json {
        format!("{}\n", json!({ "records": records, "bytes": bytes }))
    } else {
        format!("{records} records, {bytes} bytes\n")
    })?;
    Ok(ExitCode::SUCCESS)
}
