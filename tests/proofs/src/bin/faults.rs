//! Runs the end-to-end fault suite, or, as a child process, one of its roles.

use std::{env, fs, path::Path, process::ExitCode};

use table_proofs::faults::{
    arguments::{Arguments, USAGE},
    children::Orders,
    connect::Failure,
    serve,
};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let result = match words.first().map(String::as_str) {
        Some("role") => role(words.get(1)),
        Some("serve") => serve_data(&words),
        Some("--help" | "-h") => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => return run(words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", words.join(" "));
            ExitCode::from(3)
        }
    }
}

fn role(orders: Option<&String>) -> Result<(), Failure> {
    let orders: Orders = serde_json::from_str(orders.ok_or("a role needs its orders")?)?;
    orders.follow()
}

fn serve_data(words: &[String]) -> Result<(), Failure> {
    let data = words.iter().skip_while(|word| *word != "--data").nth(1).ok_or("serve needs --data")?;
    serve::serve(Path::new(data))
}

fn run(words: Vec<String>) -> ExitCode {
    let arguments = match Arguments::read(words.into_iter()) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let (mut reports, mut violations) = (Vec::new(), 0);
    for plan in arguments.plans {
        match plan.run() {
            Ok(report) => {
                println!("{report}\n");
                violations += report.violations.len();
                reports.push(report);
            }
            Err(error) => {
                eprintln!("seed {}: {error}", plan.seed);
                return ExitCode::from(2);
            }
        }
        // Written after each run, so that an interrupted series has reported its results.
        if let Some(path) = &arguments.json
            && let Err(error) = serde_json::to_vec_pretty(&reports)
                .map_err(Failure::from)
                .and_then(|json| Ok(fs::write(path, json)?))
        {
            eprintln!("{}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    if violations == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
