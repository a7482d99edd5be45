//! `tables compact`: releases the unused space of a file.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::{
    error::CommandError,
    location::{StoreLocationError, WritableLocation},
    progress::Progress,
    text::json_text,
};

/// Return the space of deleted data to the file system
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: WritableLocation,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables compact --store company.tables
  tables compact --store ./data --account company

The file must not be in use. It is verified first, then compacted in place, in steps that lose \
no data if they are interrupted.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments
        .place
        .path("autovacuum reuses the space of deleted rows, and VACUUM FULL returns it to the system")?;
    let progress = Progress::of_unknown();
    progress.say(format!("compacting {}", path.display()));
    let done = arguments.place.options()?.compact(&path).map_err(StoreLocationError::from)?;
    drop(progress);
    let (before, after) = (done.bytes_before, done.bytes_after);
    crate::print(&if arguments.json {
        json_text(json!({ "bytes_before": before, "bytes_after": after }))
    } else {
        format!("{after} bytes, {before} before\n")
    })?;
    Ok(ExitCode::SUCCESS)
}
