//! What the runnable programs share: a company as entities, one that is made up and one that is read from CSV files,
//! and how results are shown.

pub mod company;
pub mod csv_set;
pub mod made_up;
pub mod screen;
pub mod spark;

use std::path::PathBuf;

/// What a program ends with: anything that went wrong is printed and fails it.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The folder after `--data` on the command line of a program that knows no other argument; none if there is none.
pub fn data_folder(program: &str) -> Result<Option<PathBuf>, String> {
    let mut words = std::env::args().skip(1);
    match (words.next().as_deref(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some("--data"), Some(folder), None) => Ok(Some(folder.into())),
        _ => Err(format!("usage: {program} [--data DIR]")),
    }
}
