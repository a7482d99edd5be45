//! `tables backup`: copies a store.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;

use crate::{
    error::CommandError,
    location::{LocationArguments, StoreLocationError},
    progress::Progress,
    runtime,
};

/// Copy a store file to a new file and verify every record
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File to create; it appears when the copy is complete, and an existing file is never overwritten
    #[arg(value_name = "FILE")]
    copy: PathBuf,

    #[command(flatten)]
    place: LocationArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables backup company-monday.tables --store company.tables
  tables backup /mnt/backup/company.tables \\
      --store ./data --account company --json

The store file must not be in use by another process; a running program can copy its own store \
with `Store::backup`. The copy is an ordinary store file. For a served account, use `tables export`.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    arguments.place.path().map_err(|error| match error {
        StoreLocationError::NoFile => CommandError::NoCopy,
        error => error.into(),
    })?;
    let progress = Progress::of_unknown();
    progress.say(format!("copying to {}", arguments.copy.display()));
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
