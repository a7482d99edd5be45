//! Runs the mutants of `mutants.toml`: `cargo run -p table-proofs --bin mutants [-- PART-OF-A-NAME …]`. Exits with 1 if a mutant
//! survives or does not compile, and with 2 if a run fails.

use std::{path::Path, process::ExitCode};

use anstream::{eprintln, println};
use table_proofs::mutants::{List, Mutant, Outcome, Runner};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(parts: &[String]) -> Result<bool, Box<dyn std::error::Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = List::read(&here.join("mutants.toml"))?;
    let is_chosen =
        |mutant: &Mutant| parts.is_empty() || parts.iter().any(|part| mutant.name.contains(part.as_str()));
    let runner = Runner::new(&here.join("../..").canonicalize()?)?;
    let (mut caught, mut rest) = (0_usize, 0_usize);
    for mutant in list.mutants().iter().filter(|mutant| is_chosen(mutant)) {
        let (outcome, took) = runner.run(mutant)?;
        let (verdict, detail) = match &outcome {
            Outcome::Caught(message) => ("caught", message.as_str()),
            Outcome::Survived => ("SURVIVED", mutant.rule.as_str()),
            Outcome::Broken(message) => ("DOES NOT COMPILE", message.as_str()),
        };
        println!("{:24} {verdict:8} {:4} s  {detail}", mutant.name, took.as_secs());
        if matches!(outcome, Outcome::Caught(_)) { caught += 1 } else { rest += 1 }
    }
    println!("{caught} mutants caught, {rest} not");
    Ok(rest == 0)
}
