//! `tables salvage`: copies the sound part of a damaged store.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_store::OpenOptions;

use crate::{
    error::CommandError,
    location::{LocationArguments, require_path},
    progress::Progress,
    text::{json_text, plain_lines},
};

/// Copy the sound part of a damaged store file to a new file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File to create; an existing file is never overwritten
    #[arg(value_name = "FILE")]
    new: PathBuf,

    #[command(flatten)]
    place: LocationArguments,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables salvage company-sound.tables --store company.tables
  tables salvage company-sound.tables --store ./data --account company --json

The damaged file must not be in use, and is not changed. What is lost is listed by table and range of \
keys, and the command then exits with 1. Prefer a backup if it is recent enough.";

/// What to do with a damaged database.
const INSTEAD: &str = "restore its backup, or promote a standby";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments.place.path(INSTEAD)?;
    require_path(&arguments.new, INSTEAD)?;
    let progress = Progress::of_unknown();
    progress.say(format!("copying the sound part to {}", arguments.new.display()));
    let salvage = OpenOptions::new().salvage(&path, &arguments.new)?;
    drop(progress);
    crate::print(&if arguments.json {
        let lost = salvage.lost.iter().map(|range| {
            let position = |at: &Option<table_store::KeyPosition>| {
                at.as_ref().map(|at| {
                    json!({
                        "id": at.id,
                        "table": at.table.as_ref().map(ToString::to_string),
                        "partition_key": at.partition_key,
                        "row_key": at.row_key,
                    })
                })
            };
            json!({ "from": position(&range.from), "to": position(&range.to), "what": range.what })
        });
        let damage = salvage
            .damage
            .iter()
            .map(|damage| json!({ "place": damage.place.to_string(), "what": damage.what }));
        let object = json!({
            "complete": salvage.is_complete(),
            "records": salvage.records,
            "lost": lost.collect::<Vec<_>>(),
            "damage": damage.collect::<Vec<_>>(),
        });
        json_text(object)
    } else {
        let lost = salvage.lost.iter().map(|range| format!("lost {range}"));
        let damage = salvage.damage.iter().map(|damage| format!("incomplete: {damage}"));
        let lines: Vec<_> =
            [format!("{} records", salvage.records)].into_iter().chain(lost).chain(damage).collect();
        plain_lines(&format!("{}\n", lines.join("\n")))
    })?;
    Ok(if salvage.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
