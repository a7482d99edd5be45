//! Checks that are too slow for each change. `docs/reliability.md` contains the figures of their last run.

use crate::{
    release,
    step::{Failed, Step, root},
};

/// A name for the command line, and the step.
type Nightly = (&'static str, fn() -> Result<(), Failed>);

const STEPS: [Nightly; 16] = [
    ("licenses", licenses),
    ("features", features),
    ("packages", release::tests),
    ("benches", benches),
    ("clients", clients),
    ("suites", suites),
    ("tour", tour),
    ("models", models),
    ("interleavings", interleavings),
    ("slow", slow),
    ("simulations", simulations),
    ("faults", faults),
    ("durable", durable),
    ("migration", migration),
    ("fuzz", fuzz),
    // Last, because it fails if a mutant survives.
    ("mutants", mutants),
];

/// Runs all steps, or the one of this name.
pub(crate) fn run(only: Option<&str>) -> Result<(), Failed> {
    let names: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
    if let Some(only) = only.filter(|only| !names.contains(only)) {
        return Err(Failed(format!("`{only}` is not a step; the steps are {}", names.join(", "))));
    }
    let mut steps = STEPS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    steps.try_for_each(|(_, step)| step())
}

/// Checks the libraries without the engine, and tests the export of spans. `cargo xtask check` checks the crates with all
/// features, and the packages are compiled with the default ones.
fn features() -> Result<(), Failed> {
    let alone =
        ["clippy", "-p", "table-patterns", "--no-default-features", "--locked", "--", "-D", "warnings"];
    Step::new("lints without the engine").cargo(&alone)?;
    let export =
        ["test", "-p", "table-cli", "--features", "otlp", "--locked", "--test", "it", "--", "serve::"];
    Step::new("export of spans").cargo(&export)
}

fn licenses() -> Result<(), Failed> {
    let tools = root().join("target/tools");
    let installed = tools.join("bin/cargo-deny");
    let deny = if installed.is_file() { installed.display().to_string() } else { "cargo-deny".to_owned() };
    if Step::new("cargo-deny").run(&deny, &["--version"]).is_err() {
        let root = tools.display().to_string();
        let install =
            ["install", "--debug", "--locked", "--root", &root, "cargo-deny", "--version", "0.20.2"];
        Step::new("installation of cargo-deny").cargo(&install)?;
        return licenses();
    }
    for manifest in ["Cargo.toml", "benches/Cargo.toml"] {
        let arguments =
            ["--manifest-path", manifest, "--config", "deny.toml", "check", "licenses", "bans", "sources"];
        Step::new(format!("licenses of {manifest}")).run(&deny, &arguments)?;
    }
    Ok(())
}

fn benches() -> Result<(), Failed> {
    let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    Step::new("lints of the benchmarks").directory("benches").cargo(&lints)?;
    Step::new("all contenders do the same work").directory("benches").cargo(&["test", "--locked"])?;
    Step::new("instruction counts").run("benches/instructions", &["--check"])
}

fn clients() -> Result<(), Failed> {
    let lints =
        ["clippy", "--locked", "--target-dir", "../../../target/clients/rust", "--", "-D", "warnings"];
    Step::new("lints of the program for the old client").directory("tests/clients/rust").cargo(&lints)
}

fn suites() -> Result<(), Failed> {
    let suites = ["run", "--release", "--locked", "-p", "table-proofs", "--bin", "suites"];
    Step::new("the tests of the Azure SDKs for Python").cargo(&suites)
}

fn tour() -> Result<(), Failed> {
    Step::new("the tour, optimized").cargo(&["run", "--release", "--locked", "--example", "tour"])
}

fn models() -> Result<(), Failed> {
    let models = ["run", "--release", "--locked", "-p", "table-models", "--", "all"];
    Step::new("all states of the models").cargo(&models)
}

/// Compiles in a directory of its own: the flag changes every crate.
fn interleavings() -> Result<(), Failed> {
    let tests = ["test", "--release", "--locked", "-p", "table-store", "--lib", "interleavings::"];
    Step::new("interleavings of the log's threads, chosen by a scheduler")
        .variable("RUSTFLAGS", "--cfg shuttle")
        .variable("CARGO_TARGET_DIR", "target/interleavings")
        .variable("SCHEDULES", "100000")
        .cargo(&tests)
}

fn slow() -> Result<(), Failed> {
    // One ignored test is no check: it writes the files of a new release.
    let slow = ["--", "--ignored", "--skip", "write_the_files_of_this_version"];
    let tests = ["test", "--release", "--locked", "--workspace", "--test", "it"];
    Step::new("tests that are too slow for each change, and Azurite").cargo(&[&tests[..], &slow].concat())
}

fn simulations() -> Result<(), Failed> {
    let simulations = ["test", "--release", "--locked", "-p", "table-proofs", "--test", "it", "simulation::"];
    Step::new("100,000 schedules of each simulation").variable("SIMULATIONS", "100000").cargo(&simulations)
}

fn faults() -> Result<(), Failed> {
    let faults = ["run", "--release", "--locked", "-p", "table-proofs", "--bin", "faults", "--"];
    let size = ["--seeds", "1..6", "--for", "10m"];
    Step::new("all parts together, under faults: two hours").cargo(&[&faults[..], &size].concat())
}

fn durable() -> Result<(), Failed> {
    let durable = ["run", "--release", "--locked", "-p", "table-proofs", "--bin", "durable", "--"];
    let size = ["--for", "10m", "--faults", "20", "--crashes"];
    Step::new("leases, queues and tables together, with kills").cargo(&[&durable[..], &size].concat())
}

fn migration() -> Result<(), Failed> {
    let migration = ["run", "--release", "--locked", "-p", "table-proofs", "--bin", "migration", "--"];
    let size = ["--entities", "1000000", "--kills", "100", "--speed", "10"];
    Step::new("a change of a million keys, with 100 kills").cargo(&[&migration[..], &size].concat())
}

fn fuzz() -> Result<(), Failed> {
    Step::new("an hour of fuzzing").run("fuzz/run", &["all", "long"])
}

fn mutants() -> Result<(), Failed> {
    let mutants = ["run", "--locked", "-p", "table-proofs", "--bin", "mutants"];
    Step::new("each broken rule is noticed by its test").cargo(&mutants)
}
