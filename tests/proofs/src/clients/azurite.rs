//! Azurite, the emulator from npm, for comparison with our server.

use std::{io, process::Stdio, time::Duration};

use tokio::{
    process::{Child, Command},
    time::timeout,
};

use crate::clients::{Lacking, Place, listening::listening, node::npm};

/// Maximum start time. Usually it listens within a few seconds, longer on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// A running Azurite, in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Azurite {
    _child: Child,
    connection: String,
}

impl Azurite {
    /// Installs it if it is missing.
    ///
    /// # Errors
    ///
    /// Returns the missing requirement.
    pub fn install(place: &Place) -> Result<(), Lacking> {
        npm(place, "azurite")
    }

    /// Starts it, and returns when its three services listen.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start, or ends before it listens.
    pub async fn start(place: &Place) -> io::Result<Self> {
        let folder = place.installed("azurite");
        let mut child = Command::new("node")
            .arg(folder.join("node_modules/azurite/dist/src/azurite.js"))
            .args(["--inMemoryPersistence", "--skipApiVersionCheck", "--silent"])
            .args(["--blobPort", "0", "--queuePort", "0", "--tablePort", "0"])
            .current_dir(&folder)
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
