//! The last release of the old client for Rust, in a workspace with a separate lock file.

use crate::clients::{
    Client, Lacking, Place, Program,
    install::{say, step},
};

pub(crate) fn program(place: &Place) -> Result<Program, Lacking> {
    let scenario = Client::OldRust.name();
    let target = place.installed(scenario);
    let _lock = place.lock()?;
    if !target.exists() {
        say(&format!("building into {}: what {scenario}/Cargo.lock pins", target.display()));
    }
    let arguments = ["build", "--quiet", "--locked", "--target-dir"].map(Into::into);
    let arguments: Vec<std::ffi::OsString> = arguments.into_iter().chain([target.clone().into()]).collect();
    step(&place.source(scenario), env!("CARGO"), &arguments)?;
    Ok(Program::new(target.join("debug").join(format!("old-client{}", std::env::consts::EXE_SUFFIX))))
}
