//! `tables diff`: the changes between two versions of a design, and how to deploy them.

mod json;
mod steps;
mod text;

use std::process::ExitCode;

use clap::Args;
use table_designs::evolution::{Change, Step, Verdict, compare, verdict};

use crate::{design::Design, error::CommandError, revision};

/// Compare two versions of a design, and print how to deploy the changes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Older design: a file, or REV:PATH as in git
    #[arg(value_name = "OLD")]
    older: String,

    /// Newer design: a file, or REV:PATH as in git
    #[arg(value_name = "NEW")]
    newer: String,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables diff old.toml company.toml
  tables diff main:company.toml company.toml
  tables diff v1.2:company.toml v1.3:company.toml
  tables diff v1.2:company.toml company.toml --json | jq '.changes[].code'

Exits with 0 if programs can be deployed in any order, 3 if readers must be deployed before writers, \
4 if a job must change stored rows, and 5 if data would be lost. Exits with 1 if a design is invalid, \
and with 2 for invalid arguments.";

/// Two versions of a design and the changes between them.
#[derive(Debug)]
struct Diff {
    name: String,
    older: String,
    newer: String,
    changes: Vec<Change>,
    verdict: Verdict,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let old = Design::of(revision::source(&arguments.older)?, None)?.schema;
    let new = Design::of(revision::source(&arguments.newer)?, None)?.schema;
    let changes = compare(&old, &new);
    let diff = Diff {
        name: new.name,
        older: arguments.older.clone(),
        newer: arguments.newer.clone(),
        verdict: verdict(&changes),
        changes,
    };
    crate::print(&if arguments.json { json::text(&diff) } else { text::text(&diff) })?;
    Ok(ExitCode::from(exit(diff.verdict)))
}

/// Returns a step of a change as words, with the command if one exists. `newer` is the newer design.
pub(crate) fn told(step: Step, change: &Change, newer: &str) -> (String, Option<String>) {
    let steps::Told { words, command } = steps::told(step, change, file(newer));
    (words, command)
}

/// Returns the file of a design, also if it is a revision in git: the commands of the steps use it.
fn file(design: &str) -> &str {
    let path = std::path::Path::new(design);
    if path.exists() { design } else { design.split_once(':').map_or(design, |(_, path)| path) }
}

/// Returns the exit code. Codes 1 and 2 are those of errors.
const fn exit(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Safe => 0,
        Verdict::Ordered => 3,
        Verdict::Migrate => 4,
        Verdict::Refused => 5,
    }
}
