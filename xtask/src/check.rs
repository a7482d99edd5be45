//! Formatting, lints and docs: what a change must pass before its tests run.

use crate::step::{Failed, Step};

/// Workspaces of their own, which `--workspace` does not reach.
const OTHERS: [&str; 3] = ["benches", "fuzz", "tests/clients/rust"];

/// Members without readers of their documentation.
const UNPUBLISHED: [&str; 5] = ["table-tests", "table-proofs", "table-models", "table-diagnostics", "xtask"];

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
    let excluded = UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]);
    let docs = ["doc", "--workspace", "--no-deps", "--all-features", "--locked"].into_iter();
    let docs: Vec<&str> = docs.chain(excluded).collect();
    Step::new("docs").variable("RUSTDOCFLAGS", "-D warnings").cargo(&docs)
}
