//! `tables migrate`: performs the steps from one version of a design to the next, on a store.

mod declared;
mod execute;
mod index;
mod json;
mod keys;
mod means;
mod missing;
mod older;
mod outcome;
mod position;
mod preview;
mod record;
mod retire;
mod sweep;
mod text;
mod words;

use std::process::ExitCode;

use clap::Args;
use table_designs::{
    evolution::{Change, Plan, compare, plan},
    schema::Schema,
};

use self::{execute::Execution, means::known, outcome::Outcome, record::Record};
use crate::{
    design::Design,
    designed::per_second,
    error::CommandError,
    location::{Location, WritableLocation},
    revision, runtime,
    signals::Signals,
};

/// Perform the steps from one version of a design to the next
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "options of the command line")]
pub(crate) struct Arguments {
    /// Newer design: a file, or REV:PATH as in git
    #[arg(long, value_name = "NEW")]
    design: String,

    /// Older design, with which the rows were written: a file, or REV:PATH as in git
    #[arg(long, value_name = "OLD")]
    from: String,

    #[command(flatten)]
    place: WritableLocation,

    /// Print the plan and find entities that would fail; change nothing
    #[arg(long, conflicts_with_all = ["done", "restart"])]
    dry_run: bool,

    /// Print the plan and the completed steps; read only their record
    #[arg(long, conflicts_with_all = ["dry_run", "done", "restart"])]
    status: bool,

    /// Record that the next step, a deployment or a job of a program, is done; a job is checked first
    #[arg(long, value_name = "STEP")]
    done: Option<usize>,

    /// Discard the record of an unfinished migration, and start with the first step
    #[arg(long)]
    restart: bool,

    /// Let programs write the older versions again, whose writers an unfinished step rejects
    #[arg(long, conflicts_with_all = ["dry_run", "status", "done", "restart", "json"])]
    accept_older: bool,

    /// Accept that a table of the older design does not exist, so that no entity is found
    #[arg(long)]
    no_rows: bool,

    /// Exit with 4 instead of waiting until no program uses the previous state of an index
    #[arg(long)]
    no_wait: bool,

    /// Maximum number of rows to process per second, such as 500/s [default: unlimited]
    #[arg(long, value_name = "RATE", value_parser = per_second)]
    max_rate: Option<u32>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables migrate --from old.toml --design company.toml \\
      --store company.tables --dry-run
  tables migrate --from v1.2:company.toml --design company.toml \\
      --store company.tables
  tables migrate --from v1.2:company.toml --design company.toml \\
      --store company.tables --done 2 --max-rate 500/s

The store contains the record of completed steps, so an interrupted run is continued by the same command, \
also on another machine. Exits with 0 if all steps are complete, 1 if a step failed, 2 for invalid \
arguments, 3 if the next step is a deployment or a job of a program, 4 if a job must be continued or, \
with --dry-run or --status, started, and 5 if the designs do not allow the migration.";

/// Two versions of a design and the steps between them.
#[derive(Debug)]
struct Migration<'m> {
    arguments: &'m Arguments,
    old: &'m Schema,
    new: &'m Schema,
    changes: &'m [Change],
    plan: Plan<'m>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let old = Design::of(revision::source(&arguments.from)?, None)?.schema;
    let new = Design::of(revision::source(&arguments.design)?, None)?.schema;
    let is_shown_only = arguments.dry_run || arguments.status;
    let place = if is_shown_only {
        arguments.place.open_to_read("`migrate` with --dry-run or --status only reads")?
    } else {
        arguments.place.open()?
    };
    let outcome = runtime::block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        // The position is stored after each page, so the work can end at any time.
        let done = tokio::select! {
            done = perform(arguments, &place, (&old, &new)) => done.map(Some),
            () = signals.ended() => Ok(None),
        };
        place.close().await?;
        done
    })?;
    Ok(ExitCode::from(outcome.map_or_else(interrupted, |outcome| outcome.exit())))
}

/// Returns the exit code of a run that a signal ended.
fn interrupted() -> u8 {
    eprintln!("interrupted; run the command again, without --restart, to continue");
    Outcome::UNFINISHED
}

/// Plans the migration, performs it, and prints the result.
async fn perform(
    arguments: &Arguments,
    place: &Location,
    (old, new): (&Schema, &Schema),
) -> Result<Outcome, CommandError> {
    let changes = compare(old, new);
    let known = known(place, (old, new), &changes).await?;
    let means = |change: &Change| known.of(change);
    let plan = plan(&changes, new, &means);
    let migration = Migration { arguments, old, new, changes: &changes, plan };
    if arguments.accept_older {
        crate::print(&retire::accept_older(&migration, place).await?)?;
        return Ok(Outcome::new(0, 0));
    }
    if !arguments.status && !arguments.no_rows {
        missing::check(place, (old, new), &migration.plan).await?;
    }
    let outcome = migration.perform(place).await?;
    let shown = if arguments.json {
        json::text(&migration, &outcome, &known)
    } else {
        text::text(&migration, &outcome, &known)
    };
    crate::print(&shown)?;
    Ok(outcome)
}

impl Migration<'_> {
    async fn perform(&self, place: &Location) -> Result<Outcome, CommandError> {
        let found = Record::read(place, self).await?;
        // A completed migration is history, and exchanged designs turn back.
        let is_past = |record: &Record| {
            record.is_complete()
                || record.is_unstarted()
                || record.is_reverse_of(self)
                || self.arguments.restart
        };
        let mut record = if !self.plan.blocked.is_empty() {
            None
        } else if let Some(other) = found.iter().find(|record| !record.is_of(self) && !is_past(record)) {
            return Err(CommandError::Unfinished(other.conflict(self)));
        } else {
            Some(match found.first() {
                Some(record) if record.is_of(self) && !record.is_displaced(&found) => record.clone(),
                Some(record) => Record::following(self, record.clone()),
                None => Record::new(self),
            })
        };
        if let Some(record) = record.as_mut().filter(|_| self.arguments.restart) {
            record.restart();
        }
        let mut outcome = Outcome::new(record.as_ref().map_or(0, Record::done), self.plan.steps.len());
        outcome.is_blocked = !self.plan.blocked.is_empty();
        if self.arguments.dry_run {
            preview::preview(self, place, &mut outcome).await?;
        } else if self.arguments.status {
            outcome.position = record.map(|record| record.position);
            outcome.registry = index::state(self, place, outcome.done).await?;
            outcome.stop_before_next(self);
        } else if let Some(record) = record.filter(|_| !self.plan.steps.is_empty()) {
            Execution::new(self, place, record, &mut outcome).run().await?;
        }
        Ok(outcome)
    }

    /// Returns whether steps are only shown.
    const fn is_shown_only(&self) -> bool {
        self.arguments.dry_run || self.arguments.status
    }
}
