//! `tables expire`: deletes entities whose time is past.

mod misnamed;

use std::{fmt::Write, process::ExitCode, time::Duration};

use clap::Args;
use serde_json::json;
use table_patterns::{Cursor, ExpireReport};
use table_schema::{design::EntityDesign, language::Span, role::Role};

use crate::{
    designed::{DesignedLocation, conclude},
    error::CommandError,
    runtime,
    signals::Signals,
    text::{counted, json_text, note},
    verify,
};

/// Delete expired entities, or those that were soft-deleted long enough ago
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Entity type
    #[arg(value_name = "ENTITY")]
    entity: String,

    #[command(flatten)]
    of: DesignedLocation,

    /// Delete the entities that were soft-deleted at least this long ago, such as 30d, instead of expired ones
    #[arg(long, value_name = "SPAN", value_parser = span)]
    purge: Option<Duration>,

    /// Print the number of entities, and delete none
    #[arg(long)]
    dry_run: bool,

    /// Continue from the cursor that an interrupted run printed
    #[arg(long, value_name = "CURSOR")]
    resume: Option<Cursor>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables expire Session --design shop.toml --store shop.tables --dry-run
  tables expire Session --design shop.toml --store shop.tables
  tables expire User --design shop.toml --store shop.tables --purge 30d

Programs can write concurrently: an entity whose time is extended, or that is restored, remains. Entities in other \
versions than that of the design remain. A design that does not specify all that is deleted with an entity, such as \
its contributions to aggregates, is rejected. A run that is interrupted or fails prints the --resume option for \
the next run. Exits with 1 if an entity cannot be deleted, or if due rows have keys that the design does not declare.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let opened = if arguments.dry_run {
        arguments.of.open_to_read("`expire` with --dry-run only reads")?
    } else {
        arguments.of.open()?
    };
    let (ran, report, cursor, left) = runtime::block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        let designed = opened.tables.design(&opened.schema, &arguments.entity)?;
        if !designed.design().is_in_one_place() {
            return Err(CommandError::Unfinished(spread(designed.design().name)));
        }
        opened.require_table(&arguments.entity).await?;
        let designed = designed.with_registry_if_registered().await?;
        let sweep = match arguments.purge {
            Some(keep) => designed.purge(keep)?,
            None => designed.expire()?,
        };
        let mut sweep = opened.paced(sweep);
        if arguments.dry_run {
            sweep = sweep.dry_run();
        }
        if let Some(cursor) = &arguments.resume {
            sweep = sweep.resume(cursor.clone());
        }
        let ran = opened.run(&mut sweep, &mut signals).await;
        if ran.is_ok() && arguments.resume.is_none() && is_empty(sweep.report()) {
            let entity = opened.schema.stored_entity(&arguments.entity);
            let role = if arguments.purge.is_some() { Role::SoftDelete } else { Role::Expires };
            let of = |entity: &EntityDesign| entity.roles.get(role).map(str::to_owned);
            if let Some((entity, field)) = entity.as_ref().and_then(|entity| Some((entity, of(entity)?))) {
                misnamed::check(&opened.tables, entity, &field).await?;
            }
        }
        let (report, cursor) = (sweep.report().clone(), sweep.cursor());
        let mut left = opened.other_versions(&arguments.entity, &report.other_versions);
        if report.unknown > 0 {
            left.push(format!(
                "{} skipped, whose keys the design does not declare: use the design of the programs",
                counted(report.unknown, "row")
            ));
        }
        drop((sweep, designed));
        opened.close().await.map(|()| (ran, report, cursor, left))
    })?;
    let is_complete = report.failed.is_empty() && report.unknown == 0;
    conclude(ran, cursor, arguments.json, is_complete, |resume| {
        if arguments.json { object(arguments, &report, resume) } else { text(arguments, &report, &left) }
    })
}

/// Returns whether no row was due.
fn is_empty(report: &ExpireReport) -> bool {
    report.deleted == 0 && report.unknown == 0 && report.failed.is_empty() && report.other_versions.is_empty()
}

/// Returns why entities without one table cannot expire by their design, with the remedy.
fn spread(entity: &str) -> String {
    format!(
        "`{entity}` has a table for each period or spread keys, which this command does not support; call \
         `tables.expire::<{entity}>().run()` or `tables.purge` in a program"
    )
}

/// `left` are lines on what the design does not describe.
fn text(arguments: &Arguments, report: &ExpireReport, left: &[String]) -> String {
    let entities = counted(report.deleted, "entity");
    let done = if arguments.dry_run { "to delete" } else { "deleted" };
    let mut text = format!("{}: {entities} {done}", arguments.entity);
    for (address, error) in &report.failed {
        _ = write!(text, "\n  {address}: {error}");
    }
    text.push('\n');
    text.extend(left.iter().map(|line| note("  ", line)));
    text
}

fn object(arguments: &Arguments, report: &ExpireReport, resume: Option<&str>) -> String {
    let failed = report
        .failed
        .iter()
        .map(|(address, error)| json!({ "at": verify::address(address), "error": error.to_string() }));
    json_text(json!({
        "entity": arguments.entity,
        "dry_run": arguments.dry_run,
        "deleted": report.deleted,
        "other_versions": report.other_versions,
        "unknown": report.unknown,
        "failed": failed.collect::<Vec<_>>(),
        "resume": resume,
    }))
}

fn span(text: &str) -> Result<Duration, String> {
    let span: Span =
        text.parse().map_err(|error| format!("{error}; write a number and a unit, such as 30d"))?;
    Ok(Duration::from_secs(span.seconds()))
}
