//! Checks recorded histories again: `recheck_history FILE…`. Exits with 1 if a history is not explained.

use std::{path::Path, process::ExitCode};

use table_proofs::reliability::concurrency::{Call, Verdict, file, linearize, witness};

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for name in std::env::args().skip(1) {
        match file::read(Path::new(&name)) {
            Ok(calls) if explained(&name, &calls) => {}
            Ok(_) => code = ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{name}: {error}");
                code = ExitCode::from(2);
            }
        }
    }
    code
}

/// Checks small histories by search. A replay requires that all writes have a time.
fn explained(name: &str, calls: &[Call]) -> bool {
    match witness::judge(calls) {
        Ok(()) => {
            println!("{name}: {} calls, explained by the order of their times", calls.len());
            true
        }
        Err(witness::Objection::Untimed(_)) => {
            let verdict = linearize::judge(calls);
            println!("{name}: {} calls, {verdict:?}", calls.len());
            verdict == Verdict::Linearizable
        }
        Err(objection) => {
            println!("{name}: {} calls, {objection}", calls.len());
            false
        }
    }
}
