//! `tables backup`: copies a store.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_store::OpenOptions;

use crate::{
    error::CommandError,
    location::{LocationArguments, StoreLocationError, require_path},
    progress::Progress,
    runtime,
    text::json_text,
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

    /// Copy a store whose log is lost or damaged, without the commits that are lost with it
    #[arg(long)]
    accept_lost_log: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables backup company-monday.tables --store company.tables
  tables backup /mnt/backup/company.tables \\
      --store ./data --account company --json
  tables backup company-rest.tables --store company.tables --accept-lost-log

The store file must not be in use by another process; a running program can copy its own store \
with `Store::backup`. The copy is an ordinary store file. For a served account, use `tables export`; for a database, pg_dump.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let instead = "back it up with pg_dump, or with pg_basebackup and archived WAL";
    let path = arguments.place.path(instead).map_err(|error| match error {
        StoreLocationError::NoFile => CommandError::NoCopy,
        error => error.into(),
    })?;
    require_path(&arguments.copy, instead)?;
    let progress = Progress::of_unknown();
    progress.say(format!("copying to {}", arguments.copy.display()));
    let (made, lost) = if arguments.accept_lost_log {
        let accepted = OpenOptions::new().accept_lost_log(path, &arguments.copy)?;
        (accepted.backup, accepted.lost)
    } else {
        let made = runtime::at(arguments.place.open_to_read()?, async |place| match &place.store {
            Some(store) => Ok(store.backup(&arguments.copy).await?),
            None => Err(CommandError::NoCopy),
        })?;
        (made, None)
    };
    drop(progress);
    let (records, bytes) = (made.records, made.file_bytes);
    if let Some(lost) = &lost {
        eprintln!(
            "LOST: commits after number {}, from {} on; reason: {}",
            lost.after, lost.since, lost.reason
        );
    }
    crate::print(&if arguments.json {
        let lost = lost.map(
            |lost| json!({ "after": lost.after, "since": lost.since.to_string(), "reason": lost.reason }),
        );
        json_text(json!({ "records": records, "bytes": bytes, "lost": lost }))
    } else {
        format!("{records} records, {bytes} bytes\n")
    })?;
    Ok(ExitCode::SUCCESS)
}
