//! A design and the store of its entities, for commands that process entities without their types.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use clap::Args;
use table_designs::schema::Schema;
use table_patterns::{Cursor, Job, Sweep, Tables};

use crate::{
    design::Design,
    entity_table::missing_table,
    error::CommandError,
    location::{Location, StoreLocationError, WritableLocation},
    progress::Progress,
    signals::Signals,
    text::{counted, shell_word},
    untyped::Untyped,
};

/// Which entities, and where.
#[derive(Debug, Args)]
pub(crate) struct DesignedLocation {
    /// Design file of the entities, in TOML
    #[arg(long, value_name = "FILE")]
    design: PathBuf,

    #[command(flatten)]
    place: WritableLocation,

    /// Maximum number of rows to process per second, such as 500/s [default: unlimited]
    #[arg(long, value_name = "RATE", value_parser = per_second)]
    max_rate: Option<u32>,
}

/// An open store, and the design of its contents.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) schema: Schema,
    pub(crate) tables: Tables,
    place: Location,
    max_rate: Option<u32>,
}

/// Whether a job completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    Through,
    /// A signal was received.
    Interrupted,
}

/// Prints the report of a job, and returns the exit code. The report is created with the `--resume` argument of a job that did
/// not complete. JSON contains it; otherwise it is printed to standard error, which contains only errors with JSON.
pub(crate) fn conclude(
    ran: Result<Ran, CommandError>,
    cursor: Option<Cursor>,
    is_json: bool,
    is_complete: bool,
    report: impl FnOnce(Option<&str>) -> String,
) -> Result<ExitCode, CommandError> {
    let resume = cursor.filter(|_| !matches!(ran, Ok(Ran::Through))).map(|cursor| cursor.to_string());
    crate::print(&report(resume.as_deref()))?;
    if let Some(resume) = resume.filter(|_| !is_json) {
        eprintln!("to continue, use: --resume {}", shell_word(&resume));
    }
    match ran? {
        Ran::Interrupted => Err(CommandError::Unfinished("interrupted".to_owned())),
        Ran::Through if is_complete => Ok(ExitCode::SUCCESS),
        Ran::Through => Ok(ExitCode::FAILURE),
    }
}

impl DesignedLocation {
    pub(crate) fn open(&self) -> Result<Opened, CommandError> {
        self.opened(WritableLocation::open)
    }

    /// Opens a store file without writing to it; see [`WritableLocation::open_to_read`].
    pub(crate) fn open_to_read(&self, reason: &'static str) -> Result<Opened, CommandError> {
        self.opened(|place| place.open_to_read(reason))
    }

    fn opened(
        &self,
        open: impl FnOnce(&WritableLocation) -> Result<Location, StoreLocationError>,
    ) -> Result<Opened, CommandError> {
        let schema = Design::read(&self.design, None)?.schema;
        let place = open(&self.place)?;
        let tables = Tables::from_services(place.tables.clone(), place.queues.clone(), place.blobs.clone());
        Ok(Opened { schema, tables, place, max_rate: self.max_rate })
    }
}

impl Opened {
    /// Runs a job page by page, until its end or a signal. The job contains its result.
    pub(crate) async fn run<J: Job>(
        &self,
        sweep: &mut Sweep<J>,
        signals: &mut Signals,
    ) -> Result<Ran, CommandError> {
        let progress = Progress::of_unknown();
        loop {
            let is_more = tokio::select! {
                is_more = sweep.paced_step() => is_more?,
                () = signals.ended() => return Ok(Ran::Interrupted),
            };
            progress.count(sweep.rows(), "rows");
            if !is_more {
                return Ok(Ran::Through);
            }
        }
    }

    /// Searches for the rows of an entity that contain no `EntityType`, although its rows have one.
    pub(crate) async fn untyped(&self, name: &str) -> Result<Option<Untyped>, CommandError> {
        Untyped::find(&self.place, &self.schema, name).await
    }

    /// Returns the table of an entity if the store does not contain it.
    pub(crate) async fn missing_table(&self, name: &str) -> Result<Option<String>, CommandError> {
        match self.schema.entity(name) {
            Some(entity) => missing_table(&*self.place.tables, entity).await,
            None => Ok(None),
        }
    }

    /// Checks that the store contains the table of an entity: without it, every job would complete at once.
    pub(crate) async fn require_table(&self, name: &str) -> Result<(), CommandError> {
        match self.missing_table(name).await? {
            Some(table) => Err(CommandError::Unfinished(format!(
                "the store has no table `{table}` of `{name}`; correct the table in the design or the store"
            ))),
            None => Ok(()),
        }
    }

    /// Returns a line for each version of an entity that the design does not describe, with its remedy.
    pub(crate) fn other_versions(&self, name: &str, found: &BTreeMap<u32, u64>) -> Vec<String> {
        let known = self.schema.entity(name).map_or(1, |entity| entity.version);
        let line = |(version, entities): (&u32, &u64)| {
            let entities = counted(*entities, "entity");
            let remedy = if *version < known {
                format!("first run `tables.upgrade::<{name}>().run()` in a program that reads this version")
            } else {
                "use the design of this version".to_owned()
            };
            format!(
                "{entities} of version {version} skipped, because the design has version {known}: {remedy}"
            )
        };
        found.iter().map(line).collect()
    }

    /// Returns the job with its rate limit.
    pub(crate) fn paced<J: Job>(&self, sweep: Sweep<J>) -> Sweep<J> {
        match self.max_rate {
            Some(per_second) => sweep.max_rows_per_second(per_second),
            None => sweep,
        }
    }

    pub(crate) async fn close(self) -> Result<(), CommandError> {
        let Self { tables, place, .. } = self;
        drop(tables);
        Ok(place.close().await?)
    }
}

/// Parses a rate in rows per second.
pub(crate) fn per_second(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix("/s").unwrap_or(text).trim().replace('_', "");
    let number = number.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected an integer above 0, such as 500/s".to_owned())
}
