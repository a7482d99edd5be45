//! Shared parts of the examples: a company as entities, both generated and read from CSV files, and the output of
//! results.

pub mod company;
pub mod csv_set;
pub mod made_up;
pub mod screen;
pub mod spark;

use std::path::PathBuf;

/// Result of a program. Any error is printed and makes the program fail.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Returns the folder after `--data` on the command line, or `None` if there are no arguments. For programs without
/// other arguments.
///
/// # Errors
/// Returns the usage message for any other arguments.
pub fn data_folder(program: &str) -> Result<Option<PathBuf>, String> {
    let mut words = std::env::args().skip(1);
    match (words.next().as_deref(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some("--data"), Some(folder), None) => Ok(Some(folder.into())),
        _ => Err(format!("usage: {program} [--data DIR]")),
    }
}
