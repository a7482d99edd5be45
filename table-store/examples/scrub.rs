//! Looks whether the file of a store is sound, and changes nothing: `cargo run --example scrub -- company.tables`.
//!
//! Ends with 0 if it is, with 1 if it is damaged, with 2 if it cannot be looked at.

use std::{env, process::ExitCode};

use table_store::embedded::OpenOptions;

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("Name the file of a store.");
        return ExitCode::from(2);
    };
    match OpenOptions::new().scrub(path) {
        Ok(report) => {
            println!("{report}");
            ExitCode::from(u8::from(!report.is_sound()))
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
