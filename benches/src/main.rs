//! Measures the store beside the engine it stands on and beside others. See README.md.

mod bench;
mod child;
mod contender;
mod contenders;
mod dice;
mod group_commit;
mod live;
mod machine;
mod order;
mod probe;
mod record;
mod report;
mod rounds;
mod rows;
mod show;

use std::{env, path::Path, process::ExitCode};

use bench::{Bench, Effort};
use contender::Outcome;
use machine::Machine;
use order::Size;
use report::Report;
use rows::Row;

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
    match arguments.split_first() {
        Some((first, rest)) if first == "child" => child::run(rest),
        _ => compare(arguments),
    }
}

/// Runs the rows that were asked for, or all.
fn compare(arguments: &[String]) -> Outcome {
    let mut effort = Effort::QUICK;
    let mut chosen: Vec<&'static Row> = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "quick" => effort = Effort::QUICK,
            "full" => effort = Effort::FULL,
            name => match rows::named(name) {
                rows if rows.is_empty() => return Err(unknown(name).into()),
                rows => chosen.extend(rows),
            },
        }
    }
    let whole = chosen.is_empty();
    if whole {
        chosen = rows::all().collect();
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = home.join("target/data");
    let mut bench = Bench::new(effort, &dir)?;
    let machine = Machine::this(&dir, &bench.probe)?;
    live::head(&effort);
    let mut measured = Vec::new();
    for size in [Size::Small, Size::Large] {
        for row in chosen.iter().filter(|row| row.sizes.contains(&size)) {
            let row = rounds::run(&mut bench, row, size)?;
            live::row(&row);
            measured.push(row);
        }
        bench.close(size);
    }
    if whole {
        let report = Report { machine: &machine, effort: &effort, rows: &measured };
        std::fs::write(home.join("RESULTS.md"), report.to_string())?;
    }
    Ok(())
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = rows::all().map(|row| row.name).collect();
    format!("there is no row `{name}`. Rows: {}. Efforts: quick, full.", names.join(", "))
}
