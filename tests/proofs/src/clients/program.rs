//! A scenario's program, run against an account.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use tokio::{process::Command, time::timeout};

use crate::clients::{Outcome, Outcomes};

/// Maximum duration of a scenario, four times that of the longest one. A scenario that hangs is ended.
const LONGEST: Duration = Duration::from_secs(480);

/// A command that takes a connection string as its last argument and prints an [`Outcome`] per line.
#[derive(Clone, Debug)]
pub struct Program {
    command: PathBuf,
    arguments: Vec<OsString>,
}

impl Program {
    pub(crate) fn new(command: impl Into<PathBuf>) -> Self {
        Self { command: command.into(), arguments: Vec::new() }
    }

    #[must_use]
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Runs all cases against the account of a connection string.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started, does not end, or fails before its last case.
    pub async fn run(&self, connection: &str) -> io::Result<Outcomes> {
        let mut command = Command::new(&self.command);
        command.args(&self.arguments).arg(connection).stdin(Stdio::null()).kill_on_drop(true);
        let output = timeout(LONGEST, command.output()).await??;
        let text = String::from_utf8_lossy(&output.stdout);
        let outcomes: Vec<Outcome> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if output.status.success() && !outcomes.is_empty() {
            return Ok(Outcomes(outcomes));
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let told =
            format!("{}: {} after {} cases\n{words}", self.command.display(), output.status, outcomes.len());
        Err(io::Error::other(told))
    }
}
