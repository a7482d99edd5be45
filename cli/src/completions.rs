//! `tables completions`: prints completion scripts for shells.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::error::CommandError;

/// Generate a shell completion script
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Shell to generate the script for
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  tables completions bash > ~/.local/share/bash-completion/completions/tables
  tables completions zsh > ~/.zfunc/_tables
  tables completions fish > ~/.config/fish/completions/tables.fish";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut crate::Arguments::command(), "tables", &mut script);
    crate::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
