//! `tables man`: writes a page for the command and for each subcommand.

use std::{fs, io, path::PathBuf, process::ExitCode};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use crate::error::CommandError;

/// Generate the manual pages
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Directory for the pages, created if missing [default: print the main page]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tables man -o ~/.local/share/man/man1
  tables man | man -l -";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, CommandError> {
    let mut pages = pages()?;
    let Some(folder) = &arguments.output else {
        let (_, page) = pages.swap_remove(0);
        crate::print(&page)?;
        return Ok(ExitCode::SUCCESS);
    };
    let written = |path: PathBuf| move |error| CommandError::Write { path, error };
    fs::create_dir_all(folder).map_err(written(folder.clone()))?;
    for (name, page) in pages {
        let path = folder.join(name);
        fs::write(&path, page).map_err(written(path))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the name and contents of each page, the command's first.
fn pages() -> io::Result<Vec<(String, String)>> {
    let mut command = crate::Arguments::command();
    // Sets the full names of subcommands.
    command.build();
    let mut pages = vec![page(&command)?];
    for part in command.get_subcommands() {
        pages.push(page(part)?);
    }
    Ok(pages)
}

fn page(command: &Command) -> io::Result<(String, String)> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let man = Man::new(command.clone()).title(name.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok((format!("{name}.1"), String::from_utf8_lossy(&page).into_owned()))
}
