//! Moves the entities of a file while the process is killed, or, as a child process, is that process.

use std::{env, fmt::Display, process::ExitCode};

use table_proofs::{
    faults::connect::Failure,
    migration::{
        oracle,
        plan::{Plan, USAGE},
        process::Orders,
    },
};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("--help" | "-h") => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some("process") => match follow(words.get(1)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("the process that moves entities: {error}");
                ExitCode::from(3)
            }
        },
        Some("check") => check(words.into_iter().skip(1)),
        _ => run(words.into_iter()),
    }
}

fn follow(orders: Option<&String>) -> Result<(), Failure> {
    let orders: Orders = serde_json::from_str(orders.ok_or("a process needs its orders")?)?;
    orders.follow()
}

fn run(words: impl Iterator<Item = String>) -> ExitCode {
    report(words, Plan::run, |report| report.verdict.violations)
}

/// Compares the file of a run with its journals again.
fn check(words: impl Iterator<Item = String>) -> ExitCode {
    report(words, oracle::judge, |verdict| verdict.violations)
}

fn report<R: Display>(
    words: impl Iterator<Item = String>,
    act: impl FnOnce(&Plan) -> Result<R, Failure>,
    violations: impl FnOnce(&R) -> u64,
) -> ExitCode {
    let plan = match Plan::read(words) {
        Ok(plan) => plan,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match act(&plan) {
        Ok(report) => {
            println!("{report}");
            if violations(&report) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("seed {}: {error}", plan.seed);
            ExitCode::from(2)
        }
    }
}
