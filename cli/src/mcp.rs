//! `tables mcp`: a server of the Model Context Protocol for coding assistants, over standard input and output.

mod failure;
mod files;
mod given;
mod handler;
mod limits;
mod output;
mod parameter;
mod resources;
mod session;
mod stop;
mod tool;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Args;
use rmcp::{
    ServiceExt,
    service::ServerInitializeError,
    transport::{async_rw::AsyncRwTransport, io::stdio_pipes},
};
use table_rest::AccountName;
use tokio::runtime::Builder;

use self::{handler::Handler, session::Session};
use crate::{
    error::CommandError,
    location::{KeptLogArguments, LocationArguments, Where, WritableLocation},
    signals::Signals,
};

/// Serve the advisor and a store to coding assistants (MCP)
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Store file, data directory of `tables serve`, connection string, signed URL, or address of a database; without it,
    /// only designs can be examined
    #[arg(long, value_name = "STORE", env = "TABLES_STORE", hide_env_values = true)]
    store: Option<Where>,

    /// Account to use if the data directory contains several, or for {account} in the address of a database
    #[arg(long, value_name = "NAME", requires = "store")]
    account: Option<AccountName>,

    /// Directory with the design files and the Rust source files that may be read
    #[arg(long, value_name = "DIR", default_value = ".")]
    files: PathBuf,

    /// Also serve tools that write and delete single entities
    #[arg(long, requires = "store")]
    write: bool,

    /// Continue the kept log of the store file in DIR; with a data directory, DIR is that of `tables serve --keep-log`
    #[arg(long, value_name = "DIR", requires = "write")]
    keep_log: Option<PathBuf>,

    /// Maximum duration of a call in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

const EXAMPLES: &str = "\
Examples:
  tables mcp --files designs
  tables mcp --store company.tables
  tables mcp --store company.tables --write
  TABLES_STORE='UseDevelopmentStorage=true' tables mcp

An assistant starts the command itself; the guide contains its configuration. The store is read only, unless \
--write is specified. A store file is opened for each call, so that other programs can use it between calls; \
while `tables serve` has it open, specify the connection string of the server. Standard output contains only \
messages of the protocol. The exit code is 0 when standard input ends or after SIGTERM or SIGINT.";

/// How long the end of the process waits for calls that cannot be interrupted.
const END: Duration = Duration::from_secs(1);

/// Serves until standard input ends or a signal is received.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let location = arguments.store.clone().map(|store| {
        let location = LocationArguments::of(store, arguments.account.clone());
        let keep_log = arguments.keep_log.clone();
        WritableLocation::of(location, KeptLogArguments { keep_log, end_kept_log: false })
    });
    let timeout = Duration::from_secs(arguments.timeout);
    let session = Session::new(location, arguments.write, &arguments.files, timeout)?;
    // One more thread than calls: messages are read, and calls are cancelled, while all calls read a file.
    let threads = limits::CALLS + 1;
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.map_err(CommandError::Runtime)?;
    let ended = runtime.block_on(serve(Handler::new(session)));
    runtime.shutdown_timeout(END);
    ended.map(|()| ExitCode::SUCCESS)
}

async fn serve(handler: Handler) -> Result<(), CommandError> {
    let mut signals = Signals::listen().map_err(CommandError::Runtime)?;
    let (input, output) = stdio_pipes();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(limits::MESSAGE);
    let running = tokio::select! {
        started = handler.serve(transport) => match started {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(CommandError::Unfinished(format!("cannot start the session: {error}"))),
        },
        () = signals.ended() => return Ok(()),
    };
    let cancel = running.cancellation_token();
    tokio::select! {
        _ = running.waiting() => {}
        () = signals.ended() => cancel.cancel(),
    }
    Ok(())
}
