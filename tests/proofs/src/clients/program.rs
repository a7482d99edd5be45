//! A scenario's program, run against an account.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::Command,
    time::timeout,
    try_join,
};

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
    /// Returns an error with the failed cases if the program cannot be started, does not end, or fails before its last case.
    pub async fn run(&self, connection: &str) -> io::Result<Outcomes> {
        let mut command = Command::new(&self.command);
        command.args(&self.arguments).arg(connection).kill_on_drop(true);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(mut stderr)) = (stdout, stderr) else {
            return Err(io::Error::other("the output is not a pipe"));
        };
        let (mut outcomes, mut words) = (Outcomes(Vec::new()), Vec::new());
        let ended = timeout(LONGEST, async {
            let cases = async {
                let mut lines = BufReader::new(stdout).lines();
                while let Some(line) = lines.next_line().await? {
                    outcomes.0.extend(serde_json::from_str::<Outcome>(&line));
                }
                Ok(())
            };
            try_join!(cases, stderr.read_to_end(&mut words))?;
            child.wait().await
        })
        .await;
        let how = match ended {
            Ok(status) => {
                let status = status?;
                if status.success() && !outcomes.0.is_empty() {
                    return Ok(outcomes);
                }
                status.to_string()
            }
            Err(_) => format!("it does not end within {} s", LONGEST.as_secs()),
        };
        let last = outcomes.0.last().map_or("none", |outcome| &outcome.case);
        let words = String::from_utf8_lossy(&words);
        let command = self.command.display();
        Err(io::Error::other(format!("{command}: {how}, after the case {last}\n{outcomes}\n{words}")))
    }
}
