//! Measures `table-postgres` beside pgbench on the same server, and its times as a table grows. See ../../README.md.

mod filters;
mod growth;
mod operation;
mod pgbench;
mod ratios;

use std::{env, process::ExitCode};

/// Result of a benchmark.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    match words.as_slice() {
        ["ratios", url] => runtime.block_on(ratios::run(url)),
        ["filters", url] => runtime.block_on(filters::run(url)),
        ["growth", url] => runtime.block_on(growth::run(url, 1_000_000)),
        ["growth", up_to, url] => runtime.block_on(growth::run(url, up_to.parse()?)),
        _ => Err("usage: benches/postgres/run [ratios | filters | growth [ENTITIES]]".into()),
    }
}

/// Returns the median.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
