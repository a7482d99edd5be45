//! `tables explore`: shows a store in the browser.

mod own;

use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

use clap::Args;
use table_explorer::{Explorer, Place};

use crate::{
    advise, design,
    error::CommandError,
    location::{Location, WritableLocation},
    runtime,
};
use own::OwnRequests;

/// Show the tables, queues and blobs of a store in the browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: WritableLocation,

    /// Design of the stored entities: a design file, or Rust source files, each with this option. Pages show the kind of
    /// each row, and changes of an entity include its index rows
    #[arg(long, value_name = "FILE")]
    design: Vec<PathBuf>,

    /// Allow changes; otherwise, a store file is opened for reading only
    #[arg(long)]
    write: bool,

    /// Allow changes of rows that a design maintains, without their index rows and totals
    #[arg(long, requires = "write")]
    raw: bool,

    /// Port of the loopback address; 0 selects a free port
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,

    /// Open the browser
    #[arg(long)]
    open: bool,
}

const EXAMPLES: &str = "\
Examples:
  tables explore --store company.tables --open
  tables explore --store UseDevelopmentStorage=true
  tables explore --store company.tables --design company.toml --write
  TABLES_STORE='DefaultEndpointsProtocol=https;…' tables explore --write

The command prints an address with a token, which is valid once, within five minutes. It serves the loopback \
address only; from another machine, use an SSH tunnel. SIGTERM and SIGINT stop it. A connection string in an \
argument is visible to other users of the machine: use the environment variable.";

/// Serves until a signal.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let design = design::of_files(&arguments.design)?;
    let location = if arguments.write {
        arguments.place.open()?
    } else {
        arguments.place.open_to_read("the explorer only reads without --write")?
    };
    runtime::block_on(async {
        let mut signals = crate::signals::Signals::listen().map_err(CommandError::Runtime)?;
        let explorer = Explorer::new(place(&location))
            .writable(arguments.write)
            .raw(arguments.raw)
            .design(design)
            .report(advise::HTML_STYLE, advise::in_html);
        let running = explorer.bind(arguments.port).await.map_err(CommandError::Runtime)?;
        let url = running.start_url();
        crate::print(&format!("explorer {url}\n"))?;
        if arguments.open {
            open(&url);
        }
        running.until(signals.ended()).await;
        Ok(location.close().await?)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the services of a location. The requests to its tables are measured.
fn place(location: &Location) -> Place {
    let own = OwnRequests::of(location.tables.clone(), &location.name);
    let place = match &location.store {
        Some(store) => Place::of_store(&location.name, store.clone()),
        None => remote(location),
    };
    place.tables(own.clone()).observed(own)
}

fn remote(location: &Location) -> Place {
    let mut place = Place::new(&location.name, location.tables.clone());
    if let Some(queues) = &location.queues {
        place = place.queues(queues.clone());
    }
    if let Some(blobs) = &location.blobs {
        place = place.blobs(blobs.clone());
    }
    if let Some(connection) = &location.connection {
        place = place.connection(connection.clone());
    }
    place
}

/// Opens the browser. The address is printed also if there is none.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if let Err(error) = Command::new(program).arg(url).spawn() {
        eprintln!("cannot start {program}: {error}; open the address in a browser");
    }
}
