//! `tables versions`: counts the rows of each type and version.

mod counts;

use std::{fmt::Write, path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};
use table_patterns::{Tables, VersionStatus, lock::Lock};

pub(crate) use self::counts::each_row;
use self::counts::{Counts, Wanted};
use crate::{
    design::Design,
    error::CommandError,
    location::{Location, LocationArguments, list_tables},
    progress::Progress,
    runtime,
    table::{
        Cell,
        Side::{Left, Right},
        Table,
    },
    text::{json_text, terminal_width},
};

/// Count the rows of each entity type and version; reads all tables
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Entity types to count, without their version [default: all]
    #[arg(value_name = "ENTITY", conflicts_with = "design")]
    entities: Vec<String>,

    /// Design file, whose entity types are counted
    #[arg(long, value_name = "FILE")]
    design: Option<PathBuf>,

    #[command(flatten)]
    place: LocationArguments,

    /// Print JSON, also for errors
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables versions --store company.tables
  tables versions Employee --store company.tables
  tables versions --design company.toml --store company.tables --json

Index rows are counted with their entity type. Rows without EntityType are listed without a type. Rows \
that the library writes for itself are not counted. For entities in the registry, the command prints the \
versions that are retired or being retired.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let wanted = match &arguments.design {
        Some(design) => Wanted::of(Lock::of_schema(&Design::read(design, None)?.schema).names()),
        None => Wanted::of(arguments.entities.iter().map(String::as_str)),
    };
    let (counts, registered) = runtime::at(arguments.place.open_to_read()?, async |place| {
        let mut unlimited = u64::MAX;
        let counts = count(place, wanted, &mut unlimited).await?;
        let registered = registered(place, &counts).await?;
        Ok((counts, registered))
    })?;
    crate::print(&if arguments.json {
        let registry: Vec<Value> = registered.iter().map(registry_object).collect();
        json_text(format_args!("{:#}", crate::members::with(object(&counts), "registry", registry)))
    } else {
        text(&counts) + &registry_text(&registered)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the wanted entities in the registry, whose versions may be retired.
async fn registered(place: &Location, counts: &Counts) -> Result<Vec<VersionStatus>, CommandError> {
    let tables = Tables::from_services(place.tables.clone(), None, None);
    let mut registered = tables.registered_versions().await?;
    registered.retain(|status| counts.is_wanted(&status.entity));
    Ok(registered)
}

fn registry_object(status: &VersionStatus) -> Value {
    let retired = status.floor.map(
        |floor| json!({ "before": floor.version, "rows": floor.rows, "started": floor.started.to_string() }),
    );
    json!({
        "entity": status.entity,
        "table": status.table,
        "min_write": status.min_write,
        "state": status.state.map(|state| state.to_string()),
        "retired": retired,
    })
}

/// Returns a line for each entity of which versions are, or are being, retired. The proof can be copied into
/// `tables.lock`.
fn registry_text(registered: &[VersionStatus]) -> String {
    let mut text = String::new();
    for VersionStatus { entity, min_write, state, floor, .. } in registered {
        if let Some(floor) = floor {
            let (version, rows) = (floor.version, crate::text::counted(floor.rows, "row"));
            _ = writeln!(
                text,
                "{entity}: retired before version {version}, {rows} read since {}, none of an older version",
                floor.started
            );
        }
        if let Some(state) = state.filter(|_| floor.is_none_or(|floor| floor.version < *min_write)) {
            _ = writeln!(text, "{entity}: writers before version {min_write} are rejected ({state})");
        }
    }
    text
}

/// Counts the rows of all tables, at most about `left` of them, from which the number of read rows is subtracted.
async fn count(place: &Location, wanted: Wanted, left: &mut u64) -> Result<Counts, CommandError> {
    let mut counts = Counts::new(wanted);
    let progress = Progress::of_unknown();
    for table in list_tables(&*place.tables).await? {
        counts.read(&*place.tables, &table, &progress, left).await?;
    }
    Ok(counts)
}

/// Returns the counts of these types, or of all, as JSON; with `complete`, which is false if not all rows were read.
#[cfg(feature = "mcp")]
pub(crate) async fn counted(
    place: &Location,
    entities: &[&str],
    most_rows: u64,
) -> Result<Value, CommandError> {
    let mut left = most_rows;
    let counts = count(place, Wanted::of(entities.iter().copied()), &mut left).await?;
    Ok(crate::members::with(object(&counts), "complete", left > 0))
}

fn object(counts: &Counts) -> Value {
    let line = |(table, entity, version, rows): (&str, Option<&str>, Option<u32>, u64)| json!({ "table": table, "entity": entity, "version": version, "rows": rows });
    json!({ "versions": counts.lines().map(line).collect::<Vec<_>>(), "without_rows": counts.without_rows() })
}

fn text(counts: &Counts) -> String {
    let mut table = Table::new([("table", Left), ("entity", Left), ("version", Right), ("rows", Right)]);
    for (name, entity, version, rows) in counts.lines() {
        let version = version.map(|version| version.to_string()).unwrap_or_default();
        let cells = [name.to_owned(), entity.unwrap_or("(no type)").to_owned(), version, rows.to_string()];
        table.row(cells.map(Cell::from));
    }
    let mut text = if table.is_empty() { String::new() } else { table.text(terminal_width()) };
    for entity in counts.without_rows() {
        _ = writeln!(text, "no rows of {entity}");
    }
    if text.is_empty() { "no rows\n".to_owned() } else { text }
}
