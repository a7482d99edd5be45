//! `tables scrub`: verifies a file.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use table_store::embedded::{OpenOptions, ScrubReport};

use crate::{
    error::CommandError,
    place::{PlaceArguments, PlaceError},
    progress::Progress,
};

/// Verifies every page and every record of a store's file, and changes nothing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: PlaceArguments,

    /// Answers with an object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables scrub --store company.tables
  tables scrub --store ./data --account company --json

The file must not be in use. It may be read-only, and one that cannot be opened any more. \
What is damaged is told one by one; it exits with 1 then.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments.place.path()?;
    let progress = Progress::of_unknown();
    progress.say(format!("verifies {}", path.display()));
    let report = OpenOptions::new().scrub(&path).map_err(PlaceError::from)?;
    drop(progress);
    let text = if arguments.json { object(&report).to_string() } else { report.to_string() };
    crate::print(&format!("{text}\n"))?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn object(report: &ScrubReport) -> Value {
    let damage =
        report.damage.iter().map(|damage| json!({ "place": damage.place.to_string(), "what": damage.what }));
    json!({
        "sound": report.is_sound(),
        "tables": report.tables,
        "entities": report.entities,
        "queues": report.queues,
        "messages": report.messages,
        "containers": report.containers,
        "blobs": report.blobs,
        "chunks": report.chunks,
        "deleted": report.deleted,
        "bytes": report.bytes,
        "damage": damage.collect::<Vec<_>>(),
        "unlisted": report.unlisted,
    })
}
