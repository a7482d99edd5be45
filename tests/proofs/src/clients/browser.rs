//! The explorer in a browser, driven by Node.

use std::path::Path;

use crate::clients::{Chromium, Lacking, Place, Program, node::npm};

/// Returns the program that runs all cases with this `tables` command, after installing its packages. Its last argument is
/// the folder of the stores that it explores.
///
/// # Errors
///
/// Returns the missing requirement.
pub fn in_browser(place: &Place, tables: &Path) -> Result<Program, Lacking> {
    let chromium = Chromium::program()?;
    npm(place, "browser")?;
    Ok(Program::new("node").arg(place.installed("browser").join("run.mjs")).arg(tables).arg(chromium))
}
