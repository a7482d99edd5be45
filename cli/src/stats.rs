//! `tables stats`: lists the contents of a store and their sizes.

mod account;
mod damage;
mod json;
mod scan;
mod text;

use std::process::ExitCode;

use clap::Args;
use table_store::{Query, TableName, TableService};

use self::{account::Inventory, scan::Scan};
use crate::{error::CommandError, location::LocationArguments, progress::Progress, runtime};

/// List the tables, queues and containers of a store; --scan adds counts and sizes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Scan only this table, with its largest partitions and the types of its properties
    #[arg(requires = "scan")]
    table: Option<TableName>,

    #[command(flatten)]
    place: LocationArguments,

    /// Read all tables, or the specified table, and count entities and bytes
    #[arg(long)]
    scan: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables stats --store company.tables
  tables stats --store company.tables --scan
  tables stats Employees --store company.tables --scan --json

Entity sizes follow the formula of Azure Table storage; sizes in the file differ. Message counts of \
queues are approximate. If a page of the file that is read is damaged, the command lists the damage and \
exits with 1; --scan reads all rows.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let counted = runtime::at(arguments.place.open_to_read()?, async |place| {
        let mut inventory = match &arguments.table {
            Some(table) => Inventory::of_table(place, table.clone()),
            None => Inventory::of(place).await?,
        };
        if arguments.scan {
            let progress = Progress::of_unknown();
            for (table, counted) in &mut inventory.tables {
                let scanned = scan(&*place.tables, table, &progress).await;
                *counted = inventory.damage.note(&format!("table {table}"), scanned)?;
            }
            inventory.count_blobs(place).await?;
        }
        inventory.damage.count(place);
        Ok(inventory)
    })?;
    crate::print(&if arguments.json {
        format!("{}\n", json::object(&counted))
    } else if let (Some(_), Some((table, Some(scan)))) = (&arguments.table, counted.tables.first()) {
        text::of_table(table, scan)
    } else {
        text::of_all(&counted)
    })?;
    Ok(if counted.damage.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads a table and counts its entities.
async fn scan(
    tables: &dyn TableService,
    table: &TableName,
    progress: &Progress,
) -> Result<Scan, CommandError> {
    let mut scan = Scan::new(tables.capabilities().sorts_by_key);
    let mut query = Query::new();
    loop {
        let segment = tables.query(table, query).await?;
        for entity in segment.rows.into_iter().filter_map(table_store::Row::into_entity) {
            scan.add(entity);
        }
        progress.count(scan.entities, &format!("entities of {table}"));
        // File reads run inline in the poll; yielding lets a signal be handled.
        tokio::task::yield_now().await;
        match segment.continuation {
            Some(next) => query = Query::new().continuation(next),
            None => return Ok(scan.ended()),
        }
    }
}
