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
    place::{Place, PlaceArguments},
    progress::Progress,
    runtime,
    signals::Signals,
};

/// Writes the entities of a file to a table: CSV of Storage Explorer, or JSON Lines.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file, or - for standard input
    file: PathBuf,

    /// The table; it is made if it is not there
    #[arg(long, short)]
    table: TableName,

    #[command(flatten)]
    place: PlaceArguments,

    /// What the file is; by its name if it is not said
    #[arg(long)]
    format: Option<FormatName>,

    /// What is done with an entity that is there, and with one that is not
    #[arg(long, default_value = "upsert")]
    mode: ModeName,

    /// Stops at the first line that is no entity, or that the service refuses
    #[arg(long, conflicts_with = "max_broken")]
    stop_at_error: bool,

    /// Stops when more than so many lines are broken or refused; up to so many are no failure
    #[arg(long, value_name = "COUNT")]
    max_broken: Option<u64>,

    /// Goes on where an import of the same file was ended
    #[arg(long)]
    resume: bool,

    /// Says on standard output what was done, as an object
    #[arg(long)]
    json: bool,
}

/// What is done with entities.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeName {
    /// Writes all, in place of what was there
    Upsert,
    /// Writes all; what a line does not say stays
    UpsertMerge,
    /// Writes what is new, and refuses what is there
    Insert,
    /// Writes over what is there, and refuses what is not
    Replace,
    /// Writes into what is there, and refuses what is not; what a line does not say stays
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
  tables import - --format jsonl --table Employees --store ./data --account company < employees.jsonl

A store's file that is not there is made. A line that is no entity is told with its number, and so is one that the
service refuses; all others are written, and the command exits with 1. FILE.progress beside the file says how far it
is, and goes when all is done: whatever ended the command, --resume goes on from there, with --mode insert so that
what had been written already is told as refused.";

/// Size of the read buffer in bytes.
const BUFFER: usize = 256 << 10;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let path = arguments.file.as_path();
    let format = FormatName::or_of(arguments.format, Some(path)).ok_or_else(|| {
        CommandError::Called("the file's name does not say what it is; use --format".to_owned())
    })?;
    if path != Path::new("-") {
        return from_file(arguments, path, format);
    }
    if arguments.resume {
        return Err(CommandError::Called("standard input cannot be read again from where it was".to_owned()));
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
        eprintln!(
            "note: an import of this file was not ended; this one begins anew, as --resume is not said"
        );
    }
    into(arguments, place, reader, Progress::of_bytes(about.len()), Some(state))
}

fn reader<R: BufRead>(path: &Path, format: Format, input: R) -> Result<Reader<R>, CommandError> {
    Reader::new(format, input).map_err(|error| CommandError::Input { path: path.into(), error })
}

fn into<R: BufRead + Send + 'static>(
    arguments: &Arguments,
    place: Place,
    reader: Reader<R>,
    progress: Progress,
    state: Option<State>,
) -> Result<ExitCode, CommandError> {
    let begun = Instant::now();
    let allowed = if arguments.stop_at_error { Some(0) } else { arguments.max_broken };
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
        crate::print(&format!("{}\n", counts.object(end)))?;
    } else {
        eprintln!("{counts}, in {:.1} s", begun.elapsed().as_secs_f64());
    }
    match end {
        End::Stopped => eprintln!("stopped: more lines are wrong than may be"),
        End::Interrupted => eprintln!("interrupted; go on with --resume"),
        End::Whole => {}
    }
    let is_well = end == End::Whole && counts.wrong() <= allowed.unwrap_or(0);
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
