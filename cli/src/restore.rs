//! `tables restore`: restores a backup to a point in time.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_store::{LogEnd, OpenOptions, RestoreTo, Restored, Timestamp};

use crate::{
    error::CommandError,
    location::require_path,
    progress::Progress,
    text::{counted, json_text},
};

/// Create a store from a backup and its kept log, as it was at a point in time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Backup that was made while the log was kept
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,

    /// File to create; an existing file is never overwritten
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Folder of the kept log, with the files *.tables-kept
    #[arg(long, value_name = "DIR")]
    log: PathBuf,

    /// Restore the commits up to this time, such as 2026-11-23T12:00:00Z [default: all commits]
    #[arg(long, value_name = "TIME")]
    to: Option<Timestamp>,

    /// Restore the commits up to this number
    #[arg(long, value_name = "NUMBER", conflicts_with = "to")]
    to_commit: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables restore company-monday.tables restored.tables \\
      --log /mnt/kept --to 2026-11-23T12:00:00Z
  tables restore company-monday.tables restored.tables --log /mnt/kept

`tables serve --keep-log` keeps the log of each account in a folder of its own. The backup and the log are not \
modified. If commits after the backup are missing or damaged, or the log ends before --to or --to-commit, nothing is \
created, and the command exits with 1. Damage before them is a warning. A time is also reached if the store was closed after it.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    for path in [&arguments.backup, &arguments.file, &arguments.log] {
        require_path(path, "restore a dump with pg_restore, or a base backup with its WAL")?;
    }
    let to = match (arguments.to, arguments.to_commit) {
        (Some(time), _) => RestoreTo::Time(time),
        (None, Some(number)) => RestoreTo::Commit(number),
        (None, None) => RestoreTo::Latest,
    };
    let progress = Progress::of_unknown();
    progress.say(format!("restoring to {}", arguments.file.display()));
    let restored = OpenOptions::new().restore(&arguments.backup, &arguments.log, to, &arguments.file)?;
    drop(progress);
    if let Some(warning) = warning(&restored) {
        eprintln!("warning: {warning}; later commits may be missing");
    }
    if let Some(damage) = &restored.damage {
        eprintln!(
            "warning: {damage}, before the commits after the backup, which are complete; earlier backups cannot be \
             restored with this file: make a new backup"
        );
    }
    crate::print(&if arguments.json {
        let object = json!({
            "commit": restored.commit,
            "time": restored.time.to_string(),
            "applied": restored.applied,
            "end": match restored.end {
                LogEnd::Continues => "continues",
                LogEnd::Confirmed => "confirmed",
                LogEnd::Unconfirmed => "unconfirmed",
                _ => "incomplete",
            },
            "damage": restored.damage.as_ref().map(|damage| {
                json!({ "segment": damage.segment.display().to_string(), "byte": damage.byte })
            }),
        });
        json_text(object)
    } else {
        let (commit, time, applied) = (restored.commit, restored.time, restored.applied);
        format!("commit {commit} of {time}; {} after the backup\n", counted(applied, "commit"))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the reason why commits after the last one may be missing.
fn warning(restored: &Restored) -> Option<&'static str> {
    match restored.end {
        LogEnd::Continues | LogEnd::Confirmed => None,
        LogEnd::Unconfirmed => Some("the log has no end mark, as after a power failure, or in a copy"),
        _ => Some("the log ends with an incomplete commit, as after a crash"),
    }
}
