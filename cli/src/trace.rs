//! Requests that `tables serve --record` has recorded.

mod filter;

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Deserialize;
use table_advisor::trace::{Access, Request, Trace, Write, Written};
use table_designs::schema::Schema;
use table_store::{Filter, Timestamp};

use crate::{error::CommandError, progress::Progress, text::plain_lines};

/// Maximum length of a line. A batch has at most 100 parts.
const MOST_BYTES: u64 = 16 << 20;

/// Ticks of a second.
const TICKS: f64 = 1e7;

/// A line. Other keys are ignored.
#[derive(Debug, Deserialize)]
struct Line {
    dropped: Option<u64>,
    at: Option<String>,
    op: Option<Op>,
    table: Option<String>,
    filter: Option<String>,
    select: Option<Vec<String>>,
    top: Option<u32>,
    #[serde(default)]
    next: bool,
    #[serde(flatten)]
    keys: Keys,
    #[serde(default)]
    parts: Vec<Part>,
}

/// A part of a batch.
#[derive(Debug, Deserialize)]
struct Part {
    op: Op,
    #[serde(flatten)]
    keys: Keys,
}

#[derive(Debug, Deserialize)]
struct Keys {
    pk: Option<String>,
    rk: Option<String>,
    #[serde(default)]
    fields: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Op {
    Query,
    Get,
    Insert,
    InsertOrReplace,
    Replace,
    Merge,
    InsertOrMerge,
    Delete,
    Batch,
}

/// Recorded requests that replace the declared load.
#[derive(Debug, Args)]
pub(crate) struct TraceArguments {
    /// Replace rates, limits and distributions with those of requests that `tables serve --record` has recorded. Queries and
    /// entities without requests keep their rates
    #[arg(long, value_name = "REQUESTS")]
    pub(crate) trace: Option<PathBuf>,

    /// Remove the rates of queries, and of writes of entities, without recorded requests
    #[arg(long, requires = "trace")]
    recorded_only: bool,
}

impl TraceArguments {
    /// Replaces the rates, limits and distributions of a design by those of a recording, if there is one, and prints notes
    /// about it.
    pub(crate) fn apply(&self, schema: &mut Schema) -> Result<(), CommandError> {
        self.trace.as_ref().map_or(Ok(()), |path| apply(schema, path, self.recorded_only))
    }
}

fn apply(schema: &mut Schema, path: &Path, is_recorded_only: bool) -> Result<(), CommandError> {
    let read = |error| CommandError::Read { path: path.to_owned(), error };
    let file = File::open(path).map_err(read)?;
    let progress = Progress::of_unknown();
    let trace = Trace::new(schema);
    let mut trace = if is_recorded_only { trace.recorded_only() } else { trace };
    let mut lines = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        lines.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line).map_err(read)?;
        let is_ended = line.ends_with(b"\n");
        if line.is_empty() {
            break;
        }
        match add(&mut trace, &line) {
            Ok(()) => {}
            // A server that was killed leaves such a line.
            Err(_) if !is_ended && lines.fill_buf().map_err(read)?.is_empty() => {
                note("the last line is incomplete, and ignored");
            }
            Err(reason) => {
                return Err(CommandError::Trace { path: path.to_owned(), number, reason });
            }
        }
        progress.count(number, "requests");
    }
    drop(progress);
    let measured = trace.finish();
    (schema.queries, schema.load.entities) = (measured.queries, measured.load);
    measured.notes.iter().for_each(|text| note(text));
    Ok(())
}

fn note(text: &str) {
    eprintln!("note: {}", plain_lines(text));
}

/// Adds the request of a line.
fn add(trace: &mut Trace<'_>, line: &[u8]) -> Result<(), String> {
    let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if let Some(dropped) = line.dropped {
        trace.add_dropped(dropped);
        return Ok(());
    }
    let missing = |name: &str| format!("`{name}` is missing");
    let op = line.op.ok_or_else(|| missing("op"))?;
    let at: Timestamp = line
        .at
        .ok_or_else(|| missing("at"))?
        .parse()
        .map_err(|_| "`at` is not a time such as 2026-01-31T12:00:00Z".to_owned())?;
    let access = match op {
        Op::Query => {
            let parsed = line.filter.as_deref().map(Filter::parse).transpose();
            let parsed = parsed.map_err(|error| format!("the filter is invalid: {}", error.message()))?;
            let filter =
                parsed.map_or_else(|| Some(vec![Vec::new()]), |parsed| filter::alternatives(&parsed));
            Access::Query { filter, select: line.select, top: line.top, is_next: line.next }
        }
        Op::Get => Access::Get { keys: line.keys.both()?, select: line.select },
        Op::Batch => {
            let parts = line.parts.into_iter().map(|part| write(part.op, part.keys));
            Access::Write(parts.collect::<Result<_, _>>()?)
        }
        op => Access::Write(vec![write(op, line.keys)?]),
    };
    let table = line.table.ok_or_else(|| missing("table"))?;
    trace.add(&Request { seconds: seconds(at), table, access });
    Ok(())
}

impl Keys {
    fn both(self) -> Result<[String; 2], String> {
        match (self.pk, self.rk) {
            (Some(partition), Some(row)) => Ok([partition, row]),
            _ => Err("`pk` or `rk` is missing".to_owned()),
        }
    }
}

fn write(op: Op, mut keys: Keys) -> Result<Write, String> {
    let kind = match op {
        Op::Insert => Written::Insert,
        Op::InsertOrReplace => Written::Upsert,
        Op::Replace => Written::Replace,
        Op::Merge | Op::InsertOrMerge => Written::Merge,
        Op::Delete => Written::Delete,
        Op::Query | Op::Get | Op::Batch => return Err("a batch contains only writes".to_owned()),
    };
    let fields = std::mem::take(&mut keys.fields);
    Ok(Write { kind, keys: keys.both()?, fields })
}

#[expect(clippy::cast_precision_loss, reason = "some ticks more or less do not change a rate")]
fn seconds(at: Timestamp) -> f64 {
    at.ticks() as f64 / TICKS
}
