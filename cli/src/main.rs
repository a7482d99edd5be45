//! The `tables` command.

mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Table-style storage in one file, served over the Azure protocol.
#[derive(Debug, Parser)]
#[command(name = "tables", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Arguments),
}

/// 0 when all went well, 1 when something was refused or failed, 2 when the command line is wrong.
fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let done = match command {
        Command::Serve(arguments) => serve::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
