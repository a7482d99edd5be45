//! Runs the tasks of this repository: `cargo xtask TASK`.

mod check;
mod distribution;
mod manifest;
mod nightly;
mod release;
mod step;

use std::process::ExitCode;

use step::{Failed, Step};

const USAGE: &str = "usage: cargo xtask TASK [ARGUMENT…]

  check            formatting, lints and docs
  test [ARG…]      all tests; arguments go to `cargo test --workspace`
  bench [ROW…]     benchmarks, or `instructions` for instruction counts
  proof [ARG…]     crashes, disk faults and concurrent histories of the store, for longer
  fuzz TARGET|all [SIZE]
                   fuzz targets; SIZE is `change`, `long` or seconds for each target
  nightly [STEP]   everything that is too slow for each change, or one step of it
  release          build each published crate from its package; `nightly packages` tests them
  release --dry-run [--target TRIPLE]
                   build the packages of the command (archive, npm, PyPI, Debian), install and start each
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let done = match task.as_str() {
        "check" => check::run(),
        "test" => test(&rest),
        "bench" => bench(&rest),
        "proof" => proof(&rest),
        "fuzz" => Step::new("fuzz targets").run("fuzz/run", &rest),
        "nightly" => nightly::run(rest.first().copied()),
        "release" => match rest.as_slice() {
            ["--dry-run"] => distribution::run(None),
            ["--dry-run", "--target", target] => distribution::run(Some(target)),
            _ => release::run(),
        },
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        _ => {
            eprint!("error: `{task}` is not a task\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed(reason)) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn test(arguments: &[&str]) -> Result<(), Failed> {
    Step::new("tests").cargo(&[&["test", "--workspace", "--no-fail-fast"], arguments].concat())
}

fn bench(arguments: &[&str]) -> Result<(), Failed> {
    match arguments {
        ["instructions", rest @ ..] => Step::new("instruction counts").run("benches/instructions", rest),
        rows => Step::new("benchmarks").run("benches/run", rows),
    }
}

fn proof(arguments: &[&str]) -> Result<(), Failed> {
    let prove = ["run", "--release", "-p", "table-proofs", "--bin", "prove", "--"];
    Step::new("proofs of the store").cargo(&[&prove, arguments].concat())
}
