//! `tables emulator`, as a process.

use std::{ffi::OsStr, io, path::Path};

use tokio::process::Command;

use crate::clients::listening::Listening;

/// A running emulator, in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Emulator(Listening);

impl Emulator {
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
        command.arg("emulator").args(arguments).env_remove("AZURITE_ACCOUNTS");
        if let Some(accounts) = accounts {
            command.env("AZURITE_ACCOUNTS", accounts);
        }
        Listening::start(&mut command).await.map(Self)
    }

    /// Returns the connection string for clients.
    #[must_use]
    pub fn connection(&self) -> &str {
        &self.0.connection
    }
}
