//! `tables import`: writes the entities of a file to a table.

mod counts;
mod drive;
mod state;

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use clap::{Args, ValueEnum, builder::PossibleValue};
use table_exchange::{Format, Import, Mode, Reader, Windows};
use table_store::TableName;

use self::{
    drive::{Drive, End},
    state::State,
};
use crate::{
    error::CommandError,
    format::FormatName,
    location::{Location, WritableLocation},
    progress::Progress,
    runtime,
    signals::Signals,
    text::json_text,
};

/// Import a CSV or JSON Lines file into a table
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File to import, or - for standard input
    file: PathBuf,

    /// Table to write to, created if missing
    #[arg(long, short)]
    table: TableName,

    #[command(flatten)]
    place: WritableLocation,

    /// Input format [default: from the file name]
    #[arg(long)]
    format: Option<FormatName>,

    /// How to write existing and new entities
    #[arg(long, default_value = "upsert")]
    mode: ModeName,

    /// Stop at the first invalid or rejected line
    #[arg(long, conflicts_with = "max_errors")]
    fail_fast: bool,

    /// Stop after more than COUNT invalid or rejected lines; up to COUNT do not fail the import
    #[arg(long, value_name = "COUNT")]
    max_errors: Option<u64>,

    /// Resume an interrupted import of the same file
    #[arg(long)]
    resume: bool,

    /// Print JSON with the counts
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write mode for entities.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeName {
    /// Insert or replace
    Upsert,
    /// Insert or merge: properties that a line does not contain are kept
    UpsertMerge,
    /// Insert; reject existing entities
    Insert,
    /// Replace; reject missing entities
    Replace,
    /// Merge; reject missing entities
    Merge,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Upsert => Self::Upsert,
            ModeName::UpsertMerge => Self::UpsertMerge,
            ModeName::Insert => Self::Insert,
            ModeName::Replace => Self::Replace,
            ModeName::Merge => Self::Merge,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  tables import employees.csv --table Employees --store company.tables
  tables import employees.csv --table Employees --store company.tables --resume
  tables import - --format jsonl --table Employees --store ./data \\
      --account company < employees.jsonl

A missing store file is created. Invalid and rejected lines are reported with their line number, all \
other lines are written, and the command exits with 1.

The position is recorded in FILE.progress, which is deleted at the end of the import. --resume \
continues from that position. With --mode insert, entities that are already written are then \
reported as rejected.";

/// Size of the read buffer in bytes.
const BUFFER: usize = 256 << 10;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments.file.as_path();
    let format = FormatName::or_of(arguments.format, Some(path)).ok_or_else(|| {
        CommandError::Called("cannot determine the format from the file name; use --format".to_owned())
    })?;
    if path != Path::new("-") {
        return from_file(arguments, path, format);
    }
    if arguments.resume {
        return Err(CommandError::Called(
            "an import from standard input cannot be resumed; omit --resume".to_owned(),
        ));
    }
    let reader = reader(path, format, BufReader::with_capacity(BUFFER, io::stdin()))?;
    into(arguments, arguments.place.open_or_create()?, reader, Progress::of_unknown(), None)
}

fn from_file(arguments: &Arguments, path: &Path, format: Format) -> Result<ExitCode, CommandError> {
    let read = |error| CommandError::Read { path: path.into(), error };
    let file = File::open(path).map_err(read)?;
    let about = file.metadata().map_err(read)?;
    let mut reader = reader(path, format, BufReader::with_capacity(BUFFER, file))?;
    let place = arguments.place.open_or_create()?;
    let mode = arguments.mode.to_possible_value();
    let mode = mode.as_ref().map_or("", PossibleValue::get_name);
    let mut state = State::new(path, &about, [&place.name, arguments.table.folded(), mode]);
    if arguments.resume {
        reader.seek(state.resume()?).map_err(read)?;
    } else if state.is_kept() {
        eprintln!("note: an earlier import of this file is incomplete; starting again without --resume");
    }
    into(arguments, place, reader, Progress::of_bytes(about.len()), Some(state))
}

fn reader<R: BufRead>(path: &Path, format: Format, input: R) -> Result<Reader<R>, CommandError> {
    Reader::new(format, input).map_err(|error| CommandError::Input { path: path.into(), error })
}

fn into<R: BufRead + Send + 'static>(
    arguments: &Arguments,
    place: Location,
    reader: Reader<R>,
    progress: Progress,
    state: Option<State>,
) -> Result<ExitCode, CommandError> {
    let begun = Instant::now();
    let allowed = if arguments.fail_fast { Some(0) } else { arguments.max_errors };
    let (start, tables) = (reader.place(), Arc::clone(&place.tables));
    let windows = Windows::new(reader, arguments.mode.into(), tables.capabilities().clone())
        .ending_at_broken(allowed.is_some());
    let (end, counts) = runtime::block_on(async {
        let mut drive = Drive {
            import: Import::new(&*tables, &arguments.table),
            progress: &progress,
            signals: Signals::listen().map_err(CommandError::Runtime)?,
            counts: state.as_ref().map(State::counts).unwrap_or_default(),
            state,
            allowed,
        };
        let end = drive.run(start, windows).await;
        let closed = place.close().await;
        let end = end?;
        closed?;
        Ok((end, drive.counts))
    })?;
    drop(progress);
    if arguments.json {
        crate::print(&json_text(counts.object(end)))?;
    } else {
        eprintln!("{counts}, in {:.1} s", begun.elapsed().as_secs_f64());
    }
    match end {
        End::Stopped => eprintln!("stopped: too many invalid or rejected lines"),
        End::Interrupted => eprintln!("interrupted; continue with --resume"),
        End::Whole => {}
    }
    let is_well = end == End::Whole && counts.wrong() <= allowed.unwrap_or(0);
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
