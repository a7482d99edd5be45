//! Formatting, lints and docs: what a change must pass before its tests run.

use crate::step::{Failed, Step};

/// Workspaces of their own, which `--workspace` does not reach.
const OTHERS: [&str; 3] = ["benches", "fuzz", "tests/clients/rust"];

pub(crate) fn run() -> Result<(), Failed> {
    Step::new("formatting").cargo(&["fmt", "--all", "--check"])?;
    for other in OTHERS {
        Step::new(format!("formatting of {other}")).directory(other).cargo(&["fmt", "--all", "--check"])?;
        // Fails if the lock file is out of date.
        let metadata = ["metadata", "--locked", "--format-version", "1", "--quiet"];
        Step::new(format!("versions of {other}")).directory(other).silent().cargo(&metadata)?;
    }
    let lints =
        ["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"];
    Step::new("lints").cargo(&lints)?;
    // With an example, because cargo then selects the features of tests too: the crates that the lints have checked are
    // not checked again.
    let docs = ["--lib", "--bin", "tables", "--example", "tour", "--no-deps", "--all-features", "--locked"];
    let docs = [&["doc", "--workspace"], &docs[..]].concat();
    Step::new("docs").variable("RUSTDOCFLAGS", "-D warnings").cargo(&docs)
}
