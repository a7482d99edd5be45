//! `tables copy`: copies an account from one location to another, compares them, and follows changes.

mod passes;
mod report;

use std::{
    process::{self, ExitCode},
    time::Instant,
};

use clap::{Args, ValueEnum};
use table_store::{ErrorCode, Metadata, TableName, Timestamp, queue::QueueName};

use self::passes::{End, Passes};
use crate::{
    error::CommandError,
    location::{KeptLogArguments, Location, LocationArguments, Where, WritableLocation},
    progress::Progress,
    runtime,
    signals::Signals,
    text::{json_text, plain_lines},
};

/// Copy tables, queues and blobs to another store, server, account or database
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "options of the command line")]
pub(crate) struct Arguments {
    /// Source: store file, data directory of `tables serve`, connection string, signed URL, or address of a database
    #[arg(env = "TABLES_FROM", hide_env_values = true)]
    from: Where,

    /// Target, as the source; a missing store file is created
    #[arg(env = "TABLES_TO", hide_env_values = true)]
    to: Where,

    #[command(flatten)]
    kept_log: KeptLogArguments,

    /// Copy only this table, and no queues and blobs; can be repeated
    #[arg(long = "table", short, value_name = "NAME")]
    tables: Vec<TableName>,

    /// Copy only these services, comma-separated [default: all that the source has]
    #[arg(long, value_name = "SERVICES", value_delimiter = ',', conflicts_with = "tables")]
    only: Vec<Part>,

    /// Only compare: change nothing, and exit with 1 if there are differences
    #[arg(long, visible_alias = "dry-run")]
    compare: bool,

    /// Delete rows and blobs of the target that the source does not contain
    #[arg(long)]
    delete_extra: bool,

    /// Move the visible messages of queues; they are deleted at the source
    #[arg(long, conflicts_with = "compare")]
    move_messages: bool,

    /// Repeat while programs write the source; after Ctrl-C or SIGTERM, copy the rest and compare all
    #[arg(long, conflicts_with = "compare")]
    follow: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A service of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Tables,
    Queues,
    Blobs,
}

impl Arguments {
    /// Returns whether a service is copied.
    fn has(&self, part: Part) -> bool {
        match (self.tables.is_empty(), self.only.is_empty()) {
            (false, _) => part == Part::Tables,
            (true, true) => true,
            (true, false) => self.only.contains(&part),
        }
    }

    /// Returns whether messages are moved.
    fn moves(&self) -> bool {
        self.move_messages && self.has(Part::Queues)
    }
}

const EXAMPLES: &str = "\
Examples:
  tables copy company.tables copy.tables
  tables copy company.tables UseDevelopmentStorage=true --table Employees
  TABLES_FROM='DefaultEndpointsProtocol=https;AccountName=…' \\
      TABLES_TO=company.tables tables copy --compare
  tables copy UseDevelopmentStorage=true company.tables --follow --delete-extra

Both sides are read in order, and only differences are written. The same command therefore continues an \
interrupted copy, and transfers later changes. Other tables of the target remain. What the target \
rejects, and what only the target contains, is listed; the command then exits with 1. Exit code 0 \
means that source and target were equal when they were read.

Messages can only be read by receiving them: without --move-messages, their number is a difference.

Other users of the machine can see command lines: put locations that contain a key into TABLES_FROM and \
TABLES_TO.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let (from, to) = open(arguments)?;
    let begun = Instant::now();
    let (end, report) = runtime::block_on(async {
        if arguments.moves() && are_same_queues(&from, &to).await? {
            return Err(same());
        }
        let progress = Progress::of_unknown();
        let signals = Signals::listen().map_err(CommandError::Runtime)?;
        let mut passes = Passes::new(arguments, &from, &to, &progress, signals);
        let done = passes.run().await;
        let report = passes.into_report();
        let closed = (from.close().await, to.close().await);
        let end = done?;
        closed.0?;
        closed.1?;
        Ok((end, report))
    })?;
    if arguments.json {
        crate::print(&json_text(report.object(end == End::Complete)))?;
    } else {
        crate::print(&plain_lines(&report.text(!arguments.compare)))?;
        eprintln!("{}", report.summary(begun.elapsed()));
    }
    if end == End::Interrupted {
        eprintln!("interrupted; run the same command again to continue");
    }
    let is_equal = end == End::Complete && report.remaining() == 0;
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn same() -> CommandError {
    CommandError::Called("source and target are the same; specify two locations".to_owned())
}

/// Returns `true` if both locations lead to the same queues, also under different addresses: a queue that is created at the
/// target exists at the source. Messages would be moved from a queue to itself forever.
async fn are_same_queues(from: &Location, to: &Location) -> Result<bool, CommandError> {
    let (Some(from), Some(to)) = (&from.queues, &to.queues) else { return Ok(false) };
    let name: QueueName = format!("copy-probe-{}-{}", process::id(), Timestamp::now().ticks()).parse()?;
    to.create_queue(&name, Metadata::new()).await?;
    let found = from.queue_properties(&name).await;
    to.delete_queue(&name).await?;
    match found {
        Ok(_) => Ok(true),
        Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Opens source and target, which must be different places.
fn open(arguments: &Arguments) -> Result<(Location, Location), CommandError> {
    let from = LocationArguments::of(arguments.from.clone(), None);
    let to = LocationArguments::of(arguments.to.clone(), None);
    if from.is_same_file(&to) {
        return Err(same());
    }
    let source = if arguments.moves() { from.open()? } else { from.open_to_read()? };
    if arguments.follow && source.store.is_some() {
        return Err(CommandError::Called(
            "no program can write a store file while it is copied; omit --follow, or specify the connection string of its \
             server"
                .to_owned(),
        ));
    }
    let kept_log = arguments.kept_log.clone();
    let target = WritableLocation::of(to, kept_log);
    let target = if arguments.compare {
        target.open_to_read("`copy` with --compare only reads")?
    } else {
        target.open_or_create()?
    };
    if source.name == target.name { Err(same()) } else { Ok((source, target)) }
}
