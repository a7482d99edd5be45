//! `tables emulator`, as a process.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    process::{Child, Command},
    time::timeout,
};

use crate::clients::listening::listening;

const LONGEST: Duration = Duration::from_secs(60);

/// A running emulator, in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Emulator {
    _child: Child,
    connection: String,
}

impl Emulator {
    /// Builds `tables` in the profile of this test, with the cargo that started it. Returns its path.
    ///
    /// # Errors
    ///
    /// Returns an error if cargo is missing or fails.
    pub fn build() -> Result<PathBuf, Box<dyn Error>> {
        let own = env::current_exe()?;
        let folder = own.parent().ok_or("this program has no folder")?;
        // A test is below the folder of the programs.
        let folder = if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder };
        let mut build = std::process::Command::new(env::var_os("CARGO").ok_or("start it with cargo")?);
        build.args(["build", "--quiet", "--package", "table-cli"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        if !build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?.success() {
            return Err("`tables` cannot be built".into());
        }
        Ok(folder.join(format!("tables{}", env::consts::EXE_SUFFIX)))
    }

    /// Starts it, and returns when its three services listen. It serves the account of all emulators.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start, or ends before it listens.
    pub async fn start(program: &Path, arguments: &[&OsStr]) -> io::Result<Self> {
        Self::start_with(program, arguments, None).await
    }

    /// Starts it with these accounts, as `AZURITE_ACCOUNTS` contains them.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start, or ends before it listens.
    pub async fn start_with(
        program: &Path,
        arguments: &[&OsStr],
        accounts: Option<&str>,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .args(["emulator", "--silent", "--blobPort", "0", "--queuePort", "0", "--tablePort", "0"])
            .args(arguments)
            .env_remove("AZURITE_ACCOUNTS");
        if let Some(accounts) = accounts {
            command.env("AZURITE_ACCOUNTS", accounts);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let connection = timeout(LONGEST, listening(&mut child)).await??;
        Ok(Self { _child: child, connection })
    }

    /// Returns the connection string for clients.
    #[must_use]
    pub fn connection(&self) -> &str {
        &self.connection
    }
}
