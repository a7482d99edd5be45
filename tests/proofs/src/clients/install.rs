//! Installs the requirements of a scenario, once per set of pinned versions.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use crate::clients::Place;

/// Reason why a scenario cannot run in this environment.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    /// A program is not installed.
    #[error("{0} is not here")]
    Program(&'static str),
    /// A step of the installation failed; contains its output.
    #[error("`{step}` failed: {words}")]
    Step {
        /// The command.
        step: String,
        /// The end of its output.
        words: String,
    },
    /// An error of the file system.
    #[error(transparent)]
    File(#[from] io::Error),
}

impl Lacking {
    /// Skips the scenario with a message.
    ///
    /// # Errors
    ///
    /// Returns `self` if `CI` is set, because no scenario may be skipped there.
    pub fn pass_over(self, scenario: &str) -> Result<(), Self> {
        if std::env::var_os("CI").is_some() {
            return Err(self);
        }
        say(&format!("passed over: the clients for {scenario}, since {self}"));
        Ok(())
    }
}

/// Prints a line that is visible even if the test succeeds: the test harness captures the output of `println`.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Runs `steps` unless the current files of pinned versions are already installed.
pub(crate) fn install(
    place: &Place,
    scenario: &str,
    pins: &[&str],
    steps: impl FnOnce(&Path) -> Result<(), Lacking>,
) -> Result<(), Lacking> {
    let _lock = place.lock()?;
    let target = place.copy(scenario)?;
    let mut wanted = Vec::new();
    for file in pins {
        wanted.extend(fs::read(place.source(scenario).join(file))?);
    }
    let stamp = target.join(".installed");
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    say(&format!("installing into {}: what {} pins for {scenario}", target.display(), pins.join(" and ")));
    steps(&target)?;
    fs::write(stamp, wanted)?;
    Ok(())
}

/// Returns whether the program can be started.
pub(crate) fn is_here(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Runs one step of an installation, in `folder`.
pub(crate) fn step<A: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: &[A],
) -> Result<(), Lacking> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr).lines().rev().take(5).collect::<Vec<_>>().join(" / ");
    Err(Lacking::Step { step: format!("{command:?}"), words })
}
