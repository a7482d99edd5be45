//! `tables reindex`: writes the index rows of existing entities.

use std::{fmt::Write, process::ExitCode};

use clap::Args;
use serde_json::json;
use table_patterns::{Cursor, DifferenceKind, ReindexReport};

use crate::{
    designed::{DesignedLocation, Ran, conclude},
    error::CommandError,
    runtime,
    signals::Signals,
    text::{json_text, listed, note},
    untyped::Untyped,
    verify,
};

/// Write the missing or incorrect rows of an index or lookup
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Entity type of the index
    #[arg(value_name = "ENTITY")]
    entity: String,

    /// Index or lookup to write
    #[arg(value_name = "INDEX")]
    index: String,

    #[command(flatten)]
    of: DesignedLocation,

    /// Continue from the cursor that an interrupted run printed
    #[arg(long, value_name = "CURSOR")]
    resume: Option<Cursor>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables reindex Employee by_email --design company.toml --store company.tables
  tables reindex Employee by_email --design company.toml \\
      --store company.tables --max-rate 500/s

Programs can write concurrently if all of them declare the index. A run that is interrupted or fails \
prints the --resume option for the next run. Exits with 1 if an entity has no row at the end, because \
another entity has its unique value, because it cannot be read, or because it has another version than the design; \
and if rows at keys of the entity have no EntityType, which are listed.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let opened = arguments.of.open()?;
    let (ran, done, cursor) = runtime::block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        let designed = opened.tables.design(&opened.schema, &arguments.entity)?;
        if let Some(unjudged) = designed.unjudged().iter().find(|one| one.name == arguments.index) {
            return Err(CommandError::Unverifiable(unjudged.clone()));
        }
        opened.require_table(&arguments.entity).await?;
        let designed = designed.with_registry_if_registered().await?;
        let mut sweep = opened.paced(designed.reindex(&arguments.index));
        if let Some(cursor) = &arguments.resume {
            sweep = sweep.resume(cursor.clone());
        }
        let ran = opened.run(&mut sweep, &mut signals).await;
        let (report, cursor) = (sweep.report().clone(), sweep.cursor());
        drop((sweep, designed));
        let skipped = opened.other_versions(&arguments.entity, &report.other_versions);
        let untyped = match ran {
            Ok(Ran::Through) => opened.untyped(&arguments.entity).await?,
            _ => None,
        };
        let closed = opened.close().await;
        closed.map(|()| (ran, Done { report, skipped, untyped }, cursor))
    })?;
    conclude(ran, cursor, arguments.json, done.is_complete(), |resume| {
        if arguments.json { object(arguments, &done, resume) } else { text(arguments, &done) }
    })
}

/// What a run did, and what it did not process.
struct Done {
    report: ReindexReport,
    /// A line for each version that the design does not describe.
    skipped: Vec<String>,
    /// Rows that the job does not find, because it selects rows by their type.
    untyped: Option<Untyped>,
}

impl Done {
    fn is_complete(&self) -> bool {
        self.report.without.is_empty() && self.untyped.is_none()
    }
}

fn text(arguments: &Arguments, Done { report, skipped, untyped }: &Done) -> String {
    let ReindexReport { entities, written, lagging, without, .. } = report;
    let Arguments { entity, index, .. } = arguments;
    let mut text = format!("{entity}.{index}: {entities} entities, {written} rows written");
    if *lagging > 0 {
        _ = write!(text, ", {lagging} lagging");
    }
    let other_versions: u64 = report.other_versions.values().sum();
    let unwritten = without.iter().filter(|one| one.what != DifferenceKind::OtherVersion);
    for line in listed(unwritten, report.without_count.saturating_sub(other_versions)) {
        _ = write!(text, "\n  {line}");
    }
    text.push('\n');
    for line in skipped.iter().cloned().chain(untyped.as_ref().map(Untyped::text)) {
        text.push_str(&note("  ", &line));
    }
    text
}

fn object(arguments: &Arguments, Done { report, untyped, .. }: &Done, resume: Option<&str>) -> String {
    let object = json!({
        "entity": arguments.entity,
        "index": arguments.index,
        "entities": report.entities,
        "written": report.written,
        "lagging": report.lagging,
        "other_versions": report.other_versions,
        "without": report.without.iter().map(verify::difference).collect::<Vec<_>>(),
        "without_type": untyped.as_ref().map_or(0, Untyped::count),
        "without_type_rows": untyped.as_ref().map_or_else(|| json!([]), Untyped::rows),
        "resume": resume,
    });
    json_text(object)
}
