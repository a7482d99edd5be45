//! Azurite, the emulator from npm, for comparison with our server.

use std::io;

use tokio::process::Command;

use crate::clients::{Lacking, Place, listening::Listening, node::npm};

/// A running Azurite, in memory, on free ports. It ends when it is dropped.
#[derive(Debug)]
pub struct Azurite(Listening);

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
        let mut command = Command::new("node");
        command
            .arg(folder.join("node_modules/azurite/dist/src/azurite.js"))
            .args(["--inMemoryPersistence", "--skipApiVersionCheck"])
            .current_dir(&folder);
        Listening::start(&mut command).await.map(Self)
    }

    /// Returns the connection string for clients.
    #[must_use]
    pub fn connection(&self) -> &str {
        &self.0.connection
    }
}
