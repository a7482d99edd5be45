//! The server of a run: `tables serve`, as a process that can be killed.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::faults::connect::Failure;

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Ports of blobs, queues and tables.
    pub ports: [u16; 3],
}

impl Server {
    /// Starts `program` on a store, and returns when it is ready. `store` is `--data` or `--store` with its value. The log is
    /// appended to a file.
    ///
    /// # Errors
    ///
    /// Returns an error if it ends before it is ready.
    pub fn start(program: &Program, store: &[OsString; 2], log: &Path) -> Result<Self, Failure> {
        let log = fs::OpenOptions::new().create(true).append(true).open(log)?;
        let mut command = program.command();
        command.arg("serve").args(store);
        command.args(["--blob-port", "0", "--queue-port", "0", "--table-port", "0"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut ports = [0; 3];
        let printed = child.stdout.take().ok_or("the server has no output")?;
        for line in BufReader::new(printed).lines() {
            let line = line?;
            let (word, value) = line.split_once(' ').unwrap_or((&line, ""));
            let service = ["blob", "queue", "table"].iter().position(|known| *known == word);
            if let Some(service) = service {
                let port = value.trim().split('/').nth(2).and_then(|host| host.rsplit(':').next());
                ports[service] = port.unwrap_or_default().parse()?;
            }
            if word == "ready" {
                return Ok(Self { child, ports });
            }
        }
        let _ = child.kill();
        Err(format!("the server did not start: {:?}; see its log", child.wait()?.code()).into())
    }

    /// Kills the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the server cannot be killed.
    pub fn kill(mut self) -> Result<(), Failure> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Requests the server to end, and waits for it.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not end, or ends with an exit code other than 0.
    pub fn end(mut self) -> Result<(), Failure> {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        if !sent.success() {
            return Err("the server cannot be asked to end".into());
        }
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            match self.child.try_wait()? {
                // A server without a signal handler is ended by the signal.
                Some(status) if status.code().is_none_or(|code| code == 0) => return Ok(()),
                Some(status) => return Err(format!("the server ended with {status}").into()),
                None if Instant::now() > until => return Err("the server does not end".into()),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The server program.
#[derive(Clone, Debug)]
pub enum Program {
    /// The `tables` command.
    Tables(PathBuf),
    /// The server of this program: the same library without the CLI.
    Own,
}

impl Program {
    fn command(&self) -> Command {
        match self {
            Self::Tables(path) => Command::new(path),
            Self::Own => Command::new(env::current_exe().unwrap_or_else(|_| "faults".into())),
        }
    }
}
