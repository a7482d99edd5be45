//! The clients for Node.

use crate::clients::{
    Client, Lacking, Place, Program,
    install::{install, is_here, step},
};

pub(crate) fn program(place: &Place) -> Result<Program, Lacking> {
    let scenario = Client::Node.name();
    npm(place, scenario)?;
    Ok(Program::new("node").arg(place.installed(scenario).join("run.mjs")))
}

/// Installs the packages of the directory's lock file.
pub(crate) fn npm(place: &Place, scenario: &str) -> Result<(), Lacking> {
    // On Windows npm is a script with a file extension.
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !is_here("node") || !is_here(npm) {
        return Err(Lacking::Program("Node"));
    }
    install(place, scenario, &["package-lock.json"], |target| {
        step(target, npm, &["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"])
    })
}
