//! `tables query`: prints the entities that match a filter, after checking the cost of the query.

mod cost;
mod grid;
mod pages;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use clap::Args;
use table_rest::wire::{
    entity::{RowWriter, Selected},
    level::Level,
};
use table_store::{Continuation, Filter, Plan, Query, Rows, TableName};

pub(crate) use self::cost::Cost;
use self::{
    grid::Grid,
    pages::{Pages, Read},
};
use crate::{
    error::CommandError,
    location::{Location, LocationArguments},
    runtime,
    text::{json_text, plain_lines, terminal_width},
};

/// Default number of printed entities.
const SHOWN: u64 = 100;

/// Query the entities of a table; scans require --scan
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Table to query
    table: TableName,

    #[command(flatten)]
    place: LocationArguments,

    /// Return only entities that match this OData filter
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,

    /// Return only entities with this PartitionKey
    #[arg(long, value_name = "KEY")]
    partition: Option<String>,

    /// Return only entities with this RowKey
    #[arg(long, value_name = "KEY")]
    row: Option<String>,

    /// Return only these comma-separated properties
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    select: Option<Vec<String>>,

    /// Maximum number of entities [default: 100, or unlimited with --json if not on a terminal]
    #[arg(long, value_name = "COUNT")]
    top: Option<u64>,

    /// Return all entities
    #[arg(long, conflicts_with = "top")]
    all: bool,

    /// Continue an earlier run of the same query
    #[arg(long, value_name = "TOKEN")]
    continuation: Option<Continuation>,

    /// Allow reading entire partitions or the entire table
    #[arg(long)]
    scan: bool,

    /// Print the plan, the key ranges and the filter, without reading
    #[arg(long)]
    explain: bool,

    /// Print JSON Lines: one entity per line, in the format of the service
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables query Employees --store company.tables \\
      --partition Sales --row empid_000223
  tables query Employees --store company.tables --top 20 \\
      --filter \"PartitionKey eq 'Sales' and RowKey ge 'empid_0002'\"
  tables query Employees --store company.tables \\
      --filter 'Age ge 30' --scan --json
  tables query Employees --store company.tables --partition Sales --top 5
  tables query Employees --store company.tables --filter 'Age ge 30' --explain

The keys in the filter determine the plan. One entity (point), several entities (multi-point), and a \
range of rows in one partition (row-range) or in several partitions (fan-out) are read immediately. \
So are the first entities of a partition or table, with --top and without other conditions. Reading entire \
partitions or tables requires --scan.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let filter = arguments.all_filters()?;
    let plan = Plan::of(filter.as_ref());
    let place = arguments.place.open_to_read()?;
    let cost = Cost::new(&plan, place.tables.capabilities()).up_to(arguments.top);
    let shown = plain_lines(&cost.to_string());
    if arguments.explain {
        crate::print(&if arguments.json { json_text(cost.object()) } else { shown + "\n" })?;
        return runtime::at(place, async |_| Ok(ExitCode::SUCCESS));
    }
    if cost.is_scan() && !arguments.scan {
        return Err(CommandError::Refused(cost.refusal(&arguments.table)));
    }
    // With --json, an error is the only text on standard error.
    if !arguments.json {
        eprintln!("{shown}");
    }
    let mut query = Query::new();
    query.filter = filter;
    query.continuation.clone_from(&arguments.continuation);
    if let Some(names) = &arguments.select {
        query = query.select(names.iter().map(|name| name.trim().to_owned()));
    }
    let read = runtime::at(place, async |place| arguments.show(place, query).await)?;
    if arguments.json {
        eprintln!("{shown}");
    }
    eprintln!("{read}");
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Returns the filter, including the conditions on the keys.
    fn all_filters(&self) -> Result<Option<Filter>, CommandError> {
        all_filters(self.partition.as_deref(), self.row.as_deref(), self.filter.as_deref())
    }

    /// Returns the maximum number of entities; `None` for all.
    fn most(&self) -> Option<u64> {
        let is_for_people = !self.json || io::stdout().is_terminal();
        self.top.or_else(|| (is_for_people && !self.all).then_some(SHOWN))
    }

    async fn show(&self, place: &Location, query: Query) -> Result<Read, CommandError> {
        let select = query.select.clone();
        let mut pages = Pages::new(&*place.tables, &self.table, query, self.most());
        if self.json {
            let text = select.iter().flatten().map(|name| &**name).collect::<Vec<_>>().join(",");
            let select = select.as_deref().map(|names| Selected { names, text: &text });
            let writer = RowWriter {
                level: Level::Minimal,
                account: "",
                root: "",
                table: self.table.as_str(),
                select,
            };
            while let Some(rows) = pages.next().await? {
                if !pages::write(&lines(&writer, &rows))? {
                    break;
                }
            }
        } else {
            let mut grid = Grid::new(select.as_deref());
            while let Some(rows) = pages.next().await? {
                grid.add(&rows);
            }
            let (text, left_out) = grid.text(terminal_width());
            crate::print(&text)?;
            if !left_out.is_empty() {
                let left_out = left_out.join(", ");
                let note = format!("columns omitted for lack of space: {left_out}; use --select or --json");
                eprintln!("{}", crate::for_terminal(note));
            }
        }
        Ok(pages.into_read())
    }
}

/// Returns the filter for entities with these keys that match an OData filter; `None` for all entities.
pub(crate) fn all_filters(
    partition: Option<&str>,
    row: Option<&str>,
    filter: Option<&str>,
) -> Result<Option<Filter>, CommandError> {
    let key = |name: &'static str, value: Option<&str>| value.map(|value| Filter::eq(name, value));
    let filter = filter.map(Filter::parse).transpose()?;
    let parts = [key("PartitionKey", partition), key("RowKey", row), filter];
    Ok(parts.into_iter().flatten().reduce(Filter::and))
}

/// Returns one line of JSON per entity.
fn lines(writer: &RowWriter<'_>, rows: &Rows) -> String {
    let mut text = String::new();
    for row in rows {
        writer.push_listed(&mut text, &row);
        text.push('\n');
    }
    text
}
