//! `tables scrub`: verifies a file.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use table_store::{OpenOptions, ScrubReport};

use crate::{
    error::CommandError,
    location::{LocationArguments, StoreLocationError},
    progress::Progress,
    text::{json_text, plain_lines},
};

/// Verify every page and record of a store file, without changes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: LocationArguments,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables scrub --store company.tables
  tables scrub --store ./data --account company --json

The file must not be in use. It can be read-only, or too damaged to be opened by other commands. \
Each damaged item is listed, and the command then exits with 1.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments.place.path("verify its tables and indexes with pg_amcheck")?;
    let progress = Progress::of_unknown();
    progress.say(format!("verifying {}", path.display()));
    let report = OpenOptions::new().scrub(&path).map_err(StoreLocationError::from)?;
    drop(progress);
    crate::print(&if arguments.json {
        json_text(object(&report))
    } else {
        plain_lines(&format!("{report}\n"))
    })?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn object(report: &ScrubReport) -> Value {
    let damage =
        report.damage.iter().map(|damage| json!({ "place": damage.place.to_string(), "what": damage.what }));
    let by_table: Map<_, _> =
        report.entities_by_table.iter().map(|(table, count)| (table.to_string(), (*count).into())).collect();
    json!({
        "sound": report.is_sound(),
        "tables": report.tables,
        "entities": report.entities,
        "entities_by_table": by_table,
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
