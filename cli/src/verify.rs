//! `tables verify`: compares index rows with the entities.

mod found;

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use table_patterns::VerifyReport;

use self::found::{Derived, Found};
pub(crate) use self::found::{address, difference};
use crate::{
    designed::{DesignedLocation, Opened, Ran},
    error::CommandError,
    runtime,
    signals::Signals,
    text::{json_text, plain_lines},
};

/// Compare index and lookup rows with their entities
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Entity types to verify [default: all of the design]
    #[arg(value_name = "ENTITY")]
    entities: Vec<String>,

    #[command(flatten)]
    of: DesignedLocation,

    /// Repair the differences that the entities determine; allowed during concurrent writes
    #[arg(long)]
    repair: bool,

    /// Accept that the table of an entity does not exist, so that no entity is found
    #[arg(long)]
    no_rows: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables verify --design company.toml --store company.tables
  tables verify Employee --design company.toml --store company.tables --repair
  TABLES_STORE='DefaultEndpointsProtocol=https;AccountName=…' tables verify \\
      --design company.toml --max-rate 500/s

Exits with 1 if differences remain, entities have other versions than that of the design, or a table does not \
exist. Lists at most \
20 differences of each kind; --json lists up to 1,000. Parts that cannot be verified from a design (aggregates, copied \
fields, encrypted values) are listed as skipped.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let opened = if arguments.repair {
        arguments.of.open()?
    } else {
        arguments.of.open_to_read("`verify` without --repair only reads")?
    };
    // What is not registered is reported when its entity is processed.
    drop(opened.tables.register_design(&opened.schema));
    let names: Vec<String> = if arguments.entities.is_empty() {
        opened.schema.entities.iter().map(|entity| entity.name.clone()).collect()
    } else {
        arguments.entities.clone()
    };
    let all = runtime::block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        let mut all = Vec::with_capacity(names.len());
        let mut failed = None;
        for name in &names {
            match one(&opened, name, arguments, &mut signals).await {
                Ok(found) => all.push(found),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        opened.close().await?;
        failed.map_or(Ok(all), Err)
    })?;
    let is_right = all.iter().all(Found::is_right);
    if arguments.json {
        let entities: Vec<Value> = all.iter().map(Found::object).collect();
        crate::print(&json_text(json!({ "entities": entities, "is_right": is_right })))?;
    } else {
        let text: String = all.iter().map(ToString::to_string).collect();
        crate::print(&plain_lines(&text))?;
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn one(
    opened: &Opened,
    name: &str,
    arguments: &Arguments,
    signals: &mut Signals,
) -> Result<Found, CommandError> {
    let Arguments { repair, no_rows, .. } = *arguments;
    if !no_rows && let Some(table) = opened.missing_table(name).await? {
        return Ok(Found::without_table(name, table));
    }
    let designed = opened.tables.design(&opened.schema, name)?;
    if !designed.design().is_in_one_place() {
        // Such entities have no derived rows.
        return Ok(Found::nothing(name));
    }
    let designed = designed.with_registry_if_registered().await?;
    if repair {
        // Writes the index rows of commits whose writer has ended.
        designed.tables().catch_up().await?;
    }
    let sweep = opened.paced(designed.verify());
    let mut sweep = if repair { sweep.repair() } else { sweep };
    if opened.run(&mut sweep, signals).await? == Ran::Interrupted {
        return Err(CommandError::Unfinished(format!("interrupted in `{name}`; completed repairs are kept")));
    }
    let report: VerifyReport = sweep.report().clone();
    let skipped = opened.other_versions(name, &report.other_versions);
    let derived = if designed.design().indexes.is_empty() { Derived::Nothing } else { Derived::Rows };
    Ok(Found { name: name.to_owned(), report, unjudged: designed.unjudged(), skipped, derived })
}
