//! Runs model checks and prints one line per case.
//!
//! `all|NAME [--bounds small|full] [--variant NAME] [--at-most STATES] [--trace]`

use std::process::ExitCode;

use anstream::{eprintln, println};
use table_models::{
    catalogue::{Case, Expected, Size, cases},
    search::Verdict,
};

/// About 6 GB with the largest states.
const AT_MOST: usize = 600_000_000;

struct Wanted {
    model: String,
    size: Size,
    variant: Option<String>,
    at_most: usize,
    trace: bool,
}

impl Wanted {
    fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let model = words.next()?;
        let mut wanted = Self { model, size: Size::Small, variant: None, at_most: AT_MOST, trace: false };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--bounds" => match words.next()?.as_str() {
                    "small" => wanted.size = Size::Small,
                    "full" => wanted.size = Size::Full,
                    _ => return None,
                },
                "--variant" => wanted.variant = Some(words.next()?),
                "--at-most" => wanted.at_most = words.next()?.parse().ok()?,
                "--trace" => wanted.trace = true,
                _ => return None,
            }
        }
        Some(wanted)
    }

    fn asks_for(&self, case: &Case) -> bool {
        (self.model == "all" || self.model == case.model)
            && self.size == case.size
            && self.variant.as_ref().is_none_or(|variant| *variant == case.variant)
    }
}

fn main() -> ExitCode {
    let Some(wanted) = Wanted::parse(std::env::args().skip(1)) else {
        eprintln!("all|NAME [--bounds small|full] [--variant NAME] [--at-most STATES] [--trace]");
        return ExitCode::from(2);
    };
    let cases = cases();
    let asked: Vec<&Case> = cases.iter().filter(|case| wanted.asks_for(case)).collect();
    println!(
        "{:9} {:18} {:40} {:>11} {:>12} {:>5} {:>7}  verdict",
        "model", "variant", "bounds", "unique", "generated", "depth", "seconds"
    );
    let ok = asked.iter().filter(|case| run(case, &wanted)).count();
    if ok == asked.len() && ok > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns whether the result is as expected.
fn run(case: &Case, wanted: &Wanted) -> bool {
    // One thread finds the shortest path; two are faster if nothing is found.
    let threads = if case.expected == Expected::Refuted { 1 } else { 2 };
    let found = case.search(threads, wanted.at_most);
    println!(
        "{:9} {:18} {:40} {:>11} {:>12} {:>5} {:>7.1}  {}",
        case.model,
        case.variant,
        case.bounds,
        found.unique,
        found.generated,
        found.depth,
        found.time.as_secs_f64(),
        found.verdict
    );
    match (&found.verdict, case.expected) {
        (Verdict::Holds, Expected::Holds) => true,
        (Verdict::Refuted { trace, .. }, expected) => {
            if wanted.trace || expected == Expected::Holds {
                for step in trace {
                    println!("    {step}");
                }
            }
            expected == Expected::Refuted
        }
        _ => false,
    }
}
