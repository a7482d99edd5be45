//! Measures the store in comparison with its engine and with other stores. See README.md.

#[cfg(test)]
mod agreement;
mod bench;
mod changes;
mod child;
mod contender;
mod contenders;
mod dice;
mod engine_file;
mod group_commit;
mod growth;
mod indexed;
mod instructions;
mod live;
mod machine;
mod order;
mod picture;
mod probe;
mod record;
mod report;
mod rounds;
mod rows;
mod show;
mod tail;

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
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    match arguments.split_first() {
        Some((first, rest)) if first == "child" => child::run(rest),
        Some((first, rest)) if first == "instructions" => instructions::run(rest),
        Some((first, rest)) if first == "changes" => changes::run(rest, home),
        Some((first, rest)) if first == "tail" => tail::run(rest, home),
        Some((first, rest)) if first == "growth" => growth::run(rest, home),
        _ => compare(arguments, home),
    }
}

/// Runs the requested rows, or all rows.
fn compare(arguments: &[String], home: &Path) -> Outcome {
    let mut effort = Effort::QUICK;
    let mut names: Vec<&str> = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "quick" => effort = Effort::QUICK,
            "full" => effort = Effort::FULL,
            name if rows::all().any(|row| row.is_named(name)) => names.push(name),
            name => return Err(unknown(name).into()),
        }
    }
    let whole = names.is_empty();
    let is_chosen = |row: &&Row| whole || names.iter().any(|name| row.is_named(name));
    let chosen: Vec<&'static Row> = rows::all().filter(is_chosen).collect();
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
        std::fs::write(
            home.join("../docs/pictures/performance.svg"),
            picture::bars::draw(&measured, Size::Small),
        )?;
    }
    Ok(())
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = rows::all().map(|row| row.name).collect();
    format!(
        "there is no row `{name}`. Rows: {}. Efforts: quick, full. Apart from these: changes, growth, tail.",
        names.join(", ")
    )
}
