//! `tables export`: writes a table to a file.

mod output;
mod terminal;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use clap::Args;
use serde_json::json;
use table_exchange::{Columns, Dialect, ExportError, Exported, Format, Writer, export};
use table_store::{Filter, Query, Rows, TableName};

use self::output::Output;
use crate::{
    error::CommandError,
    format::{DialectName, FormatName},
    location::{Location, LocationArguments},
    progress::Progress,
    runtime,
    signals::Signals,
    text::{counted, json_text},
};

/// Export a table, or a filtered part of it, as CSV or JSON Lines
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Table to export
    table: TableName,

    #[command(flatten)]
    place: LocationArguments,

    /// File to write, replaced when the export is complete [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Output format [default: from the file name, otherwise csv]
    #[arg(long)]
    format: Option<FormatName>,

    /// Type names in CSV
    #[arg(long, default_value = "plain")]
    dialect: DialectName,

    /// Export only entities that match this OData filter
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,

    /// Export only these comma-separated properties; keys and timestamp are always included
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    select: Option<Vec<String>>,

    /// Print JSON with the numbers of entities, bytes and segments
    #[arg(long, requires = "output")]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables export Employees --store company.tables -o employees.csv
  tables export Employees --store ./data --account company --format jsonl \\
      | gzip > employees.jsonl.gz
  TABLES_STORE='DefaultEndpointsProtocol=https;AccountName=…' tables export \\
      Employees --filter \"PartitionKey eq 'Sales' and Age ge 30\" \\
      --select Name,Age --dialect edm -o sales.csv

CSV starts with the column names, so the table is read twice unless --select is used. `tables import` \
reads the output without loss of values and types. Blobs that entities reference are not exported: copy \
their containers, too.";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let query = query(arguments)?;
    let place = arguments.place.open_to_read()?;
    let (begun, mut output) = (Instant::now(), Output::open(arguments.output.as_deref())?);
    let done = runtime::block_on(async {
        let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
        let done = tokio::select! {
            done = write(arguments, &place, query, &mut output) => done,
            () = signals.ended() => Err(CommandError::Interrupted),
        };
        let closed = place.close().await;
        let done = done?;
        closed?;
        Ok(done)
    });
    let exported = match done {
        // A closed pipe is not an error.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(ExitCode::SUCCESS);
        }
        done => done?,
    };
    let bytes = output.keep()?;
    if arguments.json {
        let Exported { entities, segments, .. } = exported;
        crate::print(&json_text(json!({ "entities": entities, "bytes": bytes, "segments": segments })))?;
    } else {
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!(
            "exported {}, {}, in {seconds:.1} s",
            counted(exported.entities, "entity"),
            counted(bytes, "byte")
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn query(arguments: &Arguments) -> Result<Query, CommandError> {
    let mut query = Query::new();
    if let Some(filter) = &arguments.filter {
        query = query.filter(Filter::parse(filter)?);
    }
    if let Some(select) = &arguments.select {
        query = query.select(select.iter().map(|name| name.trim().to_owned()));
    }
    Ok(query)
}

async fn write(
    arguments: &Arguments,
    place: &Location,
    query: Query,
    output: &mut Output,
) -> Result<Exported, CommandError> {
    let (tables, table) = (&*place.tables, &arguments.table);
    let progress = Progress::of_unknown();
    let format = FormatName::or_of(arguments.format, arguments.output.as_deref()).unwrap_or(Format::Csv);
    let mut writer = match format {
        Format::Csv => {
            progress.say("reading column names".to_owned());
            let columns = match &query.select {
                Some(select) => select.iter().cloned().collect(),
                None => Columns::of_query(tables, table, query.clone()).await?,
            };
            Writer::csv(&mut *output, columns, Dialect::from(arguments.dialect))?
        }
        Format::JsonLines => Writer::json_lines(&mut *output),
    };
    let mut in_blobs = 0;
    let told = |so_far: Exported, rows: &Rows| {
        in_blobs += rows.iter().filter(|row| table_patterns::references_blob(*row)).count();
        progress.count(so_far.entities, "entities");
    };
    let exported = export(tables, table, query, &mut writer, told).await?;
    writer.finish().map_err(ExportError::from)?;
    output.flush()?;
    if in_blobs > 0 {
        progress.note(format_args!(
            "note: values of {} are in blobs, which are not exported; copy their containers, too",
            counted(in_blobs, "entity")
        ));
    }
    Ok(exported)
}
