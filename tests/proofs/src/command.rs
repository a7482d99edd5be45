//! The `tables` command.

use std::{env, io, path::PathBuf, process::Command};

/// Builds the command in the profile of this program, with the cargo that started it. `cargo test --workspace` has built
/// it already. Returns its path.
///
/// # Errors
///
/// Returns an error if cargo is missing or fails.
pub fn build() -> io::Result<PathBuf> {
    let own = env::current_exe()?;
    // Tests are one folder below programs.
    let folder = own.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    let folder = folder.ok_or_else(|| io::Error::other("this program has no folder"))?;
    let cargo = env::var_os("CARGO").ok_or_else(|| io::Error::other("start it with cargo"))?;
    let mut build = Command::new(cargo);
    // With an example, because cargo then selects the features of all tests: nothing is compiled again.
    build.args(["build", "--quiet", "--workspace", "--bin", "tables", "--example", "tour"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    // The variables of a test would be inputs of build scripts, as in `xtask/src/step.rs`.
    let of_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(of_package)) {
        build.env_remove(name);
    }
    if !build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?.success() {
        return Err(io::Error::other("`tables` cannot be built"));
    }
    Ok(folder.join(format!("tables{}", env::consts::EXE_SUFFIX)))
}
