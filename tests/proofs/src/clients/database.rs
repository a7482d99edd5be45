//! PostgreSQL, as its packages install it.

use std::{
    fs, io,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::clients::{
    Lacking,
    install::{is_here, step},
};

/// Maximum start time. Usually it listens within a second.
const LONGEST: Duration = Duration::from_secs(60);
/// Oldest supported version.
const OLDEST: u32 = 15;

/// A running database server in a folder of its own, on a free port. It ends when it is dropped.
#[derive(Debug)]
pub struct Database {
    server: Child,
    programs: PathBuf,
    folder: TempDir,
    port: u16,
}

impl Database {
    /// Starts a server that does not wait for the disk.
    ///
    /// # Errors
    /// Returns the missing requirement.
    pub fn start() -> Result<Self, Lacking> {
        Self::with(&["fsync=off"])
    }

    /// Starts a server with settings, each `NAME=VALUE`.
    ///
    /// # Errors
    /// Returns the missing requirement.
    pub fn with(settings: &[&str]) -> Result<Self, Lacking> {
        let programs = programs().ok_or(Lacking::Program("PostgreSQL 15"))?;
        let folder = tempfile::tempdir()?;
        let data = folder.path().join("data");
        if is_root() {
            step(folder.path(), "chown", &[Path::new("postgres"), folder.path()])?;
        }
        let mut create = as_user(&programs.join("initdb"));
        create.args(["-A", "trust", "-U", "tables", "-E", "UTF8", "--no-sync", "-D"]).arg(&data);
        let output = create.current_dir(folder.path()).output()?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Lacking::Step { step: "initdb".to_owned(), words });
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = run(&programs, folder.path(), port, settings)?;
        Ok(Self { server, programs, folder, port })
    }

    /// Returns the address of the database.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://tables@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// Ends the server with SIGKILL, and starts it again.
    ///
    /// # Errors
    /// The error of the process.
    pub fn crash(&mut self) -> io::Result<()> {
        self.stop()?;
        self.start_again()
    }

    /// Ends the server with SIGKILL.
    ///
    /// # Errors
    /// The error of the process.
    pub fn stop(&mut self) -> io::Result<()> {
        self.server.kill()?;
        self.server.wait().map(drop)
    }

    /// Starts the server after [`stop`](Self::stop).
    ///
    /// # Errors
    /// The error of the process.
    pub fn start_again(&mut self) -> io::Result<()> {
        // Its processes end by themselves. Until then, the next server refuses to start.
        let begun = Instant::now();
        loop {
            match run(&self.programs, self.folder.path(), self.port, &[]) {
                Ok(server) => self.server = server,
                Err(error) if begun.elapsed() > LONGEST => return Err(error),
                Err(_) => continue,
            }
            return Ok(());
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts the server, and returns when it accepts connections.
fn run(programs: &Path, folder: &Path, port: u16, settings: &[&str]) -> io::Result<Child> {
    let mut command = as_user(&programs.join("postgres"));
    command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder).args(["-p", &port.to_string()]);
    command.args(["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=32MB"]);
    for setting in settings {
        command.args(["-c", setting]);
    }
    let log = fs::File::options().create(true).append(true).open(folder.join("log"))?;
    let mut server =
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn()?;
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() || !is_ready(programs, port) {
        if begun.elapsed() > LONGEST || server.try_wait()?.is_some() {
            let _ = server.kill();
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(io::Error::other(format!("PostgreSQL does not start: {log}")));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}

fn is_ready(programs: &Path, port: u16) -> bool {
    let mut ready = Command::new(programs.join("pg_isready"));
    ready.args(["-q", "-h", "127.0.0.1", "-U", "tables", "-d", "postgres", "-p", &port.to_string()]);
    ready.status().is_ok_and(|status| status.success())
}

/// Returns the folder of the newest installed version.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let found = versions.filter_map(Result::ok).filter_map(|entry| {
        let version = number(&entry.path()).filter(|version| *version >= OLDEST)?;
        Some((version, entry.path().join("bin")))
    });
    let (_, programs) = found.max_by_key(|(version, _)| *version)?;
    (is_here(programs.join("postgres").to_str()?) && (!is_root() || is_here("setpriv"))).then_some(programs)
}

/// PostgreSQL refuses to run as root: its package creates a user.
fn as_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    // Replaces itself by the program, so that a signal reaches it.
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
