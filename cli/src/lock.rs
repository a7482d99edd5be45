//! `tables lock`: the stored form of a design, as a file that changes are compared with.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use table_patterns::lock::{FILE, Lock, LockFile};

use crate::{design::Design, error::CommandError};

/// Compare a design with its lock file, and reject changes of stored data that nobody has accepted
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Design file, in TOML
    #[arg(value_name = "DESIGN")]
    design: PathBuf,

    /// Lock file, other than that of `lock!` [default: tables.lock next to the design]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write the lock file; changes that lose data are still rejected
    #[arg(long)]
    accept: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables lock company.toml --accept
  tables lock company.toml

The file contains the stored form of each version of each entity. Commit it. Exits with 1 if the \
design differs from it.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let schema = Design::read(&arguments.design, None)?.schema;
    let path = arguments.file.clone().unwrap_or_else(|| arguments.design.with_file_name(FILE));
    let option = arguments.file.as_ref().map(|file| format!(" --file {}", file.display()));
    let accept = format!("tables lock {}{} --accept", arguments.design.display(), option.unwrap_or_default());
    let (file, code) = (LockFile::of_design_file(&path, accept), Lock::of_schema(&schema));
    let shown = path.display();
    let done = if !arguments.accept {
        file.check(&code)?;
        format!("{shown} contains the stored form of the design\n")
    } else if file.accept(&code)? {
        format!("{shown} written; review and commit the difference\n")
    } else {
        format!("{shown} is unchanged\n")
    };
    crate::print(&done)?;
    Ok(ExitCode::SUCCESS)
}
