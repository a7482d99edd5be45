//! An installed command: its version, and a server that answers one request.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::step::Failed;

/// Resident memory in KiB: when the server is ready, and at most.
type Memory = (u64, u64);

/// Starts a command, and returns the memory of its server where the system reports it.
pub(super) fn started(what: &str, program: &Path, version: &str) -> Result<Option<Memory>, Failed> {
    println!("\n== {what}, started");
    let failed = |reason: String| Failed::because(what, reason);
    let output =
        Command::new(program).arg("--version").output().map_err(|error| failed(error.to_string()))?;
    let found = String::from_utf8_lossy(&output.stdout);
    if found.trim() != format!("tables {version}") {
        return Err(failed(format!("expected version {version}, found `{}`", found.trim())));
    }
    let free = ["--blob-port", "0", "--queue-port", "0", "--table-port", "0"];
    let server = Command::new(program)
        .args(["serve", "--in-memory"])
        .args(free)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut server = Server(server);
    let connection = server.connection().ok_or_else(|| failed("the server does not start".to_owned()))?;
    let idle = server.memory("VmRSS:");
    let stats = Command::new(program).args(["stats", "--json", "--store", &connection]).output();
    let stats = stats.map_err(|error| failed(error.to_string()))?;
    if !stats.status.success() {
        return Err(failed(format!("no response: {}", String::from_utf8_lossy(&stats.stderr))));
    }
    let peak = server.memory("VmHWM:");
    server.end().map_err(failed)?;
    Ok(idle.zip(peak))
}

/// A server, which ends at the latest with this value.
struct Server(Child);

impl Server {
    /// Returns the connection string when the server is ready.
    fn connection(&mut self) -> Option<String> {
        let mut connection = None;
        for line in BufReader::new(self.0.stdout.take()?).lines() {
            let line = line.ok()?;
            match line.split_once(' ')? {
                ("connect", value) => connection = Some(value.trim().to_owned()),
                ("ready", _) => return connection,
                _ => {}
            }
        }
        None
    }

    fn memory(&self, field: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }

    /// Stops the server as an init system does. A launcher must pass the signal on, and return the exit code.
    fn end(&mut self) -> Result<(), String> {
        if cfg!(windows) {
            return self.0.kill().map_err(|error| error.to_string());
        }
        let sent = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        sent.map_err(|error| error.to_string())?;
        let status = self.0.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("after SIGTERM: {status}")) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
