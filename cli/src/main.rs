//! The `tables` command.

mod advise;
mod backup;
mod compact;
mod completions;
mod copy;
mod design;
mod designed;
mod diff;
mod emulator;
mod entity_rows;
mod entity_table;
mod error;
#[cfg(test)]
mod examples;
mod expire;
mod explore;
mod export;
mod format;
mod generate;
mod heat;
mod import;
mod location;
mod lock;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod members;
mod migrate;
mod outcome;
mod progress;
mod prove;
mod query;
mod reindex;
mod restore;
mod revision;
mod runtime;
mod salvage;
mod schema;
mod scrub;
mod serve;
mod signals;
mod simulate;
mod stats;
mod table;
mod text;
mod trace;
mod untyped;
mod upgrade;
mod values;
mod verify;
mod versions;
mod workload;

use std::{
    borrow::Cow,
    env,
    ffi::{OsStr, OsString},
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use table_rest::redacted;

use self::{
    error::CommandError,
    text::{fitted, plain_lines, plain_source},
};

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Design, query, maintain and serve Azure-style tables
#[derive(Debug, Parser)]
#[command(name = "tables", version, disable_help_subcommand = true, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Arguments),
    Emulator(emulator::Arguments),
    Advise(advise::Arguments),
    Design(workload::Arguments),
    Diff(diff::Arguments),
    Lock(lock::Arguments),
    Generate(generate::Arguments),
    Simulate(simulate::Arguments),
    Import(import::Arguments),
    Upgrade(upgrade::Arguments),
    Export(export::Arguments),
    Query(query::Arguments),
    Explore(explore::Arguments),
    Stats(stats::Arguments),
    Salvage(salvage::Arguments),
    Scrub(scrub::Arguments),
    Backup(backup::Arguments),
    Restore(restore::Arguments),
    Copy(copy::Arguments),
    Compact(compact::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    #[cfg(feature = "mcp")]
    Mcp(mcp::Arguments),
    Migrate(migrate::Arguments),
    Verify(verify::Arguments),
    Versions(versions::Arguments),
    Reindex(reindex::Arguments),
    Expire(expire::Arguments),
    Schema(schema::Arguments),
}

impl Command {
    /// Returns whether the command prints JSON. Its errors are then JSON too.
    fn prints_json(&self) -> bool {
        match self {
            Self::Advise(arguments) => arguments.prints_json(),
            Self::Design(arguments) => arguments.prints_json(),
            Self::Diff(arguments) => arguments.json,
            Self::Generate(arguments) => arguments.json,
            Self::Simulate(arguments) => arguments.prints_json(),
            Self::Import(arguments) => arguments.json,
            Self::Upgrade(arguments) => arguments.json,
            Self::Export(arguments) => arguments.json,
            Self::Query(arguments) => arguments.json,
            Self::Stats(arguments) => arguments.json,
            Self::Salvage(arguments) => arguments.json,
            Self::Scrub(arguments) => arguments.json,
            Self::Backup(arguments) => arguments.json,
            Self::Restore(arguments) => arguments.json,
            Self::Copy(arguments) => arguments.json,
            Self::Compact(arguments) => arguments.json,
            Self::Migrate(arguments) => arguments.json,
            Self::Verify(arguments) => arguments.json,
            Self::Versions(arguments) => arguments.json,
            Self::Reindex(arguments) => arguments.json,
            Self::Expire(arguments) => arguments.json,
            Self::Schema(arguments) => arguments.json,
            Self::Serve(_)
            | Self::Explore(_)
            | Self::Emulator(_)
            | Self::Lock(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => false,
        }
    }
}

/// Returns 0 on success, 1 if an operation was rejected or failed, 2 for invalid arguments. `advise`,
/// `diff` and `migrate` have other exit codes.
fn main() -> ExitCode {
    let words = words(env::args_os());
    let Arguments { command } = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error, words.iter().any(|word| word == "--json")),
    };
    let json = command.prints_json();
    let done = match command {
        Command::Serve(arguments) => {
            serve::run(&arguments).map(|()| ExitCode::SUCCESS).map_err(CommandError::from)
        }
        Command::Emulator(arguments) => {
            emulator::run(&arguments).map(|()| ExitCode::SUCCESS).map_err(CommandError::from)
        }
        Command::Advise(arguments) => advise::run(&arguments),
        Command::Design(arguments) => workload::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Lock(arguments) => lock::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Upgrade(arguments) => upgrade::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Query(arguments) => query::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Salvage(arguments) => salvage::run(&arguments),
        Command::Scrub(arguments) => scrub::run(&arguments),
        Command::Backup(arguments) => backup::run(&arguments),
        Command::Restore(arguments) => restore::run(&arguments),
        Command::Copy(arguments) => copy::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Versions(arguments) => versions::run(&arguments),
        Command::Reindex(arguments) => reindex::run(&arguments),
        Command::Expire(arguments) => expire::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
    };
    match done {
        Ok(code) => code,
        Err(error) if json => error.print_json(),
        // The messages already contain the severity.
        Err(error @ (CommandError::Diagnostics(_) | CommandError::Refused(_))) => {
            eprint!("{}", plain_source(&redacted(&error.to_string())));
            ExitCode::FAILURE
        }
        Err(error) => {
            // It can contain the words of a server, or names of a file.
            let message = plain_lines(&redacted(&error.to_string()));
            eprintln!("{}", for_terminal(format!("error: {message}")));
            if error.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// Returns the words of the command line. Under the name `azurite`, or one such as `azurite-blob`, the program is the
/// emulator, so that scripts and images need no other change than a link.
fn words(said: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = said.into_iter().collect();
    let name = words.first().and_then(|name| Path::new(name).file_stem()).and_then(OsStr::to_str);
    if name.is_some_and(|name| name == "azurite" || name.starts_with("azurite-")) {
        words.splice(..1, ["tables".into(), "emulator".into()]);
    }
    words
}

/// Breaks the long lines of a message between words, if standard error is a terminal.
fn for_terminal(message: String) -> String {
    // No width for anything else.
    match terminal_size::terminal_size_of(io::stderr()) {
        Some((width, _)) => fitted(&message, usize::from(width.0)),
        None => message,
    }
}

/// Prints the reason of rejected arguments, or the requested help, without misplaced credentials.
fn refused(error: &clap::Error, json: bool) -> ExitCode {
    let text = error.render().to_string();
    if json && error.use_stderr() {
        error::print_json(&text, &[]);
        return ExitCode::from(2);
    }
    match redacted(&text) {
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(shown) => {
            eprint!("{shown}");
            ExitCode::from(2)
        }
    }
}

/// Prints the content of a file to standard output: unchanged, unless it is a terminal, which the content must not control.
fn print_file(text: &str) -> Result<(), CommandError> {
    if io::stdout().is_terminal() { print(&plain_source(text)) } else { print(text) }
}

/// Prints to standard output, with colors if enabled. A closed pipe is not an error.
fn print(text: &str) -> Result<(), CommandError> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
