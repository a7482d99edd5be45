//! `tables stats`: lists the contents of a store and their sizes.

mod account;
mod damage;
mod json;
mod kept_log;
mod scan;
mod text;

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
#[cfg(feature = "mcp")]
use serde_json::Value;
use table_store::{KeepLog, Query, TableName, TableService};

use self::{
    account::{Counted, Inventory},
    scan::Scan,
};
use crate::{error::CommandError, location::LocationArguments, progress::Progress, runtime};
#[cfg(feature = "mcp")]
use crate::{location::Location, members::with};

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

    /// List the first and last commit of each segment in this folder of a kept log
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables stats --store company.tables
  tables stats --store company.tables --scan
  tables stats Employees --store company.tables --scan --json
  tables stats --store company.tables --log /mnt/kept

Entity sizes follow the formula of Azure Table storage; sizes in the file differ. Message counts of \
queues are approximate. If a page of the file that is read is damaged, or commits are missing in the kept log, the \
command lists the damage and exits with 1; --scan reads all rows, and counts those around the damage.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    if arguments.log.is_some() {
        kept_log::require_file(&arguments.place)?;
    }
    let counted = runtime::at(arguments.place.open_to_read()?, async |place| {
        let mut inventory = match &arguments.table {
            Some(table) => Inventory::of_table(place, table.clone()),
            None => Inventory::of(place).await?,
        };
        inventory.kept_log = arguments.log.as_deref().map(KeepLog::segments).transpose()?;
        if arguments.scan {
            let progress = Progress::of_unknown();
            for (table, counted) in &mut inventory.tables {
                let scanned = scan(&*place.tables, table, &progress, u64::MAX).await;
                let scanned = inventory.damage.note(&format!("table {table}"), scanned)?;
                *counted = scanned.map(|(scan, _)| Counted::All(scan));
            }
            inventory.count_around(place).await?;
            inventory.count_blobs(place).await?;
        }
        inventory.damage.count(place);
        Ok(inventory)
    })?;
    crate::print(&if arguments.json {
        crate::text::json_text(json::object(&counted))
    } else if let (Some(_), Some((table, Some(Counted::All(scan))))) =
        (&arguments.table, counted.tables.first())
    {
        text::of_table(table, scan)
    } else {
        text::of_all(&counted)
    })?;
    Ok(if counted.is_damaged() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns the contents of a store as JSON, as the command without `--scan` prints them.
#[cfg(feature = "mcp")]
pub(crate) async fn contents(place: &Location) -> Result<Value, CommandError> {
    Ok(json::object(&Inventory::of(place).await?))
}

/// Returns the counts of a table as JSON; with `complete`, which is false if not all of its entities were read.
#[cfg(feature = "mcp")]
pub(crate) async fn scanned(
    place: &Location,
    table: &TableName,
    most_entities: u64,
) -> Result<Value, CommandError> {
    let (scan, is_complete) = scan(&*place.tables, table, &Progress::of_unknown(), most_entities).await?;
    Ok(with(json::table(&(table.clone(), Some(Counted::All(scan)))), "complete", is_complete))
}

/// Reads a table and counts its entities; ends early after a page if it has read `most` of them. Returns whether all
/// entities were counted.
async fn scan(
    tables: &dyn TableService,
    table: &TableName,
    progress: &Progress,
    most: u64,
) -> Result<(Scan, bool), CommandError> {
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
            Some(_) if scan.entities >= most => return Ok((scan.ended(), false)),
            Some(next) => query = Query::new().continuation(next),
            None => return Ok((scan.ended(), true)),
        }
    }
}

#[cfg(feature = "mcp")]
#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use table_store::{Entity, Operation, Store};

    use super::*;
    use crate::versions;

    /// Returns a place with 1,500 rows of a type in one table.
    fn place() -> (Location, TableName) {
        let store = Store::in_memory().unwrap();
        let (blocking, table) = (store.clone().blocking(), "Readings".parse().unwrap());
        blocking.create_table(&table).unwrap();
        let row = |row: u32| Entity::new("p", format!("{row:04}")).with("EntityType", "Reading");
        for first in (0..1500).step_by(100) {
            let rows: Vec<_> = (first..first + 100).map(|number| Operation::Insert(row(number))).collect();
            blocking.transact(&table, rows).unwrap();
        }
        let tables = std::sync::Arc::new(store);
        (
            Location {
                name: "memory".to_owned(),
                tables,
                queues: None,
                blobs: None,
                connection: None,
                store: None,
                database: None,
            },
            table,
        )
    }

    fn shown(object: &Value, count: &Value) -> (u64, bool) {
        (count.as_u64().unwrap(), object.get("complete").and_then(Value::as_bool).unwrap())
    }

    #[test]
    fn a_bounded_scan_ends_after_a_page_and_reports_it() {
        let (place, table) = place();
        for (most, expected) in
            [(1, (1000, false)), (1000, (1000, false)), (1001, (1500, true)), (9000, (1500, true))]
        {
            let object = runtime::block_on(scanned(&place, &table, most)).unwrap();
            assert_eq!(shown(&object, object.get("entities").unwrap()), expected, "{most}");
            let object = runtime::block_on(versions::counted(&place, &[], most)).unwrap();
            let rows = object.pointer("/versions/0/rows").unwrap();
            assert_eq!(shown(&object, rows), expected, "{most}");
        }
        let others = runtime::block_on(versions::counted(&place, &["Other"], 9000)).unwrap();
        assert_eq!(others.get("without_rows"), Some(&json!(["Other"])));
    }
}
