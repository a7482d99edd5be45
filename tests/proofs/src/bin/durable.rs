//! Runs workers that own partitions by leases against a server that is killed: see `--help`. Exits with 1 if the run found a
//! violation, and with 2 if it cannot be judged.

use std::{env, path::Path, process::ExitCode};

use table_proofs::{
    durable::arguments::{self, USAGE},
    faults::{connect::Failure, serve},
};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("--help" | "-h") => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        // The server of a run with `--own-server`.
        Some("serve") => finish(serve_data(&words).map(|()| true)),
        _ => finish(run(words)),
    }
}

fn finish(result: Result<bool, Failure>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn serve_data(words: &[String]) -> Result<(), Failure> {
    let data = words.iter().skip_while(|word| *word != "--data").nth(1).ok_or("serve needs --data")?;
    serve::serve(Path::new(data))
}

fn run(words: Vec<String>) -> Result<bool, Failure> {
    let report = arguments::read(words.into_iter())?.run()?;
    println!("{report}");
    Ok(report.violations.is_empty())
}
